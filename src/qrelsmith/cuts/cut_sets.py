"""All ways to cut a scale into fewer levels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.judgments.scale_operations import Cuts

MOST_SETS = 2_000_000
MOST_CANDIDATES = 3_000
_PART = 1 << 14  # number of sets whose arrays fit into a processor's cache


@dataclass(frozen=True, eq=False)
class CutSets:
    """All ascending sets of m−1 cuts among the candidates.

    Attributes
    ----------
    candidates : ndarray, [candidate]
        The possible cut values, ascending; labels above a cut get the higher level.
    places : ndarray of int, [set, cut]
        Candidate indices of each set; sets in lexicographic order.
    """

    candidates: FloatArray
    places: IntArray

    @classmethod
    def of(cls, levels: ArrayLike, *, targets: int, candidates: ArrayLike | None = None) -> CutSets:
        """Return all sets of cuts that turn a scale into a scale of `targets` levels.

        Parameters
        ----------
        levels : array_like, [level]
            The source scale, ascending. For a continuous scale, the distinct values that occur.
        targets : int
            m, the number of levels of the target scale.
        candidates : array_like, [candidate], optional
            Values to cut at, ascending. By default every level except the highest, because a cut
            there would leave the top target level empty.

        Raises
        ------
        UsageError
            If the target has fewer than two levels or more than the source, the levels do not
            ascend, or there are more than 3,000 candidates or 2,000,000 sets.

        References
        ----------
        Han et al. (2019), On transforming relevance scales, section 3.3.3.
        """
        scale = _ascending(levels, "levels")
        if targets < 2:
            raise UsageError(f"the target scale has {targets} levels; expected at least two")
        chosen = scale[:-1] if candidates is None else _ascending(candidates, "candidates")
        cuts = targets - 1
        if cuts > chosen.size:
            what = f"{scale.size} levels" if candidates is None else f"{chosen.size} candidate cuts"
            raise UsageError(
                f"{what} cannot give {targets} levels; expected a target scale with at "
                "most as many levels as the source"
            )
        count = comb(chosen.size, cuts)
        if chosen.size > MOST_CANDIDATES or count > MOST_SETS:
            raise UsageError(
                f"{chosen.size:,} candidate cuts give {count:,} sets of {cuts}; expected at most"
                f" {MOST_CANDIDATES:,} candidates and {MOST_SETS:,} sets"
            )
        flat = np.fromiter(
            (place for one in combinations(range(chosen.size), cuts) for place in one),
            dtype=np.int64,
            count=count * cuts,
        )
        return cls(candidates=chosen, places=flat.reshape(count, cuts))

    def __len__(self) -> int:
        return int(self.places.shape[0])

    @property
    def targets(self) -> int:
        """m, the number of levels of the target scale."""
        return int(self.places.shape[1]) + 1

    @cached_property
    def columns(self) -> tuple[IntArray, ...]:
        """Candidate indices of the first, second, … cut of every set, each [set]."""
        return tuple(np.ascontiguousarray(column) for column in self.places.T)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], IntArray]:
        """The position [set] of each pair of cuts i ≤ j in a flat table [candidate, candidate]."""
        width = self.candidates.size
        cuts = range(len(self.columns))
        return {
            (i, j): self.columns[i] * width + self.columns[j] for i in cuts for j in cuts if i <= j
        }

    @cached_property
    def parts(self) -> tuple[tuple[slice, CutSets], ...]:
        """The sets in blocks for fast processing, with their indices."""
        slices = [slice(first, first + _PART) for first in range(0, len(self), _PART)]
        return tuple((part, CutSets(self.candidates, self.places[part])) for part in slices)

    @property
    def widths(self) -> FloatArray:
        """Distance from the first to the last cut of each set [set]."""
        return np.asarray(self.candidates[self.columns[-1]] - self.candidates[self.columns[0]])

    def positions(self, grades: ArrayLike) -> IntArray:
        """Count the candidates below each grade [...]; a label with a position > c is above cut c.

        Grades between candidates (means or medians) are allowed, but nan is not.
        """
        values = float_array(grades, name="grades")
        return np.searchsorted(self.candidates, values, side="left").astype(np.int64)

    def cuts(self, place: int) -> Cuts:
        """Return the cuts of one set."""
        return Cuts(tuple(self.candidates[self.places[place]].tolist()))


def _ascending(values: ArrayLike, name: str) -> FloatArray:
    array = float_array(values, name=name, ndim=1)
    if not np.isfinite(array).all() or (np.diff(array) <= 0).any():
        shown = ", ".join(f"{value:g}" for value in array[:12])
        raise UsageError(f"the {name} are {shown}; expected finite, strictly ascending numbers")
    return array
