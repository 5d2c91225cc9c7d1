"""The rank of a new run among the old runs, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.tables import Table

COLUMNS = (
    "measure", "run", "place", "place_low", "place_high", "old_pool_place", "systems", "labels",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A new run among the old runs.

    Attributes
    ----------
    place, low, high : int
        Its estimated rank among the old runs (1 is best), and the ends of the interval.
    old_pool_place : int
        Its rank if only docs of the old pool are relevant.
    systems, labels : int
        Number of runs (old runs and the new one), and of human labels in the sample.
    """

    measure: str
    run: str
    place: int
    low: int
    high: int
    old_pool_place: int
    systems: int
    labels: int

    def sentence(self) -> str:
        """Return a sentence on the rank error when only the old pool is used."""
        apart = abs(self.place - self.old_pool_place)
        where = f"with the old pool alone, {self.run} has rank {self.old_pool_place}"
        return f"{self.measure}: {where}, {apart} rank{'s' * (apart != 1)} from rank {self.place}"


def placed_table(placed: Sequence[PlacedRun]) -> Table:
    """Return one row per measure and new run."""
    rows = [
        (
            row.measure, row.run, row.place, row.low, row.high, row.old_pool_place, row.systems,
            row.labels,
        )
        for row in placed
    ]  # fmt: skip
    return Table.of(COLUMNS, rows)
