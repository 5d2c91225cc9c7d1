"""The smallest sufficient number of topics, and the smallest detectable difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.registry_entries import Named
from qrelsmith.stats.design.power import POWERS, PowerFunction
from qrelsmith.stats.design.width import WIDTHS
from qrelsmith.stats.inputs import between_0_and_1

_MOST_TOPICS = 10_000_000
_STEPS = 200


def topics_for_power(
    test: str,
    *,
    difference: float,
    variance: float,
    alpha: float = 0.05,
    power: float = 0.8,
    systems: int = 2,
) -> int:
    """Return the smallest number of topics (per group) with which a test has enough power.

    Parameters
    ----------
    test : str
        A name in `POWERS`.
    difference : float
        D, the difference to detect.
    variance : float
        σ², as the test takes it.
    alpha : float
        Significance level.
    power : float
        1 − β, the required power.
    systems : int
        m, for the analysis of variance.

    Returns
    -------
    int
        n, 2 or more.

    Raises
    ------
    UsageError
        If an argument is out of range, or even ten million topics are not enough.

    References
    ----------
    Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 6; ordering-gold-bronze, 3.2.

    Examples
    --------
    >>> topics_for_power("anova", difference=0.1, variance=0.0284)
    46
    """
    between_0_and_1(power, name="power")
    named = POWERS.get(test)
    given = {"difference": difference, "variance": variance, "alpha": alpha, "systems": systems}
    return _smallest(lambda topics: _power(named, topics, given) >= power)


def detectable_difference(
    test: str,
    topics: int,
    *,
    variance: float,
    alpha: float = 0.05,
    power: float = 0.8,
    systems: int = 2,
) -> float:
    """Return the smallest difference that a test detects with enough power.

    Parameters
    ----------
    test : str
        A name in `POWERS`.
    topics : int
        n, the number of topics (a group), 2 or more.
    variance, alpha, power, systems
        As for `topics_for_power`.

    Returns
    -------
    float
        D, to machine precision; 0 if the variance is 0.

    Raises
    ------
    UsageError
        If an argument is out of range.
    """
    between_0_and_1(power, name="power")
    named = POWERS.get(test)
    if variance == 0 or power <= alpha:
        return 0.0
    given = {"variance": variance, "alpha": alpha, "systems": systems}

    def enough(difference: float) -> bool:
        return _power(named, topics, given | {"difference": difference}) >= power

    high = float(np.sqrt(variance))
    while not enough(high):
        high *= 2
    low = 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def topics_for_width(interval: str, *, width: float, variance: float, level: float = 0.95) -> int:
    """Return the smallest number of topics (per group) whose mean interval is narrow enough.

    Parameters
    ----------
    interval : str
        A name in `WIDTHS`.
    width : float
        The allowed expected width, from end to end.
    variance : float
        σ², as the interval takes it.
    level : float
        Level of the interval.

    Returns
    -------
    int
        n, 2 or more.

    Raises
    ------
    UsageError
        If an argument is out of range, or even ten million topics are not enough.
    """
    if not width > 0:
        raise UsageError(f"width={width}; expected a number above 0")
    named = WIDTHS.get(interval)
    return _smallest(lambda topics: float(named(topics, variance=variance, level=level)) <= width)


def _power(named: Named[PowerFunction], topics: int, given: dict[str, Any]) -> float:
    return float(named(topics, **given))


def _smallest(enough: Callable[[int], bool]) -> int:
    """Return the smallest number from 2 upward that satisfies a monotone condition."""
    high = 2
    while not enough(high):
        if high > _MOST_TOPICS:
            raise UsageError(
                f"{_MOST_TOPICS:,} topics are not enough; expected a larger difference, a wider"
                " interval or a lower power"
            )
        high *= 2
    low = high // 2  # not enough, or 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
