"""Intervals for coefficients of agreement: the bootstrap over units.

A unit (topic and doc) is drawn with all its labels. Drawing pairs of labels would treat the labels
of one doc as independent. The 95% intervals would then cover the true value in only 42% of samples
with 10 labels per doc, and in 18% with 20 labels (measured by `benchmarks/coverage_alpha.py`).

Units with the same labels are interchangeable, so a sample is a multinomial count of the distinct
patterns of labels. A coefficient is computed for all samples of a block at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.registry import COEFFICIENTS, Coefficient
from qrelsmith.agreement.result import AgreementResult, fill_for
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scipy_parts import special

INTERVALS = ("bca", "percentile")
_CELLS = 1 << 22  # weights held in memory at a time
_GROUPS = 1000  # maximum number of units that the jackknife leaves out individually

Values = Callable[[FloatArray], FloatArray]
"""weights[sample, unit] → [sample]"""


@dataclass(frozen=True, slots=True)
class Interval:
    """A bootstrap interval.

    Attributes
    ----------
    low, high : float
        The ends; nan if the coefficient is undefined on the data or in all samples.
    resamples : int
        Number of samples in which the coefficient is defined.
    """

    low: float
    high: float
    resamples: int


def bootstrap_interval(
    ratings: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    rng: np.random.Generator,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "bca",
) -> AgreementResult:
    """Return a coefficient with its interval from a bootstrap over units.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    coefficient : str
        A name of `COEFFICIENTS`.
    rng : numpy.random.Generator
        Draws the samples.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error.
    undefined : str
        Value for 0/0, in the data and in every sample: `nan`, `one` or `zero`. Samples without a
        value are not counted in `resamples`.
    resamples : int
        Number of samples.
    confidence : float
        Between 0 and 1.
    interval : str
        `bca` (bias-corrected and accelerated) or `percentile`. In 108 settings with 50 to 500 docs
        and 2 to 5 assessors, BCa intervals covered α in 93.0 to 97.2% of samples, and percentile
        intervals in 91.0 to 96.6%.

    Returns
    -------
    AgreementResult
        With `low`, `high`, `confidence` and `resamples`. If labels agree perfectly, the interval is
        a point, which does not generalise to other docs.

    Raises
    ------
    ShapeError, UsageError
        If the coefficient raises them, or if an option is out of range.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, eqs. 14.10 (ends), 14.14 (bias)
    and 14.15 (acceleration).
    """
    named = COEFFICIENTS.get(coefficient)
    result: AgreementResult = named(ratings, scale=scale, undefined=undefined)
    labels = Labels.of(ratings, scale=scale)
    values, counts = of_distinct_units(named, labels, undefined=undefined)
    bootstrapped = bootstrap(
        values, counts, rng=rng, resamples=resamples, confidence=confidence, interval=interval
    )
    return replace(
        result,
        low=bootstrapped.low,
        high=bootstrapped.high,
        confidence=confidence if bootstrapped.resamples else math.nan,
        resamples=bootstrapped.resamples,
        over="docs",
    )


def bootstrap(
    values: Values,
    counts: IntArray,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: str = "bca",
) -> Interval:
    """Return the bootstrap interval of any function of unit weights.

    Parameters
    ----------
    values : callable
        weights[sample, unit] → [sample]; nan if undefined.
    counts : ndarray of int, [unit]
        Number of occurrences of each distinct unit in the data.
    rng, resamples, confidence, interval
        As in `bootstrap_interval`.

    Raises
    ------
    UsageError
        If an option is out of range.
    """
    if interval not in INTERVALS:
        raise UnknownNameError("interval", interval, INTERVALS)
    if resamples < 1:
        raise UsageError(f"resamples={resamples}; expected 1 or more")
    if not 0 < confidence < 1:
        raise UsageError(f"confidence={confidence}; expected a number between 0 and 1")
    total = int(counts.sum())
    whole = values(counts[None].astype(np.float64))[0] if total else math.nan
    if math.isnan(whole):
        return Interval(math.nan, math.nan, 0)
    rows = max(1, _CELLS // counts.size)
    drawn = np.concatenate(
        [
            values(_draw_samples(rng, counts, size=min(rows, resamples - start)))
            for start in range(0, resamples, rows)
        ]
    )
    drawn = drawn[~np.isnan(drawn)]
    if drawn.size == 0:
        return Interval(math.nan, math.nan, 0)
    tails: FloatArray = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    if interval == "bca":
        bias = special.ndtri(_share_below(drawn, whole))
        acceleration = _acceleration(values, counts, rng=rng, rows=rows)
        z = bias + special.ndtri(tails)
        stretch = 1 - acceleration * z
        # Very few units can be too skewed for the expansion behind BCa.
        tails = special.ndtr(bias + (z / stretch if (stretch > 0).all() else z))
    low, high = np.quantile(drawn, tails)
    return Interval(float(low), float(high), drawn.size)


def of_distinct_units(
    named: Named[Coefficient], labels: Labels, *, undefined: str
) -> tuple[Values, IntArray]:
    """Return a coefficient as a function of the weights of distinct units.

    Parameters
    ----------
    named : Named
        The coefficient.
    labels : Labels
        The data; their levels serve as the scale.
    undefined : str
        Value when agreement is undefined (0/0).

    Returns
    -------
    values : callable
        weights[sample, unit] → [sample].
    counts : ndarray of int, [unit]
        Number of occurrences of each distinct unit; used as weights, they give the plain value.
    """
    distinct, counts = labels.distinct(by_assessor=by_assessor(named))
    return weighted_values(named, distinct, undefined=undefined), counts


def by_assessor(named: Named[Coefficient]) -> bool:
    """Return whether a coefficient depends on who gave a label; always true for plug-ins."""
    return bool(named.entry.about["by_assessor"])


def weighted_values(named: Named[Coefficient], labels: Labels, *, undefined: str) -> Values:
    """Return a coefficient as a function of unit weights.

    Parameters
    ----------
    named : Named
        The coefficient. A plain function gets every sample as ratings.
    labels : Labels
        The data; their levels serve as the scale.
    undefined : str
        Value when agreement is undefined (0/0).

    Returns
    -------
    callable
        weights[sample, unit] → [sample].
    """
    build = named.entry.about["build"]
    if build is not None:
        estimate = build(labels, fill_for(undefined))
        return lambda weights: estimate(weights).value
    grades, scale = labels.grades, labels.levels

    def values(weights: FloatArray) -> FloatArray:
        samples = [np.repeat(grades, row.astype(np.int64), axis=1) for row in weights]
        return np.array([named(s, scale=scale, undefined=undefined).value for s in samples])

    return values


def _draw_samples(rng: np.random.Generator, counts: IntArray, *, size: int) -> FloatArray:
    """Draw bootstrap samples, as counts of each distinct unit [sample, unit]."""
    total = int(counts.sum())
    return rng.multinomial(total, counts / total, size=size).astype(np.float64)


def _share_below(drawn: FloatArray, whole: float) -> float:
    """Return the share of bootstrap values below the original value; equal values count half."""
    # A sample is summed in a different order from the data, so equal values may differ slightly.
    tied = np.isclose(drawn, whole, rtol=1e-12, atol=1e-12)
    share = (np.count_nonzero((drawn < whole) & ~tied) + np.count_nonzero(tied) / 2) / drawn.size
    return float(np.clip(share, 0.5 / drawn.size, 1 - 0.5 / drawn.size))


def _acceleration(
    values: Values, counts: IntArray, *, rng: np.random.Generator, rows: int
) -> float:
    """Return the acceleration of BCa: the skewness of the units' influence, from a jackknife.

    Distinct units are left out one at a time, weighted by their counts. Above a thousand distinct
    units, random groups are left out instead, so that the jackknife costs no more than the
    bootstrap.
    """
    if counts.size <= _GROUPS:
        group, times = np.arange(counts.size), counts.astype(np.float64)
        lost = np.ones(counts.size)
    else:
        group, times = rng.permutation(counts.size) % _GROUPS, np.ones(_GROUPS)
        lost = counts.astype(np.float64)
    blocks = np.split(np.arange(times.size), range(rows, times.size, rows))
    without = np.concatenate(
        [values(counts - (group == block[:, None]) * lost) for block in blocks]
    )
    known = ~np.isnan(without)
    without, times = without[known], times[known]
    if times.sum() == 0:
        return 0.0
    influence = np.average(without, weights=times) - without
    spread = float(times @ influence**2)
    return float(times @ influence**3) / (6 * spread**1.5) if spread > 0 else 0.0
