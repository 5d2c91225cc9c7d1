"""Expected width of the interval for a difference between two systems, by the number of topics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.registry import Registry
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.design.power import check_variance, topic_counts
from qrelsmith.stats.inputs import between_0_and_1

WidthFunction = Callable[..., FloatArray]


def _of_intervals() -> None:
    """Document the parameters of every width function.

    Parameters
    ----------
    topics : array_like, shape (...)
        n, the number of topics, 2 or more.
    level : float
        Level of the interval, such as 0.95.

    Raises
    ------
    UsageError
        If variance or level is out of range.
    ShapeError
        If a number of topics is not a whole number of 2 or more.
    """


WIDTHS: Registry[WidthFunction] = Registry(
    "interval", arguments=("topics",), context=("variance", "level"), contract=_of_intervals
)


@WIDTHS.add(
    "paired-interval",
    formula="2·t_{n−1}·E[s_d]/√n, σ_d² = 2σ²",
    source="Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 6",
)
def paired_width(topics: ArrayLike, *, variance: float, level: float = 0.95) -> FloatArray:
    """Return the expected width of the t interval for two systems' difference on the same topics.

    Parameters
    ----------
    variance : float
        σ², half of the variance of the differences.

    Returns
    -------
    float array, shape (...)
        From end to end, in units of the score.

    Notes
    -----
    E[s] = σ·√(2/ν)·Γ((ν+1)/2)/Γ(ν/2) with ν degrees of freedom: the sample standard deviation is
    below σ on average.
    """
    n = _check_topics(topics, variance, level)
    return _width(n - 1, np.sqrt(2 * variance / n), level)


@WIDTHS.add(
    "two-sample-interval",
    formula="2·t_{2n−2}·E[s]·√(2/n)",
    source="Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 6",
)
def two_sample_width(topics: ArrayLike, *, variance: float, level: float = 0.95) -> FloatArray:
    """Return the expected width of the t interval for two systems' difference on different topics.

    Parameters
    ----------
    topics : array_like, shape (...)
        n, the number of topics of each system, 2 or more.
    variance : float
        σ², the variance of a system's scores.

    Returns
    -------
    float array, shape (...)
        From end to end, in units of the score.
    """
    n = _check_topics(topics, variance, level)
    return _width(2 * (n - 1), np.sqrt(2 * variance / n), level)


def _check_topics(topics: ArrayLike, variance: float, level: float) -> FloatArray:
    check_variance(variance)
    between_0_and_1(level, name="level")
    return topic_counts(topics)


def _width(freedom: FloatArray, error: FloatArray, level: float) -> FloatArray:
    """Return 2·t·E[estimated error], where the estimate has `freedom` degrees of freedom."""
    gammas = np.exp(special.gammaln((freedom + 1) / 2) - special.gammaln(freedom / 2))
    expected = error * np.sqrt(2 / freedom) * gammas
    return np.asarray(2 * special.stdtrit(freedom, (1 + level) / 2) * expected)
