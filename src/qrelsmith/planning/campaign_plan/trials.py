"""Repeated simulations of designs, in cells that separate processes can compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.rng import digest_key
from qrelsmith.base.tables import Table
from qrelsmith.planning.campaign_plan.outcome import OUTCOMES, PlanScoring, campaign_outcome
from qrelsmith.planning.campaign_plan.plan_design import (
    PlanDesign,
    parsed_plan_design,
    plan_design_text,
)
from qrelsmith.sweep import Cell

_BLOCK = 10  # campaigns per cell
_WORK = "qrelsmith.planning.campaign_plan.trials:design_trials"


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """The outcomes of the campaigns of each design.

    Attributes
    ----------
    values : mapping of str to float array [design, campaign]
        The values for each of `OUTCOMES`. Campaign i of all designs has the same topics, docs and
        systems, as far as the designs have them in common.
    """

    designs: tuple[PlanDesign, ...]
    values: dict[str, FloatArray]

    @property
    def campaigns(self) -> int:
        """The number of simulated campaigns per design."""
        return int(self.values[OUTCOMES[0]].shape[1])


def draw_trials(
    designs: Sequence[PlanDesign],
    scoring: PlanScoring,
    *,
    campaigns: int,
    seed: int,
    sweep: Callable[[Sequence[Cell]], list[Table]],
) -> Trials:
    """Simulate campaigns of every design.

    Parameters
    ----------
    scoring : PlanScoring
        How labels become a ranking of the systems.
    campaigns : int
        The number of campaigns per design.
    seed : int
        The seed, which all designs share.
    sweep : callable
        Computes cells and returns their tables in order.
    """
    cells = [
        Cell(
            _WORK,
            {
                "design": plan_design_text(design),
                "measure": scoring.measure,
                "preference_measure": scoring.preference_measure,
                "aggregation": scoring.aggregation,
                "first": first,
                "campaigns": min(_BLOCK, campaigns - first),
            },
            seed,
        )
        for design in designs
        for first in range(0, campaigns, _BLOCK)
    ]
    rows = [row for table in sweep(cells) for row in table.rows]
    found = np.array(rows, dtype=np.float64).reshape(len(designs), campaigns, len(OUTCOMES) + 1)
    values = {name: found[..., place + 1] for place, name in enumerate(OUTCOMES)}
    return Trials(tuple(designs), values)


def design_trials(
    *,
    design: str,
    measure: str,
    preference_measure: str,
    aggregation: str,
    first: int,
    campaigns: int,
    seed: int,
) -> Table:
    """Return the trials of a design: a row per campaign, with its number and its outcome."""
    planned = parsed_plan_design(design, name="design")
    scoring = PlanScoring(measure, preference_measure, aggregation)
    rows = []
    for number in range(first, first + campaigns):
        own = int.from_bytes(digest_key(seed, "plan", "campaign", number)[:7], "big")
        outcome = campaign_outcome(planned, scoring, seed=own)
        rows.append((number, *map(float, astuple(outcome))))
    return Table.of(("campaign", *OUTCOMES), rows)
