"""t-tests of two independent samples: Student's and Welch's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array, same_shape
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.effects import independent_samples, standardise
from qrelsmith.stats.groups import GroupResult, Groups, independent_groups
from qrelsmith.stats.pairwise import ratio
from qrelsmith.stats.registries import INDEPENDENT_TESTS


@INDEPENDENT_TESTS.add(
    "two-sample-t",
    formula="t = d / (s·√(1/n_1 + 1/n_2)), n_1+n_2−2 degrees of freedom",
    source="Student 1908",
)
def two_sample_t(samples: Sequence[ArrayLike]) -> GroupResult:
    """Student's two-sample t-test of every pair of groups, assuming equal variances.

    Returns
    -------
    GroupResult
        As in `two_sample_t_summary`.
    """
    return two_sample_t_summary(*_moments(samples))


def two_sample_t_summary(means: ArrayLike, sizes: ArrayLike, deviations: ArrayLike) -> GroupResult:
    """Student's two-sample t-test of every pair, from means, sizes and standard deviations.

    Parameters
    ----------
    means, sizes, deviations : array_like, shape (m,)
        Mean, number of values and sample standard deviation (n−1) of each group; the deviation of
        a single value does not count.

    Returns
    -------
    GroupResult
        p is two-sided and not adjusted for the number of pairs; each pair pools its own two
        variances. The effect size is Cohen's d. nan for two groups of one value each.

    Raises
    ------
    ShapeError
        If the lists do not fit together, or a size is not a whole number of 1 or more.

    Notes
    -----
    t = (x̄_1 − x̄_2)/(s·√(1/n_1 + 1/n_2)), s² = ((n_1−1)s_1² + (n_2−1)s_2²)/(n_1+n_2−2).
    """
    base = independent_groups(means, sizes)
    squares = _squares(base, deviations)
    n = base.sizes.astype(np.float64)
    freedom = n[base.first] + n[base.second] - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (squares[base.first] + squares[base.second]) / freedom
    error = np.sqrt(pooled * base.inverse_sizes())
    return _t_result("two-sample-t", base, error, freedom, pooled)


@INDEPENDENT_TESTS.add(
    "welch-t",
    formula="t = d / √(s_1²/n_1 + s_2²/n_2), Welch–Satterthwaite degrees of freedom",
    source="Welch 1947",
)
def welch_t(samples: Sequence[ArrayLike]) -> GroupResult:
    """Welch's t-test of every pair of groups, whose variances may differ.

    Returns
    -------
    GroupResult
        p is two-sided and not adjusted for the number of pairs. The effect size is Cohen's d (by
        the pooled variance). p is nan if a group has a single value.

    Notes
    -----
    t = (x̄_1 − x̄_2)/√(e_1 + e_2) with e = s²/n, and
    (e_1 + e_2)²/(e_1²/(n_1−1) + e_2²/(n_2−1)) degrees of freedom (Welch 1947).
    """
    means, sizes, deviations = _moments(samples)
    base = independent_groups(means, sizes)
    squares = _squares(base, deviations)
    n = base.sizes.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = squares / (n - 1) / n
        own = each**2 / (n - 1)
        error = each[base.first] + each[base.second]
        freedom = error**2 / (own[base.first] + own[base.second])
        total = n[base.first] + n[base.second] - 2
        pooled = (squares[base.first] + squares[base.second]) / total
    # Without any spread the freedom is 0/0, and p is 1 or 0 whatever it is.
    freedom = np.where(error == 0, total, freedom)
    return _t_result("welch-t", base, np.sqrt(error), freedom, pooled)


def _moments(samples: Sequence[ArrayLike]) -> tuple[list[float], list[int], list[float]]:
    """Return means, sizes and sample standard deviations (nan for a single value)."""
    groups = independent_samples(samples)
    return (
        [float(group.mean()) for group in groups],
        [len(group) for group in groups],
        [float(group.std(ddof=1)) if len(group) > 1 else float("nan") for group in groups],
    )


def _squares(base: Groups, deviations: ArrayLike) -> FloatArray:
    """Return (n−1)·s² of each group; 0 for a single value."""
    deviation = float_array(deviations, name="deviations", ndim=1)
    same_shape(base.means, deviation, names=("means", "deviations"))
    return np.where(base.sizes > 1, (base.sizes - 1) * deviation**2, 0.0)


def _t_result(
    test: str, base: Groups, error: FloatArray, freedom: FloatArray, pooled: FloatArray
) -> GroupResult:
    t = np.where(np.isnan(error), np.nan, ratio(base.difference, error))
    return GroupResult(
        test=test,
        means=base.means,
        sizes=base.sizes,
        first=base.first,
        second=base.second,
        difference=base.difference,
        p=2 * special.stdtr(freedom, -t),
        effect_size=standardise(base.difference, pooled),
        effect="Cohen's d",
        freedom=freedom,
    )
