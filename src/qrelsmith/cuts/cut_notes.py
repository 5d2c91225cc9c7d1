"""Notes on a search for cuts."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.scales import grade_text
from qrelsmith.cuts import CUT_METHODS
from qrelsmith.cuts.cut_sources import CutSource
from qrelsmith.cuts.label_cuts import ChosenCuts, CutOptions

_SHOWN = 5  # topics that a note names


def source_notes(source: CutSource, options: CutOptions) -> list[str]:
    """Return notes on assumptions and omissions in the input of the search."""
    levels, sets, topics = source.scale.levels, source.sets, source.topics
    notes = []
    if source.assumed:
        shown = f"{len(levels)} levels from {grade_text(levels[0])} to {grade_text(levels[-1])}"
        notes.append(f"no scale was given: the source scale is taken to have {shown}")
    tried = (
        f"{len(sets):,} sets of {sets.targets - 1} cuts"
        if sets.targets > 2
        else f"{len(sets)} cuts"
    )
    notes.append(f"{tried} are tried")
    if _of_hits(options) and not topics.hits:
        notes.append("the judgments name no HITs: all that an assessor judged in a topic is one")
    if topics.without_target:
        lacking = _name_list(topics.without_target)
        notes.append(f"topics that the target lacks, which are left out: {lacking}")
    if topics.filled:
        notes.append(f"grades that count as not relevant for want of a judgment: {topics.filled}")
    return notes


def chosen_notes(chosen: Sequence[ChosenCuts], options: CutOptions, *, assessors: int) -> list[str]:
    """Return notes on the chosen cuts."""
    what = "HITs" if _of_hits(options) else "docs"
    notes = []
    nothing = [choice.topic for choice in chosen if choice.cuts is None]
    if nothing and assessors == 1 and not options.needs_target:
        notes.append("one assessor only: there is no agreement, and no cuts are chosen")
    elif nothing:
        notes.append(f"no cuts have a value, so that none are chosen: {_name_list(nothing)}")
    few = [
        f"{choice.topic} ({choice.units} of {choice.of})"
        for choice in chosen
        if 0 < choice.units < choice.of / 2
    ]
    if few:
        notes.append(
            f"fewer than half of the {what} have a value under the cuts: {_name_list(few)}"
        )
    alone = [choice.topic for choice in chosen if choice.degenerate]
    if alone:
        notes.append(f"the cuts leave one level only, in some topic or all: {_name_list(alone)}")
    return notes


def _of_hits(options: CutOptions) -> bool:
    return bool(CUT_METHODS.get(options.method).entry.about["unit"] == "HIT")


def _name_list(names: Sequence[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
