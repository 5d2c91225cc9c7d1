"""An interval, and the population it generalises to.

The default population is similar topics. A topic includes all its docs, labels and scores, so the
interval includes all variation between topics. `docs/intervals.md` lists the target and coverage of
each interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.inputs import between_0_and_1

FEWEST_TOPICS = 8  # minimum number of topics for an interval
UNBOUNDED = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PopulationInterval:
    """A value, or a stack of values, with an interval.

    Attributes
    ----------
    over : str
        Kind of population: `topics`, `systems`, `assessors` or `topics,assessors`.
    size : int
        Number of these units in the data.
    value, se, low, high : float array, shape (...)
        The value, its standard error and the ends of the interval; nan where undefined.
    confidence : float
        The confidence, such as 0.95.
    reason : str
        Reason for a missing interval; otherwise empty.
    """

    over: str
    size: int
    value: FloatArray
    se: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: float
    reason: str = ""

    def part(self, place: int) -> PopulationInterval:
        """Return one value of a stack of values."""
        value, se, low, high = (
            np.asarray(array[place]) for array in (self.value, self.se, self.low, self.high)
        )
        return replace(self, value=value, se=se, low=low, high=high)


def jackknife_interval(
    value: ArrayLike,
    without: ArrayLike,
    *,
    over: str = "topics",
    confidence: float = 0.95,
    bounds: tuple[float, float] = UNBOUNDED,
    fewest: int = FEWEST_TOPICS,
) -> PopulationInterval:
    """Return the jackknife interval of a value.

    Parameters
    ----------
    value : array_like, shape (...)
        The value on all n topics; nan if undefined.
    without : array_like, shape (..., n)
        The value without topic i.
    over : str
        The units left out, one at a time.
    confidence : float
        Between 0 and 1.
    bounds : (float, float)
        The minimum and maximum possible values, to which the ends are clipped.
    fewest : int
        Minimum number of topics for an interval.

    Returns
    -------
    PopulationInterval
        The ends are nan if the value, or a value with a topic left out, is undefined.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.
    UsageError
        If the confidence is out of range.

    Notes
    -----
    θ ± t_{n−1}·se with se² = (n−1)/n · Σ_i (θ_(i) − θ_(·))², θ_(i) the value without topic i and
    θ_(·) their mean (Tukey 1958; Efron & Tibshirani 1993, eq. 11.5). For a mean, this is Student's
    t interval.
    """
    whole = float_array(value, name="value")
    left = float_array(without, name="without")
    if left.ndim != whole.ndim + 1 or left.shape[:-1] != whole.shape:
        raise ShapeError(
            f"“without” must have the shape {[*whole.shape, 'n']}; found {list(left.shape)}"
        )
    count = left.shape[-1]
    se = np.full(whole.shape, math.nan)
    if count > 1:
        apart = left - left.mean(axis=-1, keepdims=True)
        se = np.sqrt((count - 1) / count * (apart**2).sum(axis=-1))
    return student_interval(
        whole, se, size=count, over=over, confidence=confidence, bounds=bounds, fewest=fewest
    )


def mean_interval(
    values: ArrayLike,
    *,
    over: str = "topics",
    confidence: float = 0.95,
    bounds: tuple[float, float] = UNBOUNDED,
    fewest: int = FEWEST_TOPICS,
) -> PopulationInterval:
    """Return the mean over topics with Student's t interval, which equals the jackknife interval.

    Parameters
    ----------
    values : array_like, shape (..., n)
        A value of each topic, or the difference of two on the same topics. A row with nan has no
        mean; omit topics before the call if necessary.
    over, confidence, bounds, fewest
        As in `jackknife_interval`.
    """
    array = float_array(values, name="values")
    count = array.shape[-1]
    se = np.full(array.shape[:-1], math.nan)
    if count > 1:
        se = np.asarray(array.std(axis=-1, ddof=1) / math.sqrt(count))
    mean = np.asarray(array.mean(axis=-1)) if count else se
    return student_interval(
        mean, se, size=count, over=over, confidence=confidence, bounds=bounds, fewest=fewest
    )


def halves_error(values: FloatArray, *, topics: int) -> FloatArray:
    """Return the standard error of a value on all topics, from its values on halves [..., half].

    The result is nan if at most half of the values are known.
    """
    half = topics // 2
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=-1) / count
        spread = np.where(known, (values - mean[..., None]) ** 2, 0.0).sum(axis=-1) / count
        error = np.sqrt(half / (topics - half) * spread)
    return np.where(2 * count > values.shape[-1], error, math.nan)


def student_interval(
    value: FloatArray,
    se: FloatArray,
    *,
    size: int,
    over: str = "topics",
    confidence: float = 0.95,
    bounds: tuple[float, float] = UNBOUNDED,
    fewest: int = FEWEST_TOPICS,
) -> PopulationInterval:
    """Return the value ± t_{n−1}·se, clipped to the bounds; both ends are nan for too few units."""
    between_0_and_1(confidence, name="confidence")
    least, largest = bounds
    value, se = np.asarray(value, dtype=np.float64), np.asarray(se, dtype=np.float64)
    if size < max(fewest, 2):
        nothing = np.full(value.shape, math.nan)
        return PopulationInterval(
            over=over,
            size=size,
            value=value,
            se=nothing,
            low=nothing,
            high=nothing,
            confidence=confidence,
            reason=few_topics_note(size, over=over, fewest=fewest),
        )
    half = special.stdtrit(size - 1, (1 + confidence) / 2) * se
    return PopulationInterval(
        over=over,
        size=size,
        value=value,
        se=np.where(np.isnan(value), math.nan, se),
        low=np.maximum(value - half, least),
        high=np.minimum(value + half, largest),
        confidence=confidence,
    )


def few_topics_note(size: int, *, over: str = "topics", fewest: int = FEWEST_TOPICS) -> str:
    """Return a sentence which explains that there are too few topics for an interval."""
    words = over if size != 1 else over.removesuffix("s")
    return f"no interval over {over}: found {size} {words}, expected {max(fewest, 2)} or more"
