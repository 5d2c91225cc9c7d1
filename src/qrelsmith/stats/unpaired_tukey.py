"""Tukey's HSD test of independent groups (one-way)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.stats.effects import independent_samples, residual_variance_one_way, standardise
from qrelsmith.stats.groups import GroupResult, independent_groups
from qrelsmith.stats.pairwise import ratio
from qrelsmith.stats.registries import INDEPENDENT_TESTS
from qrelsmith.stats.studentized_range import studentized_range_sf


@INDEPENDENT_TESTS.add(
    "unpaired-tukey",
    formula="q = |d| / √(V_E1/2·(1/n_i + 1/n_j)), N−m degrees of freedom",
    source="Tukey 1949, Kramer 1956; Sakai 2018, Ch. 4",
    familywise=True,
)
def unpaired_tukey(samples: Sequence[ArrayLike]) -> GroupResult:
    """Tukey's HSD test of independent groups, of equal or unequal sizes (Tukey–Kramer).

    Returns
    -------
    GroupResult
        As in `unpaired_tukey_summary` with the samples' means, sizes and V_E1.
    """
    groups = independent_samples(samples)
    return unpaired_tukey_summary(
        [group.mean() for group in groups],
        [len(group) for group in groups],
        residual_variance_one_way(groups),
    )


def unpaired_tukey_summary(
    means: ArrayLike, sizes: ArrayLike, residual_variance: float
) -> GroupResult:
    """Tukey's HSD test of independent groups, from means, sizes and residual variance.

    Parameters
    ----------
    means, sizes : array_like, shape (m,)
        Mean and number of values of each group.
    residual_variance : float
        V_E1 of the one-way analysis of variance.

    Returns
    -------
    GroupResult
        p accounts for all pairs; the effect size is ES_E1. nan if there are no degrees of freedom
        (N = m).

    Raises
    ------
    ShapeError
        If means and sizes do not fit together, or a size is not a whole number of 1 or more.

    Notes
    -----
    p_ij = P(Q > |d_ij|/√(V_E1/2·(1/n_i + 1/n_j))), Q the studentised range of m means with N−m
    degrees of freedom (Kramer 1956; Sakai 2018, Laboratory Experiments in Information Retrieval,
    Ch. 4).

    Examples
    --------
    >>> result = unpaired_tukey_summary([25.7, 20.8, 40.7], [25, 50, 50], 139)  # Table 4, ATBJ
    >>> [round(float(size), 2) for size in result.effect_size]
    [0.42, -1.27, -1.69]
    """
    base = independent_groups(means, sizes)
    freedom = float(base.sizes.sum() - len(base.sizes))
    error = np.sqrt(residual_variance / 2 * base.inverse_sizes())
    p = np.full(len(base.first), np.nan)
    if freedom > 0 and len(base.means) > 1:
        p = studentized_range_sf(ratio(base.difference, error), len(base.means), freedom)
    return GroupResult(
        test="unpaired-tukey",
        means=base.means,
        sizes=base.sizes,
        first=base.first,
        second=base.second,
        difference=base.difference,
        p=p,
        effect_size=standardise(base.difference, residual_variance),
        effect="ES_E1",
        freedom=np.full(len(p), freedom),
    )
