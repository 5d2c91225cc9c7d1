"""Agreement by topic, with the mean over topics, and between pairs of assessors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.bootstrap import of_distinct_units
from qrelsmith.agreement.labels import MISSING, Labels
from qrelsmith.agreement.pair_tables import estimates_of_tables, pair_estimator, pair_tables
from qrelsmith.agreement.registry import COEFFICIENTS
from qrelsmith.agreement.result import fill_for
from qrelsmith.agreement.topic_interval import bounds_of
from qrelsmith.base.arrays import AnyArray, FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.population import mean_interval

_UNITS = 512  # maximum number of units for topics evaluated together


@dataclass(frozen=True, slots=True, eq=False)
class TopicAgreement:
    """A coefficient on every topic, and its mean.

    Attributes
    ----------
    coefficient : str
        The name of the coefficient, as the registry prints it.
    value : float
        Mean over the topics where the coefficient is defined; nan if undefined.
    topics : ndarray, [topic]
        The topics, in ascending order.
    values : ndarray, [topic]
        The coefficient; nan if undefined.
    units : ndarray of int, [topic]
        Units with two labels or more.
    defined, skipped : int
        Number of topics with a value, and without a value.
    low, high, confidence : float
        The interval of the mean over topics; nan if undefined.
    reason : str
        Why there is no interval; empty where there is one.
    """

    coefficient: str
    value: float
    topics: AnyArray
    values: FloatArray
    units: IntArray
    defined: int
    skipped: int
    low: float
    high: float
    confidence: float
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseAgreement:
    """A coefficient between all pairs of assessors.

    Attributes
    ----------
    coefficient : str
        The name of the coefficient, as the registry prints it.
    values : ndarray, [assessor, assessor]
        Symmetric; nan on the diagonal, for assessors without a common unit, and if undefined.
    units : ndarray of int, [assessor, assessor]
        Units that both labelled; on the diagonal, units that the assessor labelled.
    """

    coefficient: str
    values: FloatArray
    units: IntArray


def mean_over_topics(
    ratings: ArrayLike,
    topic_of_unit: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
    confidence: float = 0.95,
) -> TopicAgreement:
    """Return a coefficient topic by topic, and the mean over topics with its interval.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    topic_of_unit : array_like, [unit]
        The topic of every unit: numbers or strings.
    coefficient : str
        A name of `COEFFICIENTS`.
    scale : array_like, [level], optional
        Every level, ascending. Without it, the levels seen in all topics are used, so that topics
        stay comparable. For `checco_phi`, the number l of labels per unit is also the same for all
        topics.
    undefined : str
        Value for 0/0 in a topic: `nan` (skip the topic), `one` or `zero`.
    confidence : float
        The confidence of the interval of the mean over topics (Student's t, which is the jackknife
        of a mean). The interval needs 8 topics with a value. For one topic, use
        `bootstrap_interval`.

    Returns
    -------
    TopicAgreement
        Topics without a value (0/0, or no unit with two labels) are skipped and counted.

    Raises
    ------
    ShapeError
        If the number of topics differs from the number of units.
    UsageError
        If the coefficient raises it.

    References
    ----------
    Chu, Mao, Zhang, Liu, Sakai, Zhang and Ma (2021), Evaluating relevance judgments with pairwise
    discriminative power, eq. 2.
    """
    named = COEFFICIENTS.get(coefficient)
    labels = Labels.of(ratings, scale=scale)
    of_unit = np.asarray(topic_of_unit)
    if of_unit.shape != (labels.codes.shape[1],):
        raise ShapeError(
            f"topic_of_unit must have the shape [{labels.codes.shape[1]}], one topic "
            f"per unit of ratings; found {list(of_unit.shape)}"
        )
    topics, number = np.unique(of_unit, return_inverse=True)
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(topics.size + 1))
    sizes = np.bincount(number, weights=labels.pairable, minlength=topics.size).astype(np.int64)
    build = named.entry.about["build"]
    values = np.empty(topics.size)
    for first, last in _runs(starts, together=named.entry.about["together"]):
        part = labels.take(order[starts[first] : starts[last]])
        if build is None:
            value, counts = of_distinct_units(named, part, undefined=undefined)
            values[first] = value(counts[None].astype(np.float64))[0]
            continue
        rows = np.repeat(np.arange(last - first), np.diff(starts[first : last + 1]))
        weights = (rows == np.arange(last - first)[:, None]).astype(np.float64)
        values[first:last] = build(part, fill_for(undefined))(weights).value
    defined = values[~np.isnan(values)]
    interval = mean_interval(defined, confidence=confidence, bounds=bounds_of(named))
    return TopicAgreement(
        coefficient=named.label,
        value=float(defined.mean()) if defined.size else math.nan,
        topics=topics,
        values=values,
        units=sizes,
        defined=defined.size,
        skipped=topics.size - defined.size,
        low=float(interval.low),
        high=float(interval.high),
        confidence=math.nan if interval.reason else confidence,
        reason=interval.reason,
    )


def pairwise(
    ratings: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> PairwiseAgreement:
    """Return a coefficient between all pairs of assessors, over the units that both labelled.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    coefficient : str
        A name of `COEFFICIENTS`.
    scale : array_like, [level], optional
        Every level, ascending. Without it, the levels used by any assessor are the scale.
    undefined : str
        Value for 0/0: `nan`, `one` or `zero`.

    Returns
    -------
    PairwiseAgreement
        Many nan values mean few common units with other assessors.

    Raises
    ------
    ShapeError, UsageError
        If the coefficient raises them.
    """
    named = COEFFICIENTS.get(coefficient)
    labels = Labels.of(ratings, scale=scale)
    present = labels.codes != MISSING
    common = (present.astype(np.float64) @ present.T).astype(np.int64)
    values = np.full(common.shape, math.nan)
    estimate = pair_estimator(named, labels, undefined=undefined)
    if estimate is not None and len(common) > 1:
        first, second = np.nonzero(np.triu(common, 1))
        values[first, second] = values[second, first] = estimates_of_tables(
            estimate, pair_tables(labels)[first, second]
        ).value
        return PairwiseAgreement(coefficient=named.label, values=values, units=common)
    for first, second in zip(*np.nonzero(np.triu(common, 1)), strict=True):
        both = present[first] & present[second]
        pair = replace(labels, codes=labels.codes[[first, second]][:, both], most=2)
        value, counts = of_distinct_units(named, pair, undefined=undefined)
        values[first, second] = values[second, first] = value(counts[None].astype(np.float64))[0]
    return PairwiseAgreement(coefficient=named.label, values=values, units=common)


def _runs(starts: IntArray, *, together: bool) -> Iterator[tuple[int, int]]:
    """Return ranges of consecutive topics to evaluate at once: [first, last)."""
    first, topics = 0, starts.size - 1
    while first < topics:
        last = first + 1
        if together:
            last = max(last, int(np.searchsorted(starts, starts[first] + _UNITS, "right")) - 1)
        yield first, last
        first = last
