"""Decisions on differences between systems, with a limited share of wrong signs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.estimation.boundaries import quantiles
from qrelsmith.estimation.estimator import ScoreEstimates

# Highest expected share of wrong decisions. The promised share is .005: if the models' labels say
# nothing, a quarter more decisions are wrong than expected.
WRONG = 0.004
FEWEST_LABELS = 50  # with fewer, all pairs stay open; error rates were measured from here on
_MEDIAN = 0.4549364231195724  # median of χ² with one degree of freedom


class Comparison(NamedTuple):
    """The difference between the two systems of each pair.

    Attributes
    ----------
    difference, reach : float array [pair]
        The estimates, and the half-widths of their intervals.
    decided : bool array [pair]
        Whether it is decided which system is better.
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
    """Return the difference of each pair of systems, with an interval and a decision.

    With fewer than 50 labels, a pair stays undecided unless all its docs are judged.

    Parameters
    ----------
    estimates : ScoreEstimates
        Estimates of all systems.
    first, second : int array [pair]
        The systems of each pair.
    labels, looks, anytime, until
        As in `quantiles`.
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
    """Return the note that there are too few labels to decide any pair."""
    return (
        f"no pair of systems is decided with {labels:,} labels; at least {FEWEST_LABELS} are needed"
    )


def decide_pairs(
    difference: FloatArray, deviation: FloatArray, free: FloatArray, reach: FloatArray
) -> BoolArray:
    """Return a mask of decided pairs, with a limited expected share of wrong signs [pair].

    If many systems are close, exact 95% intervals decide one pair in a hundred wrongly, which is
    too many for a table. The true differences, in units of their standard errors, are modelled as
    normally distributed. The estimated differences z, in the same units, then have the distribution
    N(0, 1 + τ²), where 1 + τ² follows from the median of z². The sign of z is wrong with
    probability F(−|z| τ/√(1 + τ²)), where F is the distribution function of Student's t (the false
    sign rate: Gelman and Tuerlinckx 2000, Stephens 2017). Pairs are decided in order of certainty,
    as long as the mean of their error probabilities is at most .004. A single pair is decided by
    its interval.

    Parameters
    ----------
    difference, deviation, free, reach : float array [pair]
        The estimates, their standard errors, their degrees of freedom, and the half-widths of the
        intervals.
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
