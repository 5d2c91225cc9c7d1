"""The scorecard's question `complete`: the judged share of the top docs."""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.audit.inputs import TOP, AuditInputs
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import ScorecardCell
from qrelsmith.base.items import MARK
from qrelsmith.evaluation import score_runs
from qrelsmith.evaluation.held_runs import answer_runs

_KEY = "complete"


@VERDICTS.add(_KEY, place=10, asks="Top docs judged?", section="inventory")
def complete(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Return the lowest judged share of top docs of any run; a missing topic counts as 0."""
    wanted = _topics_to_judge(inputs)
    qrels = inputs.label_sets[name]
    missing = len(set(wanted) - set(qrels.topics))
    if not inputs.runs:
        return no_cell(name, _KEY, "there are no runs")
    shares = _judged_shares(inputs, name, wanted)
    worst = min(shares, key=lambda run: (float(np.mean(shares[run])), run))
    also = [f"The run with the lowest share of judged docs is {worst}"]
    if missing:
        also.append(f"{missing:,} of {count(len(wanted), 'topic', 'topics')} have no labels")
    if name in inputs.off_scale:
        wrong = inputs.off_scale[name]
        grades = count(wrong.count, "grade", "grades")
        also.append(f"{grades} outside the scale are treated as missing (first: {wrong.first})")
    value, nan = float(np.mean(shares[worst])), math.nan
    judged = JudgedFigure(name, _KEY, inputs.reference, value, nan, nan, len(wanted))
    return judged.plain_cell(also=". ".join(also))


def _judged_shares(
    inputs: AuditInputs, name: str, wanted: tuple[str, ...]
) -> dict[str, FloatArray]:
    """Return the judged share of each run's top docs, by topic."""
    measure, qrels, runs = f"Judged@{TOP}", inputs.label_sets[name], inputs.runs
    if inputs.is_of_answers and not any(MARK in key for key in qrels.docs):
        runs = answer_runs({name: qrels})  # because it grades whole answers
    result = score_runs(qrels, runs, [measure], missing_topics="zero")
    matrix = result.matrix(measure)
    column = {topic: place for place, topic in enumerate(matrix.topics)}
    row = {system: place for place, system in enumerate(matrix.systems)}
    shares = {}
    for run in runs:
        of_run = [
            matrix.scores[row[run.name], column[topic]] if topic in column else 0.0
            for topic in wanted
            if run.docs.get(topic)
        ]
        shares[run.name] = np.array(of_run or [0.0])
    return shares


def _topics_to_judge(inputs: AuditInputs) -> tuple[str, ...]:
    """Return the topics to judge: the pools' topics or, without pools, the reference's topics."""
    if inputs.pools is not None:
        return tuple(sorted(inputs.pools.topics))
    return tuple(sorted(inputs.label_sets[inputs.reference].topics))
