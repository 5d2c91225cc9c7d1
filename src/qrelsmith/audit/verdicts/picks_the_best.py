"""The scorecard's question `picks-the-best`: the loss if the label set chooses the best system."""

from __future__ import annotations

import math

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle, same_scores
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell
from qrelsmith.base.figure_text import percent, short
from qrelsmith.rankings.compared_rankings import compare

_KEY = "picks-the-best"


@VERDICTS.add(
    _KEY,
    place=5,
    asks="Loss when choosing a system",
    of="others",
    section="rankings",
    purpose="choosing the best system",
)
def picks_the_best(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compute the loss in mean score, under the reference, if the set chooses the best system."""
    reference, measure = inputs.reference, inputs.measures[0]
    if reason := ranking_obstacle(inputs, name):
        return no_cell(name, _KEY, reason)
    top = inputs.ask(compare, top=True).tops_by(measure)[name]
    loss, best = top.loss, top.best_mean
    if same_scores(inputs, name):
        return same_labels_cell(name, _KEY, reference, value=0.0, topics=top.topics)
    if math.isnan(loss.value) or best <= 0:
        few = (
            f"{reference} scores every system 0"
            if best <= 0
            else "there are too few topics to split"
        )
        return no_cell(name, _KEY, few, topics=top.topics)
    found = JudgedFigure(
        name, _KEY, reference, float(loss.value), float(loss.low), float(loss.high), top.topics,
        unit=best,
    )  # fmt: skip
    return found.cell(
        also=f"The loss is {percent(float(loss.value) / best, 1)} of the best mean score under"
        f" {reference} ({short(best)})"
    )
