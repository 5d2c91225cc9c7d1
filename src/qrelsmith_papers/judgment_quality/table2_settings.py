"""Comparisons of the settings of Table 2: reductions, finer scales, discriminative power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.stats.correlation import kendall_tau_b
from qrelsmith_papers.judgment_quality.label_quality import MEASURES

# Numbers of Table 2 by setting, depth and kind of number.
Values = Mapping[tuple[str, int, str], float]


class Settings(NamedTuple):
    """The numbers of Table 2 by setting, depth and kind of number; nan where undefined.

    `reductions` are the reductions of the setting `original` to two grades, starting with ≥ 1.
    `finer` is a setting of the same subtask with more grades. `others` are additional settings for
    comparing PDP and DP.
    """

    values: Values
    reductions: Sequence[str]
    original: str
    finer: str = ""
    others: Sequence[str] = ()

    @property
    def depths(self) -> list[int]:
        """The numbers of docs."""
        return sorted({depth for _, depth, _ in self.values})

    def of(self, setting: str, depth: int, what: str) -> float:
        """Return a number with the sign of PDP reversed, so that larger is more discriminative."""
        value = self.values.get((setting, depth, what), float("nan"))
        return -value if what in MODES else value

    def keys(self, whats: Sequence[str] = (*MODES, *MEASURES)) -> list[tuple[int, str]]:
        """Return the depths and kinds of numbers known for the original and the first reduction."""
        first = self.reductions[0]
        return [
            (depth, what)
            for depth, what in product(self.depths, whats)
            if not np.isnan(self.of(self.original, depth, what) + self.of(first, depth, what))
        ]

    def harmless(self) -> float:
        """Count comparisons in which a reduction discriminates more than the original."""
        return sum(
            self.of(name, *key) > self.of(self.original, *key)
            for key, name in product(self.keys(), self.reductions)
        )

    def not_first(self) -> float:
        """Count the numbers for which a reduction other than ≥ 1 discriminates most."""
        return float(sum(_first(self._row(key)) != 0 for key in self.keys()))

    def not_last(self) -> float:
        """Count the numbers for which a reduction other than the last discriminates least."""
        return float(sum(min(row) < row[-1] for row in map(self._row, self.keys())))

    def phi_agrees(self) -> float:
        """Count depths at which Φ and individual PDP prefer the same reduction."""
        rows = [[self._row((d, what)) for what in ("phi", "individual")] for d in self.depths]
        return float(sum(_first(phi) == _first(pdp) for phi, pdp in rows))

    def alpha_rises(self) -> float:
        """Return the largest increase of α from fewer to more grades."""
        rises = []
        for depth in self.depths:
            coarse = [self.of(name, depth, "alpha") for name in self.reductions]
            original, fine = (self.of(name, depth, "alpha") for name in (self.original, self.finer))
            rises += [original - min(coarse), fine - original]
        return float(np.max(rises))

    def opposite(self) -> float:
        """Count the depths at which both kinds of PDP put the two settings in the same order."""
        return sum(
            (self.of(self.finer, d, "individual") > self.of(self.original, d, "individual"))
            == (self.of(self.finer, d, "aggregate") > self.of(self.original, d, "aggregate"))
            for d in self.depths
        )

    def consistency(self) -> float:
        """Return the lowest τ of individual PDP and DP over settings, by measure and depth."""
        names = (
            *self.reductions,
            self.original,
            *([self.finer] if self.finer else []),
            *self.others,
        )
        taus = []
        for depth, measure in product(self.depths, MEASURES):
            rows = [(self.of(n, depth, "individual"), self.of(n, depth, measure)) for n in names]
            known = [row for row in rows if not np.isnan(row).any()]
            taus.append(float(kendall_tau_b(*zip(*known, strict=True))))
        return min(taus)

    def finest_best(self) -> float:
        """Count the numbers for which a different setting discriminates more than `finer`."""
        every = [
            (depth, what)
            for depth, what in product(self.depths, ("aggregate", *MEASURES))
            if not np.isnan(self.of(self.finer, depth, what))
        ]
        names = (self.original, *self.reductions)
        return sum(
            max(self.of(n, *key) for n in names) > self.of(self.finer, *key) for key in every
        )

    def competitive(self) -> float:
        """Return the largest decrease of DP from the original to the first reduction."""
        keys = self.keys(tuple(MEASURES))
        return max(self.of(self.original, *k) - self.of(self.reductions[0], *k) for k in keys)

    def lower_in_aggregate(self) -> float:
        """Return the share of settings and depths whose PDP is lower in aggregate mode."""
        pairs = [
            (self.of(name, depth, "aggregate"), self.of(name, depth, "individual"))
            for (name, depth, what) in self.values
            if what == "aggregate" and name in (*self.reductions, self.original, *self.others)
        ]
        return float(np.mean([a > i for a, i in pairs if a == a and i == i]))

    def _row(self, key: tuple[int, str]) -> list[float]:
        return [self.of(name, *key) for name in self.reductions]


def _first(row: Sequence[float]) -> int:
    return int(np.argmax(row))
