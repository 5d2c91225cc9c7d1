"""Which differences of systems count as decided, so that few of them point the wrong way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.estimation.boundaries import quantiles
from qrelsmith.estimation.estimator import ScoreEstimates

# Of the decided pairs, as expected. Promised is .005: where the models' labels say nothing, a
# quarter more is wrong than expected.
WRONG = 0.004
FEWEST_LABELS = 50  # below them pairs stay open: error rates were measured from them on
_MEDIAN = 0.4549364231195724  # of χ² with one degree of freedom


class Comparison(NamedTuple):
    """Differences of pairs of systems.

    Attributes
    ----------
    difference, reach : float array [pair]
        The estimates, and how far their intervals reach to either side.
    decided : bool array [pair]
        Whether it is known which is better.
    """

    difference: FloatArray
    reach: FloatArray
    decided: BoolArray


def compare_systems(
    estimates: ScoreEstimates,
    first: IntArray,
    second: IntArray,
    *,
    labels: int,
    looks: int | None = None,
    anytime: bool = False,
    until: int | None = None,
) -> Comparison:
    """Compare systems: differences, intervals, and which pairs are decided.

    Below 50 labels pairs stay open, unless their docs are all judged.

    Parameters
    ----------
    estimates : ScoreEstimates
        Of all systems.
    first, second : int array [pair]
        The systems of each pair.
    labels, looks, anytime, until
        As of `quantiles`.
    """
    difference = estimates.score[first] - estimates.score[second]
    deviation, free = estimates.difference_errors(first, second)
    factor = quantiles(free, labels=labels, looks=looks, anytime=anytime, until=until)
    reach = np.asarray(factor * deviation)
    decided = decide_pairs(difference, deviation, free, reach)
    if labels < FEWEST_LABELS:
        decided &= deviation == 0
    return Comparison(difference, reach, decided)


def few_labels(labels: int) -> str:
    """Return the note that so few labels decide no pair."""
    return f"pairs of systems stay open below {FEWEST_LABELS} labels; the number here is {labels:,}"


def decide_pairs(
    difference: FloatArray, deviation: FloatArray, free: FloatArray, reach: FloatArray
) -> BoolArray:
    """Return the pairs whose intervals exclude 0, with a small expected share of wrong ones.

    Where many systems are near each other, intervals that hold exactly at 95 % decide one pair in
    a hundred wrongly: a table promises more. In units of their standard errors the true differences
    are taken as normal, which leaves z ~ N(0, 1 + τ²) of the estimated ones, 1 + τ² by the median
    of z²; then the sign of z is wrong with the chance F(−|z| τ/√(1 + τ²)), F of Student's t (the
    false sign rate: Gelman and Tuerlinckx 2000, Stephens 2017). Decided are the surest pairs, as
    long as the mean of their chances is .004 at most. A single pair has nothing to be picked from:
    its interval decides.

    Parameters
    ----------
    difference, deviation, free, reach : float array [pair]
        The estimates, their standard errors, the degrees of freedom of these, and how far the
        intervals reach to either side.
    """
    outside = np.abs(difference) > reach
    unsure = deviation > 0
    if difference.size < 2 or not unsure.any():
        return outside
    z = np.divide(np.abs(difference), deviation, out=np.zeros(deviation.shape), where=unsure)
    spread = max(float(np.median(z[unsure] ** 2)) / _MEDIAN, 1.0)
    chance = np.where(unsure, special.stdtr(free, -z * np.sqrt(1.0 - 1.0 / spread)), 0.0)
    surest = np.flatnonzero(outside)[np.argsort(chance[outside], kind="stable")]
    mean = np.cumsum(chance[surest]) / np.arange(1, surest.size + 1)
    decided = np.zeros(difference.shape, dtype=bool)
    decided[surest[mean <= WRONG]] = True
    return decided
