"""The scorecard's question `ranks-top`: the same top systems."""

from __future__ import annotations

import math

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle, same_scores
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count, figure, name_list
from qrelsmith.base.content import ScorecardCell
from qrelsmith.rankings.compared_rankings import compare
from qrelsmith.rankings.top_comparison import TopComparison

_KEY = "ranks-top"
_MOST_TOLD = 3  # maximum number of lifted systems named in the sentence


@VERDICTS.add(
    _KEY,
    place=40,
    asks="Same top systems?",
    of="others",
    section="rankings",
    purpose="ranking the top systems",
)
def ranks_top(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compare the order of the reference's best third of systems; larger differences weigh more.

    A label set may lift other systems into the best third of its own ranking. The verdict is then
    good only if the order of both best thirds is good.
    """
    reference = inputs.reference
    if reason := ranking_obstacle(inputs, name):
        return no_cell(name, _KEY, reason)
    top = inputs.ask(compare, top=True).tops_by(inputs.measures[0])[name]
    of_reference, of_either = (
        JudgedFigure(
            name, _KEY, reference, float(of.value), float(of.low), float(of.high), top.topics
        )
        for of in (top.kept, top.kept_of_either)
    )
    if same_scores(inputs, name):
        return same_labels_cell(name, _KEY, reference, value=of_reference.value, topics=top.topics)
    if math.isnan(of_reference.value):
        reason = f"{reference} ties all its best systems"
        return no_cell(name, _KEY, reason, topics=top.topics)
    place = f"has rank {int(top.places.place[0])} of {top.systems} under {name}"
    if top.tied:
        place += f", tied with {count(top.tied, 'other system', 'other systems')}"
    elif not top.places.reason:
        place += f" (95% interval: {int(top.places.low[0])} to {int(top.places.high[0])})"
    also = f"The best system of {reference}, {top.best[0]}, {place}"
    p_good, p_bad = of_reference.probabilities
    decided_by = of_reference
    if top.lifted and of_either.probabilities[0] < p_good:
        p_good, decided_by = of_either.probabilities[0], of_either
        also = (
            f"With the best third of {name}, which adds {_lifted_systems(top)}, the top"
            f" agreement is {figure(of_either.value, of_either.low, of_either.high)}. {also}"
        )
    return of_reference.cell(probabilities=(p_good, p_bad), also=also, decided_by=decided_by)


def _lifted_systems(top: TopComparison) -> str:
    """Return part of a sentence: systems that are only in the set's best third, with ranks."""
    systems = [
        f"{each.system} (rank {each.reference_place} → {each.place})"
        for each in top.lifted[:_MOST_TOLD]
    ]
    if rest := len(top.lifted) - len(systems):
        systems.append(count(rest, "other system", "other systems"))
    return name_list(systems)
