"""Spearman's ρ between two rankings of the same systems."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.comparisons import rankings
from qrelsmith.stats.registries import CORRELATIONS


@CORRELATIONS.add(
    "spearman",
    formula="Pearson's r of the ranks, tied systems at their mean rank",
    source="Spearman 1904",
    aliases=("rho",),
    symmetric=True,
)
def spearman_rho(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Spearman's ρ: the linear correlation of the ranks.

    Returns
    -------
    float array, shape (...)
        ρ in [−1, 1]; nan (0/0) where one ranking ties all systems, and for fewer than two systems.

    Notes
    -----
    A system's mean rank minus the mean of all ranks is half of (systems below − systems above).
    ρ is the Pearson correlation of these whole numbers (Spearman 1904).

    Examples
    --------
    >>> float(spearman_rho([3, 2, 1, 0], [3, 2, 0, 1]))
    0.8
    """
    pair = rankings(first, second)
    u, v = _count_below_less_above(pair.first), _count_below_less_above(pair.second)
    with np.errstate(invalid="ignore"):
        rho = (u * v).sum(axis=-1) / np.sqrt((u * u).sum(axis=-1) * (v * v).sum(axis=-1))
    return np.asarray(rho).reshape(pair.shape)


def _count_below_less_above(ranks: NDArray[np.int32]) -> FloatArray:
    """Return the number of systems below minus the number above, for each system [row, system]."""
    rows, n = ranks.shape
    # All rows in one list, each above the one before.
    shifted = (ranks + (n * np.arange(rows, dtype=np.int64))[:, None]).ravel()
    ordered = np.sort(shifted)
    below, not_above = (np.searchsorted(ordered, shifted, side=s) for s in ("left", "right"))
    before = np.repeat(np.arange(rows) * n, n)
    return np.asarray(below + not_above - 2 * before - n, dtype=np.float64).reshape(rows, n)
