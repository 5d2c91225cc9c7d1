"""Evidence: the statistics of a test of damage for each possible source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.scipy_parts import special

MOST_Z = 37.0
"""The largest z: the p of this z is the smallest float above 0."""


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """The statistics of a test for its possible sources.

    Attributes
    ----------
    culprits : tuple of tuple of int [culprit]
        Positions of the sources: topics, teams, assessors, runs or sets, as declared for the
        damage. There are two positions if two sources share or exchanged labels. The empty tuple is
        the whole label set.
    value : float array [culprit]
        The size of the damage, in the unit of the test.
    low, high : float array [culprit]
        The 95% interval of the value; nan if the test has no interval.
    p : float array [culprit]
        The one-sided probability of this value or more without damage. It accounts for hidden
        choices (places, lags), but not for the number of sources.
    large : bool array [culprit]
        Whether the value is large enough to matter, and the labels meet all other conditions of
        this damage.
    detail : float array [culprit]
        An additional value for the sentence: a lag, a place, a grade; nan if there is none.
    """

    culprits: tuple[tuple[int, ...], ...]
    value: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    large: BoolArray
    detail: FloatArray

    @classmethod
    def of(
        cls,
        culprits: Sequence[tuple[int, ...]],
        value: ArrayLike,
        p: ArrayLike,
        *,
        large: ArrayLike,
        low: ArrayLike = np.nan,
        high: ArrayLike = np.nan,
        detail: ArrayLike = np.nan,
    ) -> Evidence:
        """Return evidence from values that broadcast to one per source; a nan p counts as 1."""
        count = len(culprits)
        filled = [
            np.array(np.broadcast_to(np.asarray(each, dtype=float), (count,)))
            for each in (value, low, high, detail)
        ]
        chance = np.broadcast_to(np.asarray(p, dtype=float), (count,))
        return cls(
            culprits=tuple(culprits),
            value=filled[0],
            low=filled[1],
            high=filled[2],
            p=np.clip(np.where(np.isnan(chance), 1.0, chance), 0.0, 1.0),
            large=np.array(np.broadcast_to(np.asarray(large, dtype=bool), (count,))),
            detail=filled[3],
        )

    @classmethod
    def none(cls) -> Evidence:
        """Return evidence without sources, for labels that the test cannot use."""
        return cls.of((), (), (), large=())

    @property
    def z(self) -> FloatArray:
        """The p-values as standard normal deviates, clipped to ±`MOST_Z` [culprit]."""
        return np.clip(-special.ndtri(self.p), -MOST_Z, MOST_Z)

    def z_of(self, culprit: tuple[int, ...]) -> float:
        """Return the z of one source; nan if the source was not tested."""
        if culprit not in self.culprits:
            return float("nan")
        return float(self.z[self.culprits.index(culprit)])


def majority_p(p: ArrayLike) -> FloatArray:
    """Return the p-value of a strict majority of K tests: K/k times the k-th smallest p.

    The result is valid for any dependence of the K tests (Rüger 1978). With two tests, the result
    is the larger p.

    Parameters
    ----------
    p : array_like, [test, culprit]
        The p-value of each test.

    Returns
    -------
    ndarray, [culprit]

    >>> majority_p([[0.001], [0.02], [0.9]])
    array([0.03])
    """
    values = np.sort(np.asarray(p, dtype=float), axis=0)
    count = len(values)
    needed = count // 2 + 1
    return np.asarray(np.minimum(values[needed - 1] * count / needed, 1.0))
