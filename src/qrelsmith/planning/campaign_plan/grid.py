"""The compared values of each parameter, and the designs with all combinations of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.toml_settings import Settings
from qrelsmith.planning.simulation import CampaignDesign, GroupDesign

Value = int | str
Grid = Mapping[str, tuple[Value, ...]]
"""The values of each parameter that varies."""


def _topics(design: CampaignDesign, value: int) -> CampaignDesign:
    return replace(design, topics=value)


def _depth(design: CampaignDesign, value: int) -> CampaignDesign:
    # A pool cannot be deeper than the runs.
    return replace(design, depth=value, run_depth=max(design.run_depth, value))


def _systems(design: CampaignDesign, value: int) -> CampaignDesign:
    return replace(design, systems=replace(design.systems, count=value))


def _levels(design: CampaignDesign, value: int) -> CampaignDesign:
    return replace(design, levels=value)


def _per_doc(design: CampaignDesign, value: int) -> CampaignDesign:
    def more(group: GroupDesign) -> GroupDesign:
        members = max(group.assessors.count, value)
        return replace(group, per_doc=value, assessors=replace(group.assessors, count=members))

    return _change_crowds(design, more)


def _assessors(design: CampaignDesign, value: int) -> CampaignDesign:
    return _change_crowds(
        design, lambda group: replace(group, assessors=replace(group.assessors, count=value))
    )


def _ordering(design: CampaignDesign, value: str) -> CampaignDesign:
    groups = tuple(replace(group, ordering=value) for group in design.groups)
    return replace(design, groups=groups)


def _change_crowds(
    design: CampaignDesign, changed: Callable[[GroupDesign], GroupDesign]
) -> CampaignDesign:
    """Change the groups of a design, except groups in which assessors judge their own topics."""
    if all(group.creators for group in design.groups):
        raise UsageError(
            "per_doc and assessors have no effect, because every assessor judges his or her "
            "own topics; expected a group that judges other topics"
        )
    groups = tuple(group if group.creators else changed(group) for group in design.groups)
    return replace(design, groups=groups)


# How to change each parameter of a campaign.
CAMPAIGN_AXES: Mapping[str, Callable[[CampaignDesign, int], CampaignDesign]] = {
    "topics": _topics,
    "depth": _depth,
    "systems": _systems,
    "levels": _levels,
    "per_doc": _per_doc,
    "assessors": _assessors,
}
TEXT_AXES: Mapping[str, Callable[[CampaignDesign, str], CampaignDesign]] = {"ordering": _ordering}
# The parameters of the preferences, by attribute.
PREFERENCE_AXES = ("k", "finalists", "pairings")
AXES = (*CAMPAIGN_AXES, *TEXT_AXES, *PREFERENCE_AXES)


def grid_of(settings: Settings) -> Grid:
    """Return the table `[grid]` of a design.

    Raises
    ------
    InputError
        If a key is not a parameter that can vary, or its value is not a list of valid values.
    """
    settings.check_keys(AXES)
    grid: dict[str, tuple[Value, ...]] = {}
    for axis in settings.values:
        kind: type[int] | type[str] = str if axis in TEXT_AXES else int
        what = "strings" if kind is str else "whole numbers"
        values = settings.get(axis, list, f"a list of {what}")
        if not values or any(type(value) is not kind for value in values):
            raise settings.fault(f"{axis} is {quoted(values)}; expected a list of {what}", axis)
        grid[axis] = tuple(dict.fromkeys(values))
    return grid


def combinations(grid: Grid) -> Sequence[Mapping[str, Value]]:
    """Return every combination of the values of `AXES`; the last axis varies fastest."""
    axes = [axis for axis in AXES if axis in grid]
    return [dict(zip(axes, values, strict=True)) for values in product(*(grid[a] for a in axes))]
