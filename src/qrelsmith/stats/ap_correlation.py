"""AP correlation: Kendall's τ with the highest weight at the top of the estimated ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.comparisons import Rankings, rankings
from qrelsmith.stats.registries import CORRELATIONS


@CORRELATIONS.add(
    "tau-ap",
    formula="2/(n−1) · Σ_{i≥2} C(i)/(i−1) − 1",
    source="Yilmaz, Aslam & Robertson 2008, Eq. 3",
    symmetric=False,
)
def tau_ap(reference: ArrayLike, estimate: ArrayLike) -> FloatArray:
    """AP correlation of two rankings without ties.

    Returns
    -------
    float array, shape (...)
        τ_AP in [−1, 1]; nan if a list ties any two systems (use `tau_ap_a` or `tau_ap_b`), and for
        fewer than two systems. τ_AP is not symmetric: swapping the lists gives a different value.

    Notes
    -----
    τ_AP = 2/(n−1) · Σ_{i=2}^{n} C(i)/(i−1) − 1, where C(i) counts the systems above rank i of the
    estimate that are above the system at rank i in the reference too (Yilmaz, Aslam & Robertson
    2008, "A new rank correlation coefficient for information retrieval").

    Examples
    --------
    >>> float(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]))
    0.33333333333333326
    """
    pair = rankings(reference, estimate)
    tied = np.zeros(len(pair.first), dtype=bool)
    for ranks in (pair.first, pair.second):
        tied |= ranks.max(axis=-1, initial=0) < pair.systems - 1
    return np.where(tied, np.nan, _expected_tau(pair)).reshape(pair.shape)


@CORRELATIONS.add(
    "tau-ap-a",
    formula="mean of τ_AP over all ways to break ties",
    source="Urbano & Marrero 2017",
    symmetric=False,
)
def tau_ap_a(reference: ArrayLike, estimate: ArrayLike) -> FloatArray:
    """AP correlation for accuracy: the mean of τ_AP over all ways to break the ties.

    Returns
    -------
    float array, shape (...)
        τ_AP,a in [−1, 1]; equal to τ_AP without ties; nan for fewer than two systems.

    Notes
    -----
    Let r systems be strictly above a group of k tied systems. Each system of the group has each of
    the ranks r+1 … r+k with probability 1/k. At the j-th of these ranks, the r systems and j−1
    systems of the group are above it. The order within the group is correct half the time. The sum
    is the expectation in closed form (Urbano & Marrero 2017, "The treatment of ties in AP
    correlation"). Urbano and Marrero require a reference without ties. Here, a pair tied in the
    reference also counts as half correct, which is the expectation over its ties.

    Examples
    --------
    >>> float(tau_ap_a([4, 3, 2, 1], [2, 2, 1, 0]))
    0.6666666666666667
    """
    pair = rankings(reference, estimate)
    return _expected_tau(pair).reshape(pair.shape)


@CORRELATIONS.add(
    "tau-ap-b",
    formula="½ (τ_AP,b(x|y) + τ_AP,b(y|x))",
    source="Urbano & Marrero 2017",
    symmetric=True,
)
def tau_ap_b(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """AP correlation for agreement, symmetric and with ties in both rankings.

    Parameters
    ----------
    first, second : array_like, shape (..., n)
        Scores of the same n systems, higher is better. Neither list is the reference: the two
        directions are averaged.

    Returns
    -------
    float array, shape (...)
        τ_AP,b in [−1, 1]; 1 for equal rankings, with or without ties. nan (0/0) if one ranking ties
        all systems, and for fewer than two systems. Without ties, τ_AP,b is the mean of τ_AP in
        both directions.

    Notes
    -----
    One direction: the mean of 2·C(i)/A(i) − 1 over the systems i with A(i) > 0, where A(i) counts
    the systems strictly above i in one ranking and C(i) counts the systems strictly above i in both
    rankings (Urbano & Marrero 2017, "The treatment of ties in AP correlation").

    Examples
    --------
    >>> float(tau_ap_b([4, 3, 3, 1], [4, 3, 3, 1]))
    1.0
    """
    pair = rankings(first, second)
    both = (_agreement(pair) + _agreement(pair.reversed_roles())) / 2
    return np.asarray(both).reshape(pair.shape)


def _expected_tau(pair: Rankings) -> FloatArray:
    """Return the expected τ_AP of each row if the ties of both rankings are broken at random."""
    rows, n = pair.first.shape
    if n < 2:
        return np.full(rows, np.nan)
    above, tied, right = (np.zeros((rows, n)) for _ in range(3))
    for block, reference, estimate in pair.signs():
        higher = estimate < 0
        above[:, block] = higher.sum(axis=-1)
        tied[:, block] = (estimate == 0).sum(axis=-1)
        # A pair tied in the reference is right half the time: (1 − sign)/2 is 1, ½ or 0.
        right[:, block] = ((1 - reference) * higher).sum(axis=-1) / 2
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, n + 1))])
    ranks = above.astype(np.int64)
    last = ranks + tied.astype(np.int64) - 1
    # Over the ranks of the group but the first of all: Σ 1/(rank−1), and how many they are.
    inverse = harmonic[last] - harmonic[np.maximum(ranks - 1, 0)]
    counted = tied - (above == 0)
    inside = (counted - above * inverse) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = np.where(above > 0, right / above, 0.0)
    contribution = np.where(tied == 1, alone, (right * inverse + inside) / tied)
    return np.asarray(2 * contribution.sum(axis=-1) / (n - 1) - 1)


def _agreement(pair: Rankings) -> FloatArray:
    """Return one direction of τ_AP,b, weighted by the ranks of the second ranking [row]."""
    rows, n = pair.first.shape
    above, right = np.zeros((rows, n)), np.zeros((rows, n))
    for block, other, weighing in pair.signs():
        higher = weighing < 0
        above[:, block] = higher.sum(axis=-1)
        right[:, block] = (higher & (other < 0)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(above > 0, right / above, 0.0)
        return np.asarray(2 * share.sum(axis=-1) / np.count_nonzero(above, axis=-1) - 1)
