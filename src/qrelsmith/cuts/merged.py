"""Krippendorff's α of merged levels, for many cuts at once.

Merging levels adds their coincidences, so α under every cut is computed from one set of counts. The
distance δ² of two levels a and b depends on the cuts between them:

- nominal: 1 if any cut lies between
- interval: (number of cuts between)²
- ordinal: (Σ w_i over the cuts between)², w_i = (labels of the two levels that cut i separates)/2,
  the distance between Krippendorff's mid-ranks of neighbouring levels

Σ_ab o_ab δ²_ab is therefore a sum over pairs of cuts i ≤ j. The terms of this sum are the
coincidences that *straddle* both cuts: one label is not above cut i, and the other is above cut j.
For m levels, a set of cuts has m(m−1)/2 such terms. Each term depends on only two cuts and is read
from a table of prefix sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from qrelsmith.agreement.result import fill_for
from qrelsmith.base.arrays import AnyArray, FloatArray
from qrelsmith.base.errors import UnknownNameError

LEVELS_OF_MEASUREMENT = ("nominal", "ordinal", "interval")
Straddling = Mapping[tuple[int, int], FloatArray]


def merged_alpha(
    below: Sequence[FloatArray],
    straddling: Straddling,
    total: float | FloatArray,
    *,
    level: str = "ordinal",
    undefined: str = "nan",
) -> FloatArray:
    """α on a scale of m levels created by m−1 cuts.

    α = 1 − (n − 1) Σ o_ab δ²_ab / Σ n_a n_b δ²_ab over the merged levels a, b = 0 … m−1.

    Parameters
    ----------
    below : sequence of ndarray, [cut][...]
        Number of used labels not above each cut.
    straddling : mapping of (int, int) to ndarray, [...]
        For i ≤ j, the coincidences with one label not above cut i and the other above cut j; each
        unordered pair of labels counts once.
    total : float or ndarray, [...]
        n, the number of labels of docs with two labels or more.
    level : str
        `nominal`, `ordinal` or `interval`.
    undefined : str
        Value for 0/0 (all labels on one merged level): `nan`, `one` or `zero`.

    Returns
    -------
    ndarray, [...]
        nan if n is 0, and for 0/0 if `undefined` is `nan`.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability, sections D and E.
    """
    n = np.asarray(total, dtype=np.float64)
    edges = [np.zeros_like(n), *below, n]
    if level == "nominal":
        observed, expected = _nominal(edges, straddling, n)
    elif level == "interval":
        observed, expected = _interval(edges, straddling, n)
    elif level == "ordinal":
        observed, expected = _ordinal(edges, straddling, n)
    else:
        raise UnknownNameError("level of measurement", level, LEVELS_OF_MEASUREMENT)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = 1.0 - (n - 1.0) * observed / expected
    # Frequencies are whole numbers, so a single level gives exactly 0.
    alpha = np.where(expected > 0, alpha, fill_for(undefined))
    return np.where(n > 0, alpha, np.nan)


def is_collapsed(below: Sequence[AnyArray], total: float | AnyArray) -> AnyArray:
    """Return whether all labels are on one merged level [...]."""
    alone = np.ones(np.broadcast_shapes(*(part.shape for part in below)), dtype=np.bool_)
    for part in below:
        alone &= (part == 0) | (part == total)
    return alone


def _nominal(
    edges: Sequence[FloatArray], straddling: Straddling, n: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Count the pairs of labels separated by any cut: c cuts minus c − 1 pairs of adjacent cuts."""
    cuts = len(edges) - 2
    parted = straddling[0, 0]
    for i in range(1, cuts):
        parted = parted + straddling[i, i] - straddling[i - 1, i]
    equal = sum((high - low) ** 2 for low, high in pairwise(edges))
    return np.asarray(2.0 * parted), np.asarray(n * n - equal)


def _interval(
    edges: Sequence[FloatArray], straddling: Straddling, n: FloatArray
) -> tuple[FloatArray, FloatArray]:
    observed = sum((2.0 if i == j else 4.0) * both for (i, j), both in straddling.items())
    expected = sum(
        (2.0 if i == j else 4.0) * edges[i + 1] * (n - edges[j + 1]) for i, j in straddling
    )
    return np.asarray(observed), np.asarray(expected)


def _ordinal(
    edges: Sequence[FloatArray], straddling: Straddling, n: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Σ n_a n_b (R_a − R_b)² of mid-ranks is n(n³ − Σ n_a³)/6: the ranks' variance with ties."""
    apart = [(edges[i + 2] - edges[i]) / 2.0 for i in range(len(edges) - 2)]
    observed = sum(
        (2.0 if i == j else 4.0) * apart[i] * apart[j] * both for (i, j), both in straddling.items()
    )
    sizes = [high - low for low, high in pairwise(edges)]
    cubes = sum(size * size * size for size in sizes)
    return np.asarray(observed), np.asarray(n * (n * n * n - cubes) / 6.0)
