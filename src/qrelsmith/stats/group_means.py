"""Comparison of groups of assessors; the unit is the assessor, not the topic or the judgment.

An assessor's values on different topics are correlated. A test that treats topics as independent
therefore finds group differences whenever assessors differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.effects import independent_samples, standardise
from qrelsmith.stats.groups import GroupResult, independent_groups
from qrelsmith.stats.pairwise import ratio
from qrelsmith.stats.studentized_range import studentized_range_sf

TEST = "over-assessors"


def compare_assessors(samples: Sequence[ArrayLike], assessors: Sequence[ArrayLike]) -> GroupResult:
    """Compare the means of groups; the unit is the assessor.

    Parameters
    ----------
    samples : sequence of array_like, each of shape (n_i,)
        The values of each group, such as seconds by topic, without nan.
    assessors : sequence of array_like, each of shape (n_i,)
        The assessor of each value: numbers or text. One may be in several groups.

    Returns
    -------
    GroupResult
        `means` are means over the assessors' means, and `sizes` are numbers of assessors. p is
        two-sided; for three groups or more, p accounts for all pairs. The effect size is Cohen's d
        of the assessors' means. p is nan if a group has a single assessor.

    Raises
    ------
    ShapeError
        If the numbers of assessors and values differ, or a sample is empty or has nan.

    Notes
    -----
    An assessor i adds u_i to the difference of two means: x̄_i1/n_1 from the first group alone,
    −x̄_i2/n_2 from the second alone, x̄_i1/n_1 − x̄_i2/n_2 from both. The variance is Σ_s
    n_s·var(u) over these three kinds s, with Satterthwaite's degrees of freedom: Welch's t if no
    assessor is in both groups, and the paired t if all assessors are in both. If a kind has a
    single assessor, the variance of the groups is used. With k > 2 groups, p = P(Q_k > √2·|t|) of
    the studentised range (Games & Howell 1976, "Pairwise multiple comparison procedures with
    unequal N's and/or variances").
    """
    means = _means_of_assessors(samples, assessors)
    sizes = np.array([len(group) for group in means])
    base = independent_groups([np.mean(list(group.values())) for group in means], sizes)
    pairs = list(zip(base.first.tolist(), base.second.tolist(), strict=True))
    variances, freedom = (
        np.array([found[place] for found in (_variance(means[a], means[b]) for a, b in pairs)])
        for place in (0, 1)
    )
    t = np.where(np.isnan(variances), np.nan, ratio(base.difference, np.sqrt(variances)))
    squares = np.array([_squares(group) for group in means])
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (squares[base.first] + squares[base.second]) / (
            sizes[base.first] + sizes[base.second] - 2
        )
    return GroupResult(
        test=TEST,
        means=base.means,
        sizes=base.sizes,
        first=base.first,
        second=base.second,
        difference=base.difference,
        p=_p_values(t, freedom, groups=len(means)),
        effect_size=standardise(base.difference, pooled),
        effect="Cohen's d",
        freedom=freedom,
    )


def _means_of_assessors(
    samples: Sequence[ArrayLike], assessors: Sequence[ArrayLike]
) -> list[dict[object, float]]:
    """Return the mean of each assessor's values in each group."""
    groups = independent_samples(samples)
    names = [np.asarray(members) for members in assessors]
    sizes = [len(group) for group in groups], [len(members) for members in names]
    if sizes[0] != sizes[1]:
        raise ShapeError(
            f"the groups have {sizes[0]} values but {sizes[1]} assessors; expected one "
            "assessor per value"
        )
    means = []
    for group, members in zip(groups, names, strict=True):
        found, place = np.unique(members, return_inverse=True)
        totals = np.bincount(place, weights=group) / np.bincount(place)
        means.append(dict(zip(found.tolist(), totals.tolist(), strict=True)))
    return means


def _variance(first: dict[object, float], second: dict[object, float]) -> tuple[float, float]:
    """Return the variance of the difference of two groups' means, and its degrees of freedom."""
    n, m = len(first), len(second)
    if n < 2 or m < 2:
        return math.nan, math.nan
    both = first.keys() & second.keys()
    kinds = (
        [mean / n for name, mean in first.items() if name not in both],
        [mean / m for name, mean in second.items() if name not in both],
        [first[name] / n - second[name] / m for name in both],
    )
    one, other = _squares(first) / (n - 1) / n**2, _squares(second) / (m - 1) / m**2
    # What an assessor alone of a kind has: the variance of their groups, and its freedom.
    alone = (one, n - 1), (other, m - 1), (one + other, min(n, m) - 1)
    total = parts = 0.0
    for values, (variance, freedom) in zip(kinds, alone, strict=True):
        if not values:
            continue
        if len(values) > 1:
            added, own = len(values) * float(np.var(values, ddof=1)), len(values) - 1
        else:
            added, own = variance, freedom
        total += added
        parts += added**2 / own
    # Without any spread the freedom is 0/0, and p is 1 or 0 whatever it is.
    return total, total**2 / parts if parts > 0 else float(n + m - 2)


def _squares(group: dict[object, float]) -> float:
    """Return Σ(x̄_i − x̄)² over the assessors of a group."""
    values = np.array(list(group.values()))
    return float(((values - values.mean()) ** 2).sum())


def _p_values(t: FloatArray, freedom: FloatArray, *, groups: int) -> FloatArray:
    if groups <= 2:
        return np.asarray(2 * special.stdtr(freedom, -t))
    return np.array(
        [
            float(studentized_range_sf(math.sqrt(2) * value, groups, nu)) if nu > 0 else math.nan
            for value, nu in zip(t.tolist(), freedom.tolist(), strict=True)
        ]
    )
