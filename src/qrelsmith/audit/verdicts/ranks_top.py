"""The scorecard's question `ranks-top`: does the top rank the same."""

from __future__ import annotations

import math

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle, same_scores
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell
from qrelsmith.rankings.compared_rankings import compare

_KEY = "ranks-top"


@VERDICTS.add(
    _KEY,
    place=40,
    asks="Does the top rank the same?",
    of="others",
    section="rankings",
    purpose="choose among the best",
)
def ranks_top(inputs: AuditInputs, name: str) -> ScorecardCell:
    """The order of the reference's best third of systems, larger differences weighing more."""
    reference = inputs.reference
    if reason := ranking_obstacle(inputs, name):
        return no_cell(name, _KEY, reason)
    top = inputs.ask(compare, top=True).tops_by(inputs.measures[0])[name]
    value, low, high = (float(end) for end in (top.kept.value, top.kept.low, top.kept.high))
    if same_scores(inputs, name):
        return same_labels_cell(name, _KEY, reference, value=value, topics=top.topics)
    if math.isnan(value):
        reason = f"{reference} ties all its best systems"
        return no_cell(name, _KEY, reason, topics=top.topics)
    found = JudgedFigure(name, _KEY, reference, value, low, high, top.topics)
    place = f"has place {int(top.places.place[0])} of {top.systems} here"
    if not top.places.reason:
        place += f", between {int(top.places.low[0])} and {int(top.places.high[0])}"
    return found.cell(
        also=f"the best {len(top.best)} systems of {reference} are looked at; its best run,"
        f" {top.best[0]}, {place}"
    )
