"""The number of preference tests that a pair of grades needs (pdp 3.4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scipy_parts import special

_MOST_TESTS = 1e7
_EDGE = 1e-9


@dataclass(frozen=True, slots=True)
class NeededTests:
    """The number of tests needed to estimate one preference probability.

    Attributes
    ----------
    tests : int
        The normal approximation, rounded up.
    normal : float
        The normal approximation (Eq. 12, corrected).
    coverage : float
        The exact probability that the estimate from `tests` tests is within δ of p.
    exact : int
        The number of tests from which on the coverage never falls below the required probability.
        The coverage is not monotonic in the number of tests, because shares of wins are fractions.
    """

    tests: int
    normal: float
    coverage: float
    exact: int


def needed_tests(p: float = 0.5, *, delta: float = 0.05, probability: float = 0.95) -> NeededTests:
    """Return the number of tests needed to estimate p(g > g') within δ with a given probability.

    n = p(1 − p)/δ² · (Φ⁻¹[(P + 1)/2])². The paper's Eq. 12 lacks the square: for p = 0.5, δ = 0.05,
    P = 0.95, Eq. 12 gives 196 instead of 384.1.

    Parameters
    ----------
    p : float
        The true preference probability, between 0 and 1; 0.5 is the worst case.
    delta : float
        The estimate should be in (p − δ, p + δ); between 0 and 1.
    probability : float
        The required probability of such an estimate, between 0 and 1.

    Raises
    ------
    UsageError
        If an argument is out of range, or more than ten million tests would be needed.

    References
    ----------
    pdp, Eq. 12, corrected.

    Examples
    --------
    >>> plan = needed_tests(0.5, delta=0.05, probability=0.95)
    >>> plan.tests, round(plan.normal, 1), round(plan.coverage, 4), plan.exact
    (385, 384.1, 0.9474, 401)
    """
    for name, value in (("p", p), ("delta", delta), ("probability", probability)):
        if not 0 < value < 1:
            raise UsageError(f"{name} is {value}; expected a number between 0 and 1")
    # Divided twice by δ, because the square of a tiny δ is 0.
    normal = p * (1 - p) / delta * float(special.ndtri((probability + 1) / 2)) ** 2 / delta
    if normal > _MOST_TESTS:
        raise UsageError(f"this delta needs {normal:.3g} tests per pair; expected a larger delta")
    tests = max(1, int(np.ceil(normal)))
    # The exact number is within a few 1/δ of the normal approximation: wins are whole tests.
    around = int(10 / delta)
    nearby = np.arange(max(1, tests - around), tests + around)
    short = np.flatnonzero(exact_coverage(nearby, p, delta=delta) < probability)
    return NeededTests(
        tests=tests,
        normal=normal,
        coverage=float(exact_coverage(np.array([tests]), p, delta=delta)[0]),
        exact=int(nearby[short[-1]] + 1) if short.size else int(nearby[0]),
    )


def exact_coverage(tests: IntArray, p: float, *, delta: float) -> FloatArray:
    """Return the probability that the share of wins in n independent tests is in (p − δ, p + δ).

    Parameters
    ----------
    tests : int array [...]
        n, 1 or more.
    p : float
        The true probability of a win.
    delta : float
        δ; a share exactly δ away from p is outside.
    """
    # Rounding could put a count at the limit inside; the tolerance keeps the count outside.
    below = np.floor(tests * (p - delta) + _EDGE)
    most = np.ceil(tests * (p + delta) - _EDGE) - 1
    return np.asarray(_at_most(most, tests, p) - _at_most(below, tests, p))


def _at_most(wins: FloatArray, tests: IntArray, p: float) -> FloatArray:
    """Return the probability of at most the given number of wins."""
    inside = np.clip(wins, 0, tests - 1)
    chance = special.betainc(tests - inside, inside + 1, 1 - p)
    return np.where(wins < 0, 0.0, np.where(wins >= tests, 1.0, chance))
