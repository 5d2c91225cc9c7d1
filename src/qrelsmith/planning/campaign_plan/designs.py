"""All combinations of the values in the grids of some designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.planning.campaign_plan.grid import (
    AXES,
    CAMPAIGN_AXES,
    PREFERENCE_AXES,
    TEXT_AXES,
    Grid,
    Value,
    combinations,
)
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign
from qrelsmith.planning.simulation import CampaignDesign


def planned_designs(designs: Sequence[tuple[PlanDesign, Grid]]) -> tuple[PlanDesign, ...]:
    """Return every combination of every design's grid, without duplicates.

    The name of a combination is its design's name and the values that vary in the grid. Without
    preferences (k = 0), `finalists` and `pairings` do not vary.

    Raises
    ------
    UsageError
        If a combination is invalid, or two different designs have the same name.
    """
    designs_by_name: dict[str, PlanDesign] = {}
    for base, grid in designs:
        varying = [axis for axis in AXES if len(grid.get(axis, ())) > 1]
        for values in combinations(grid):
            without = "k" in values and not values["k"]
            parameters = {
                axis: value
                for axis, value in values.items()
                if not (without and axis in PREFERENCE_AXES[1:])
            }
            shown = [f"{axis} {parameters[axis]}" for axis in varying if axis in parameters]
            name = f"{base.name} ({', '.join(shown)})" if shown else base.name
            made = _vary(replace(base, name=name), parameters)
            if designs_by_name.setdefault(name, made) != made:
                raise UsageError(
                    f"two designs have the name {quoted(name)}; expected different names"
                )
    return tuple(designs_by_name.values())


def _vary(design: PlanDesign, values: Mapping[str, Value]) -> PlanDesign:
    campaign: CampaignDesign = design.campaign
    chosen: dict[str, int] = {}
    for axis, value in values.items():
        if isinstance(value, str):
            campaign = TEXT_AXES[axis](campaign, value)
        elif axis in CAMPAIGN_AXES:
            campaign = CAMPAIGN_AXES[axis](campaign, value)
        else:
            chosen[axis] = value
    return PlanDesign(design.name, campaign, replace(design.preferences, **chosen))
