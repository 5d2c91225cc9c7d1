"""Evidence: the figures of a test of damage for each culprit that it looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.scipy_parts import special

MOST_Z = 37.0
"""The largest z: its p is the smallest that a float tells from 0."""


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """The figures of a test for the culprits that it looked at.

    Attributes
    ----------
    culprits : tuple of tuple of int [culprit]
        Their places: of topics, teams, assessors, runs or sets, as the damage's entry says; two of
        them where two have exchanged or share something. The empty one is the whole label set.
    value : float array [culprit]
        How large the damage looks, in the unit that the test states.
    low, high : float array [culprit]
        Its 95 % interval; nan where the test gives none.
    p : float array [culprit]
        One-sided: how probable so much is where nothing is damaged. Hidden choices (places, lags)
        are counted in, the number of culprits is not.
    large : bool array [culprit]
        Whether it is large enough to matter and looks like this damage in all else.
    detail : float array [culprit]
        What the sentence needs besides: a lag, a place, a grade; nan where there is nothing.
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
        """Evidence from what broadcasts to one number for each culprit; a p of nan counts as 1."""
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
        """No culprit: what the test looks at is not there."""
        return cls.of((), (), (), large=())

    @property
    def z(self) -> FloatArray:
        """The p as standard normal deviates, cut at ±`MOST_Z` [culprit]."""
        return np.clip(-special.ndtri(self.p), -MOST_Z, MOST_Z)

    def z_of(self, culprit: tuple[int, ...]) -> float:
        """Z of one culprit; nan where it was not looked at."""
        if culprit not in self.culprits:
            return float("nan")
        return float(self.z[self.culprits.index(culprit)])


def majority_p(p: ArrayLike) -> FloatArray:
    """Return the p of a strict majority of several tests together: K/k times the k-th smallest p.

    Valid whatever the dependence of the K tests (Rüger 1978). With two tests it is the larger p.

    Parameters
    ----------
    p : array_like, [test, culprit]
        The p of each test.

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
