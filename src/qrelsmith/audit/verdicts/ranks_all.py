"""The scorecard's question `ranks-all`: the same full ranking."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle, same_scores
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell
from qrelsmith.rankings.compared_rankings import compare

_KEY = "ranks-all"


@VERDICTS.add(
    _KEY,
    place=30,
    asks="Same full ranking?",
    of="others",
    section="rankings",
    purpose="ranking all systems",
)
def ranks_all(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compute Kendall's τ-b with the reference's ranking, by the first measure on common topics."""
    reference, measure = inputs.reference, inputs.measures[0]
    if reason := ranking_obstacle(inputs, name):
        return no_cell(name, _KEY, reason)
    rows = inputs.ask(compare).with_reference(measure)
    row = next(each for each in rows if name in (each.first, each.second))
    if same_scores(inputs, name):
        return same_labels_cell(name, _KEY, reference, value=row.tau_b, topics=row.topics)
    if row.tau_b != row.tau_b:
        return no_cell(name, _KEY, "one of the two label sets ties all systems", topics=row.topics)
    found = JudgedFigure(name, _KEY, reference, row.tau_b, row.low, row.high, row.topics, row.over)
    return found.cell()
