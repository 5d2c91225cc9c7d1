"""Whether labels find the differences between systems that a reference finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.arrays import FloatArray
from qrelsmith.stats.pairwise import PairwiseResult

_BLOCK = 1 << 22  # differences held at once


@dataclass(frozen=True, slots=True, eq=False)
class DifferencesKept:
    """Shares of the pairs of systems that two label sets tell apart, as a statistic of their means.

    A pair is told apart where its means differ by more than a test asks for; how much that is stays
    what it is on all topics when means are drawn again.

    Attributes
    ----------
    first, second : float array, one per pair
        The difference from which on a pair is significant by the reference, and by the label set:
        the `critical` of a paired test.
    """

    first: FloatArray
    second: FloatArray

    @classmethod
    def of(cls, first: PairwiseResult, second: PairwiseResult) -> DifferencesKept:
        """Take the critical differences of a test of the reference's scores and of the others'."""
        return cls(first.critical, second.critical)

    def __call__(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Compute the shares of rows of means.

        Parameters
        ----------
        first, second : float array, shape (rows, systems)
            System means by the reference and by the label set.

        Returns
        -------
        float array, shape (4, rows)
            Of the pairs that the reference tells apart, the share that the label set tells apart
            the same way; of those that the label set tells apart, the share whose means the
            reference has the other way round; and the shares of all pairs that the reference, and
            that the label set tells apart. nan of no pair.
        """
        rows, systems = first.shape
        above, below = np.triu_indices(systems, 1)
        found = np.empty((4, rows))
        step = max(1, _BLOCK // max(1, above.size))
        for start in range(0, rows, step):
            part = slice(start, start + step)
            found[:, part] = self._shares(
                first[part][:, above] - first[part][:, below],
                second[part][:, above] - second[part][:, below],
            )
        return found

    def _shares(self, one: FloatArray, other: FloatArray) -> FloatArray:
        by_first, by_second = np.abs(one) > self.first, np.abs(other) > self.second
        same, opposite = one * other > 0, one * other < 0
        counts = [
            np.count_nonzero(pairs, axis=-1)
            for pairs in (by_first & by_second & same, by_second & opposite, by_first, by_second)
        ]
        kept, turned, first, second = (np.asarray(count, dtype=np.float64) for count in counts)
        pairs = np.full(first.shape, float(one.shape[-1]))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack([kept / first, turned / second, first / pairs, second / pairs])
