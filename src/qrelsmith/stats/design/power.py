"""Power of the tests that compare systems, by the number of topics.

All tests in this module use F with a noncentrality λ. The square of t with ν degrees of freedom is
F with 1 and ν degrees of freedom. A two-sided t-test, including its far tail, is therefore the case
of one degree of freedom in the numerator.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.registry import Registry
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.inputs import between_0_and_1

PowerFunction = Callable[..., FloatArray]


def _of_designs() -> None:
    """Document the parameters of every power function.

    Parameters
    ----------
    topics : array_like, shape (...)
        n, the number of topics, 2 or more.
    difference : float
        D, the difference between the means.
    alpha : float
        Significance level.

    Raises
    ------
    UsageError
        If an argument is out of range.
    ShapeError
        If a number of topics is not a whole number of 2 or more.
    """


# `pairs`: whether the design compares two systems whatever is asked.
POWERS: Registry[PowerFunction] = Registry(
    "test",
    arguments=("topics",),
    context=("difference", "variance", "alpha", "systems"),
    facts={"pairs": False},
    contract=_of_designs,
)


@POWERS.add(
    "anova",
    formula="λ = n·D²/(2σ²), F with m−1 and m(n−1) degrees of freedom",
    source="Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 6",
)
def anova_power(
    topics: ArrayLike, *, difference: float, variance: float, alpha: float = 0.05, systems: int = 2
) -> FloatArray:
    """Return the power of one-way analysis of variance to find that m systems differ.

    Parameters
    ----------
    topics : array_like, shape (...)
        n, the number of topics of each system (each group), 2 or more.
    difference : float
        D, the difference between the best and the worst system's mean. All other means are half-way
        between them, which is the worst case.
    variance : float
        σ², the variance of a score inside a group. V_E2, the residual variance of the two-way
        analysis, is entered here if the systems share their topics.
    systems : int
        m, 2 or more.

    Returns
    -------
    float array, shape (...)
        P(F > F_{1−α}); 1 if the variance is 0.

    Notes
    -----
    The noncentrality is n·Σ a_i²/σ² with effects a = (D/2, −D/2, 0, …).

    Examples
    --------
    >>> anova_power([45, 46, 50], difference=0.1, variance=0.0284).round(3)
    array([0.795, 0.804, 0.836])
    """
    n = _check_topics(topics, difference, variance, alpha)
    if systems < 2 or int(systems) != systems:
        raise UsageError(f"systems={systems}; expected a whole number, 2 or more")
    return _f_power(n, difference, variance, alpha, systems - 1, systems * (n - 1))


@POWERS.add(
    "paired-t",
    formula="λ = n·D²/σ_d², σ_d² = 2σ², n−1 degrees of freedom",
    source="Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 6",
    pairs=True,
)
def paired_t_power(
    topics: ArrayLike, *, difference: float, variance: float, alpha: float = 0.05
) -> FloatArray:
    """Return the power of the two-sided paired t-test of two systems on the same topics.

    Parameters
    ----------
    variance : float
        σ², half of the variance of the differences: with two systems V_E2 is just that.

    Returns
    -------
    float array, shape (...)
        P(|t| > t_{1−α/2}) for t noncentral with D·√n/σ_d; 1 if the variance is 0.
    """
    n = _check_topics(topics, difference, variance, alpha)
    return _f_power(n, difference, variance, alpha, 1, n - 1)


@POWERS.add(
    "two-sample-t",
    formula="λ = n·D²/(2σ²), 2(n−1) degrees of freedom",
    source="Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 6",
    pairs=True,
)
def two_sample_t_power(
    topics: ArrayLike, *, difference: float, variance: float, alpha: float = 0.05
) -> FloatArray:
    """Return the power of the two-sided t-test of two systems on different topics.

    Parameters
    ----------
    topics : array_like, shape (...)
        n, the number of topics of each system, 2 or more.
    variance : float
        σ², the variance of a system's scores.

    Returns
    -------
    float array, shape (...)
        P(|t| > t_{1−α/2}) for t noncentral with D·√(n/2)/σ; the same as `anova_power` for two
        systems. 1 if the variance is 0.
    """
    n = _check_topics(topics, difference, variance, alpha)
    return _f_power(n, difference, variance, alpha, 1, 2 * (n - 1))


def topic_counts(topics: ArrayLike) -> FloatArray:
    """Check that each number of topics is a whole number, 2 or more."""
    n = float_array(topics, name="topics")
    if not np.all((n >= 2) & (n == np.floor(n)) & np.isfinite(n)):
        raise ShapeError(f"topics must be whole numbers, 2 or more; found {n}")
    return n


def check_variance(variance: float) -> None:
    """Raise `UsageError` unless the variance is finite and not below 0."""
    if not 0 <= variance < math.inf:
        raise UsageError(f"variance={variance}; expected a finite number, 0 or more")


def _check_topics(
    topics: ArrayLike, difference: float, variance: float, alpha: float
) -> FloatArray:
    check_variance(variance)
    between_0_and_1(alpha, name="alpha")
    if not 0 < difference < math.inf:
        raise UsageError(f"difference={difference}; expected a finite number above 0")
    return topic_counts(topics)


def _f_power(
    n: FloatArray, difference: float, variance: float, alpha: float, above: int, below: FloatArray
) -> FloatArray:
    """Return P(F > F_{1−α}) with `above` and `below` degrees of freedom and λ = n·D²/(2σ²)."""
    if variance == 0:
        return np.ones_like(n)
    noncentrality = n * difference**2 / (2 * variance)
    critical = special.fdtri(above, below, 1 - alpha)
    # Where the probability of missing it is too small for a float, scipy gives 0 or nan.
    missed = np.nan_to_num(special.ncfdtr(above, below, noncentrality, critical), nan=0.0)
    return np.asarray(1 - missed)
