"""Scoring of runs: each file is read, joined with the qrels and scored in turn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import Gains
from qrelsmith.collection.judged import JudgedRun, judged_run
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.run_names import distinct_names
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation.judging_processes import judged_by_processes
from qrelsmith.evaluation.measures import MEASURES, is_of_answers
from qrelsmith.evaluation.notes import EvaluationNotes, MissingTopics
from qrelsmith.evaluation.scorer import ScoredRun, Scorer
from qrelsmith.evaluation.scores import Evaluation
from qrelsmith.forms.reading import bind_reading
from qrelsmith.io import sizes
from qrelsmith.io.text import FilePath, is_regular

if TYPE_CHECKING:
    from qrelsmith.sweep import Sweep


def score_runs(
    qrels: Qrels,
    runs: Sequence[Run | FilePath],
    measures: Sequence[object],
    *,
    order: str = "trec",
    missing_topics: MissingTopics = "zero",
    gains: Gains | None = None,
    gmax: float | None = None,
    highest: float | None = None,
    condensed: bool = False,
    jobs: int | None = None,
    sweep: Sweep | None = None,
    advance: Callable[[], None] | None = None,
) -> Evaluation:
    """Score runs against one label set.

    Parameters
    ----------
    qrels : Qrels
        The judgments.
    runs : sequence of Run or path
        The systems; files are read in parts and never loaded whole.
    measures : sequence of str
        Names as in `qrelsmith measures`: `nDCG@10`, `AP`, `RBP(p=0.8)`.
    order : str
        Ranking order of the docs of a file: one of `RUN_ORDERS`.
    missing_topics : {'zero', 'drop'}
        `zero`: a topic missing from a run scores 0 (except for `NumRel` and `RBPresidual`). `drop`:
        topics missing from a run are nan.
    gains : Gains, optional
        The gain of each grade; by default the grade itself.
    gmax : float, optional
        The gain of the scale's top level; by default the highest gain in the qrels.
    highest : float, optional
        The highest grade of the whole label set, if these qrels are a subset of its topics. The top
        level must not depend on the selected topics.
    condensed : bool
        Remove unjudged docs from the runs before scoring.
    jobs : int, optional
        Number of threads; by default one per processor. Scores do not depend on it.
    sweep : callable, optional
        An alternative reader of the files, such as the workers of a cluster.
    advance : callable, optional
        Called after each run, to show progress.

    Raises
    ------
    InputError
        At the first malformed line of a run; if the qrels are empty.
    UsageError
        If no measure is given or one cannot be parsed; if a grade lacks a gain or, for measures
        with a scale top, has a gain above it; if two systems have the same name.
    """
    if not measures:
        raise UsageError("no measure given; expected at least one, such as nDCG@10")
    if not len(qrels):
        raise InputError(
            f"there are no judgments in the qrels {quoted(qrels.name)}; expected at least one"
        )
    if missing_topics not in ("zero", "drop"):
        raise UsageError(f"missing_topics={quoted(missing_topics)}; expected 'zero' or 'drop'")
    asked = [MEASURES.get(str(name)) for name in measures]
    if of_answers := next((one.label for one in asked if is_of_answers(one)), None):
        raise UsageError(f"{of_answers} scores answers by their aspects, not rankings of docs")
    named = {measure.label: measure for measure in asked}
    jobs = jobs or os.cpu_count() or 1
    scorer = Scorer(qrels, list(named.values()), gains, gmax, highest)
    qrels = scorer.qrels
    systems: list[str] = []
    scores = np.zeros((len(named), len(runs), len(qrels.topics)))
    notes = EvaluationNotes(qrels, missing_topics, scorer)
    ties = np.zeros((len(scorer.cutoffs), len(runs)), dtype=np.int64)
    scored: Iterator[ScoredRun]
    if sweep is None:
        scored = map(scorer.score, _judged_runs(runs, scorer.joined, order, condensed, jobs))
    else:
        from qrelsmith.evaluation.scoring_cells import scored_by_sweep

        scored = scored_by_sweep(runs, scorer, sweep, order=order, condensed=condensed)
    for place, run in enumerate(scored):
        scores[:, place] = run.scores
        if missing_topics == "drop":
            scores[:, place, run.retrieved < 0] = np.nan
        systems.append(run.name)
        notes.add(run)
        ties[:, place] = run.ties
        if advance is not None:
            advance()
    names = distinct_names(systems, runs)
    return Evaluation(
        measures=tuple(named),
        systems=tuple(names),
        topics=qrels.topics,
        scores=scores,
        cutoffs=tuple(scorer.cutoffs),
        ties=ties,
        label_set=qrels.name,
        notes=tuple(notes.texts(names)),
    )


def _judged_runs(
    runs: Sequence[Run | FilePath], qrels: Qrels, order: str, condensed: bool, jobs: int
) -> Iterator[JudgedRun]:
    """Yield the runs joined with the qrels, in order; several runs are joined in parallel."""
    by_processes = judged_by_processes(runs, qrels, order=order, condensed=condensed, jobs=jobs)
    if by_processes is not None:
        yield from by_processes
        return
    jobs = jobs if any(map(_is_large, runs)) else 1
    at_once = min(jobs, len(runs))

    def join(run: Run | FilePath) -> JudgedRun:
        inner = max(1, jobs // max(1, at_once))
        return judged_run(run, qrels, order=order, condensed=condensed, jobs=inner)

    if at_once <= 1:
        yield from map(join, runs)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(bind_reading(join), runs)


def _is_large(run: Run | FilePath) -> bool:
    """Return whether a run file is large enough for its own thread."""
    if isinstance(run, Run):
        return sum(map(len, run.docs.values())) > sizes.THREAD_DOCS
    if not is_regular(run):
        return True
    return Path(run).stat().st_size > sizes.THREAD
