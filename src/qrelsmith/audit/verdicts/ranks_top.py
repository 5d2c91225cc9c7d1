"""The scorecard's question `ranks-top`: does the top rank the same."""

from __future__ import annotations

import math

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.bounds import LIFTED, PERHAPS_LIFTED, TURNED
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle, same_scores
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count, figure, name_list
from qrelsmith.base.content import CellVerdict, ScorecardCell
from qrelsmith.rankings.compared_rankings import compare
from qrelsmith.rankings.top_comparison import TopComparison

_KEY = "ranks-top"
_MOST_TOLD = 3  # lifted systems that the sentence names


@VERDICTS.add(
    _KEY,
    place=40,
    asks="Does the top rank the same?",
    of="others",
    section="rankings",
    purpose="choose among the best",
)
def ranks_top(inputs: AuditInputs, name: str) -> ScorecardCell:
    """The order of the reference's best third of systems, larger differences weighing more.

    It is not called good where systems that the set lifts into its own best third change the order,
    nor where that of the better half of the reference's best third is surely lost.
    """
    reference = inputs.reference
    if reason := ranking_obstacle(inputs, name):
        return no_cell(name, _KEY, reason)
    top = inputs.ask(compare, top=True).tops_by(inputs.measures[0])[name]
    of_reference, of_either, of_leading = (
        JudgedFigure(
            name, _KEY, reference, float(of.value), float(of.low), float(of.high), top.topics
        )
        for of in (top.kept, top.kept_of_either, top.kept_of_leading)
    )
    if same_scores(inputs, name):
        return same_labels_cell(name, _KEY, reference, value=of_reference.value, topics=top.topics)
    if math.isnan(of_reference.value):
        reason = f"{reference} ties all its best systems"
        return no_cell(name, _KEY, reason, topics=top.topics)
    place = f"has place {int(top.places.place[0])} of {top.systems} here"
    if top.tied:
        place += f" with {count(top.tied, 'other', 'others')} that tie with it"
    elif not top.places.reason:
        place += f", between {int(top.places.low[0])} and {int(top.places.high[0])}"
    also = (
        f"the best {len(top.best)} systems of {reference} are looked at; its best run,"
        f" {top.best[0]}, {place}"
    )
    if of_leading.value < of_leading.rule.bad and top.leading < len(top.best):
        leading = figure(of_leading.value, of_leading.low, of_leading.high)
        also = f"over the best {top.leading} alone it is {leading}; {also}"
    remaining, says = of_reference.remaining, ""
    if top.lifted:
        remaining = verdicts_with_lifted(remaining, of_either.remaining)
    if remaining != of_reference.remaining:
        says = PERHAPS_LIFTED if "good" in remaining else LIFTED
        also = (
            f"with {_lifted_systems(top, reference)} in the best third here, it is"
            f" {figure(of_either.value, of_either.low, of_either.high)}; {also}"
        )
    if "good" in remaining and of_leading.remaining == ("bad",):
        remaining, says = _without_good(remaining), TURNED
    return of_reference.cell(
        verdict=remaining[0] if len(remaining) == 1 else "undecided",
        remaining=remaining,
        says=says,
        also=also,
        decided_by=of_either if says == PERHAPS_LIFTED else of_reference,
    )


def verdicts_with_lifted(
    of_reference: tuple[CellVerdict, ...], of_either: tuple[CellVerdict, ...]
) -> tuple[CellVerdict, ...]:
    """The verdicts that remain, with the systems that a set lifts into its own best third.

    Parameters
    ----------
    of_reference, of_either : tuple of str
        What the figure over the reference's best third leaves open, and over both best thirds.

    Examples
    --------
    >>> verdicts_with_lifted(("good",), ("bad",)), verdicts_with_lifted(("bad",), ("good", "bad"))
    (('doubtful',), ('bad',))
    """
    if "good" not in of_either:
        return _without_good(of_reference)
    if of_reference == ("good",) and len(of_either) > 1:
        return ("good", "doubtful")
    return of_reference


def _without_good(verdicts: tuple[CellVerdict, ...]) -> tuple[CellVerdict, ...]:
    return tuple(each for each in verdicts if each != "good") or ("doubtful",)


def _lifted_systems(top: TopComparison, reference: str) -> str:
    """The lifted systems with their places, as a part of a sentence."""
    systems = [
        f"{each.system} (place {each.reference_place} under {reference}, {each.place} here)"
        for each in top.lifted[:_MOST_TOLD]
    ]
    if rest := len(top.lifted) - len(systems):
        systems.append(count(rest, "other", "others"))
    return name_list(systems)
