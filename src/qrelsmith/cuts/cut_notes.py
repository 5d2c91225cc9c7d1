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
        notes.append(f"no scale given: the source scale is assumed to have {shown}")
    tried = (
        f"{len(sets):,} sets of {sets.targets - 1} cuts"
        if sets.targets > 2
        else f"{len(sets)} cuts"
    )
    notes.append(f"{tried} are tried")
    if _of_hits(options) and not topics.hits:
        notes.append(
            "the judgments have no column hit: all judgments of an assessor in a topic count as one"
            " HIT"
        )
    if topics.without_target:
        lacking = _name_list(topics.without_target)
        notes.append(f"topics that are left out because the target lacks them: {lacking}")
    if topics.filled:
        notes.append(f"unjudged docs that count as not relevant: {topics.filled}")
    return notes


def chosen_notes(chosen: Sequence[ChosenCuts], options: CutOptions, *, assessors: int) -> list[str]:
    """Return notes on the chosen cuts."""
    what = "HITs" if _of_hits(options) else "docs"
    notes = []
    nothing = [choice.topic for choice in chosen if choice.cuts is None]
    if nothing and assessors == 1 and not options.needs_target:
        notes.append("there is only one assessor, so agreement is undefined and no cuts are chosen")
    elif nothing:
        notes.append(f"no cuts are chosen because none has a value: {_name_list(nothing)}")
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
        notes.append(f"the cuts leave only one level in some or all topics: {_name_list(alone)}")
    return notes


def _of_hits(options: CutOptions) -> bool:
    return bool(CUT_METHODS.get(options.method).entry.about["unit"] == "HIT")


def _name_list(names: Sequence[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
