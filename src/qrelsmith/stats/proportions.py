"""An interval for one proportion, and a test of whether two proportions are equal."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.inputs import between_0_and_1


@dataclass(frozen=True, slots=True)
class ProportionTest:
    """A comparison of two proportions.

    Attributes
    ----------
    difference : float
        first − second.
    low, high : float
        Ends of the interval for the difference.
    level : float
        The interval's level.
    chi2 : float
        The test statistic, with one degree of freedom; nan if both proportions are 0 or both are 1.
    p : float
        Two-sided p-value; nan where chi2 is.
    corrected : bool
        Whether the continuity correction was applied.
    """

    first: float
    second: float
    difference: float
    low: float
    high: float
    level: float
    chi2: float
    p: float
    corrected: bool


def equal_proportions(
    hits: int,
    total: int,
    other_hits: int,
    other_total: int,
    *,
    correct: bool = True,
    level: float = 0.95,
) -> ProportionTest:
    """Test whether two proportions of independent trials are equal.

    Parameters
    ----------
    hits, total : int
        Successes and trials of the first group.
    other_hits, other_total : int
        Successes and trials of the second group.
    correct : bool
        Apply Yates' continuity correction, never by more than the observed difference.
    level : float
        Level of the interval for the difference.

    Returns
    -------
    ProportionTest
        chi2 and p are nan (0/0) if both groups have no success, or both have only successes.

    Raises
    ------
    UsageError
        If a count is not a whole number, if a group has no trials or more successes than trials, or
        the level is not between 0 and 1.

    Notes
    -----
    With difference δ = p_1 − p_2, pooled proportion p, h = 1/n_1 + 1/n_2 and correction
    c = min(½, |δ|/h): χ² = (|δ| − c·h)² / (p(1−p)·h), one degree of freedom. The interval is
    δ ± (z·√(p_1(1−p_1)/n_1 + p_2(1−p_2)/n_2) + c·h), kept in [−1, 1] (Newcombe 1998, method 2).
    R's `prop.test` computes the same values. ordering-gold-bronze, Section 5, uses it for Table 8.

    Examples
    --------
    >>> test = equal_proportions(383, 1592, 613, 1587)
    >>> test.p < 2.2e-16
    True
    """
    between_0_and_1(level, name="level")
    for name, success, trials in (("first", hits, total), ("second", other_hits, other_total)):
        whole = int(success) == success and int(trials) == trials
        if not whole or trials < 1 or not 0 <= success <= trials:
            raise UsageError(
                f"the {name} group must have 0 to n successes in n ≥ 1 trials; found "
                f"{success} in {trials}"
            )
    first, second = hits / total, other_hits / other_total
    difference = first - second
    inverse = 1 / total + 1 / other_total
    correction = min(0.5, abs(difference) / inverse) if correct else 0.0
    pooled = (hits + other_hits) / (total + other_total)
    chi2 = float("nan")
    if 0 < pooled < 1:
        chi2 = (abs(difference) - correction * inverse) ** 2 / (pooled * (1 - pooled) * inverse)
    error = np.sqrt(first * (1 - first) / total + second * (1 - second) / other_total)
    half = float(special.ndtri((1 + level) / 2) * error) + correction * inverse
    return ProportionTest(
        first=first,
        second=second,
        difference=difference,
        low=max(-1.0, difference - half),
        high=min(1.0, difference + half),
        level=level,
        chi2=chi2,
        p=float(special.erfc(np.sqrt(chi2 / 2))),
        corrected=correct,
    )


@dataclass(frozen=True, slots=True)
class PairedProportions:
    """A comparison of two proportions of the same items.

    Attributes
    ----------
    difference : float
        First minus second proportion.
    low, high : float
        Ends of the 95% interval for the difference.
    p : float
        Two-sided p-value of the exact McNemar test; 1 if no item differs.
    """

    difference: float
    low: float
    high: float
    p: float


def paired_proportions(only_first: int, only_second: int, total: int) -> PairedProportions:
    """Compare two proportions of the same items, such as two label sets on the same docs.

    Parameters
    ----------
    only_first, only_second : int
        Number of items with the property only in the first, and only in the second proportion.
    total : int
        The number of items.

    Raises
    ------
    UsageError
        If the counts are below 0 or do not fit into the total.

    Notes
    -----
    The p-value comes from the binomial test of the items that differ (McNemar 1947, exact). The
    interval is Wald's interval with half an item added to each of the four cells (Agresti and Min
    2005).

    Examples
    --------
    >>> paired_proportions(0, 18, 3015).p < 1e-5
    True
    """
    if min(only_first, only_second) < 0 or total < max(only_first + only_second, 1):
        raise UsageError(
            f"the counts are {only_first} and {only_second} of {total}; expected a sum of at most"
            f" {total}"
        )
    differing = only_first + only_second
    p = min(1.0, 2 * float(special.bdtr(min(only_first, only_second), differing, 0.5)))
    first, second, size = only_first + 0.5, only_second + 0.5, total + 2.0
    centre = (first - second) / size
    half = 1.959964 * math.sqrt(first + second - (first - second) ** 2 / size) / size
    return PairedProportions(
        difference=(only_first - only_second) / total,
        low=max(centre - half, -1.0),
        high=min(centre + half, 1.0),
        p=p if differing else 1.0,
    )


def wilson_interval(hits: int, total: int, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for one proportion.

    Parameters
    ----------
    level : float
        Level of the interval, such as 0.95.

    Returns
    -------
    low, high : float
        Inside [0, 1]; nan where total is 0.

    Raises
    ------
    UsageError
        If hits is not from 0 to total, or the level not between 0 and 1.

    Notes
    -----
    (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n) (Wilson 1927).

    Examples
    --------
    >>> [round(end, 4) for end in wilson_interval(8, 10)]
    [0.4902, 0.9433]
    """
    between_0_and_1(level, name="level")
    if not 0 <= hits <= total:
        raise UsageError(f"found {hits} hits of {total}; expected 0 to {total} hits")
    if total == 0:
        return float("nan"), float("nan")
    share, z = hits / total, float(special.ndtri((1 + level) / 2))
    centre = share + z**2 / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2))
    low, high = ((centre + sign * half) / (1 + z**2 / total) for sign in (-1, 1))
    return max(low, 0.0), min(high, 1.0)
