"""Intervals of coefficients of agreement over topics: the jackknife.

Labels of one topic are correlated, so topics are drawn with all their docs. An interval over docs
is several times too narrow for conclusions about other topics.

A coefficient is a function of the counts of label patterns, so each topic is represented by its
counts. When a topic is left out, its counts are subtracted from the totals, and the coefficient is
recomputed, including α's distances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.bootstrap import Values, by_assessor, weighted_values
from qrelsmith.agreement.labels import MISSING, Labels
from qrelsmith.agreement.registry import COEFFICIENTS, Coefficient
from qrelsmith.agreement.result import AgreementResult
from qrelsmith.base.arrays import AnyArray, FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scipy_parts import sparse
from qrelsmith.stats.population import FEWEST_TOPICS, PopulationInterval, jackknife_interval

_CELLS = 1 << 22  # weights held in memory at a time


def topic_interval(
    ratings: ArrayLike,
    topics: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
    confidence: float = 0.95,
) -> AgreementResult:
    """Return a coefficient on all units, with its interval over topics.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    topics : array_like, [unit]
        The topic of every unit: numbers or strings.
    coefficient : str
        A name of `COEFFICIENTS`.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error. Without it, the levels seen in all
        topics are used.
    undefined : str
        Value for 0/0, also when a topic is left out: `nan`, `one` or `zero`.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    AgreementResult
        With `low`, `high`, `se`, `over` = `topics`, and `topics`, the number of topics with a unit
        of two labels or more. The jackknife leaves out only these topics. With fewer than 8 such
        topics, or if the coefficient is undefined without one of these topics, the limits are nan
        and `reason` explains why. If labels agree perfectly, the interval is a point.

    Raises
    ------
    ShapeError
        If there is not one topic for every unit.
    UsageError
        If the coefficient raises it, or if the confidence is out of range.

    Notes
    -----
    θ ± t_{T−1}·se, where se is from the jackknife over topics (`jackknife_interval`). The limits do
    not exceed the least and the largest value of the coefficient.
    """
    named = COEFFICIENTS.get(coefficient)
    labels = Labels.of(ratings, scale=scale)
    by_topic = TopicCounts.of(named, labels, topics, undefined=undefined)
    result: AgreementResult = named(ratings, scale=scale, undefined=undefined)
    found = by_topic.interval(result.value, bounds=bounds_of(named), confidence=confidence)
    return with_interval(result, found, topics=by_topic.drawn.size)


@dataclass(frozen=True, slots=True, eq=False)
class TopicCounts:
    """Counts of label patterns per topic, and the coefficient as a function of these counts.

    Attributes
    ----------
    values : callable
        weights[sample, pattern] → [sample].
    counts : sparse array, [topic, pattern]
        Number of a topic's units with the pattern.
    drawn : ndarray of int, [topic]
        The topics with a unit of two labels or more.
    names : ndarray, [topic]
        The topics, in ascending order.
    """

    values: Values
    counts: sparse.csr_array
    drawn: IntArray
    names: AnyArray

    @classmethod
    def of(
        cls, named: Named[Coefficient], labels: Labels, topics: ArrayLike, *, undefined: str
    ) -> TopicCounts:
        """Count how often each label pattern occurs in each topic."""
        names, number = topics_of_units(topics, labels.codes.shape[1])
        distinct, pattern = labels.patterns(by_assessor=by_assessor(named))
        there = pattern != MISSING
        shape = (names.size, distinct.codes.shape[1])
        ones = np.ones(np.count_nonzero(there))
        counts = sparse.coo_array((ones, (number[there], pattern[there])), shape=shape).tocsr()
        drawn = np.unique(number[labels.pairable])
        return cls(weighted_values(named, distinct, undefined=undefined), counts, drawn, names)

    def weighted_coefficients(self, weights: FloatArray) -> FloatArray:
        """Return the coefficient of each sample of topics: [sample, drawn topic] → [sample].

        Topics in which no unit has two labels are not resampled.
        """
        every = np.ones((len(weights), self.names.size))
        every[:, self.drawn] = weights
        if self.counts.shape[1] == 0:
            return np.full(len(weights), np.nan)
        rows = max(1, _CELLS // self.counts.shape[1])
        blocks = range(0, len(weights), rows)
        return np.concatenate([self.values(every[at : at + rows] @ self.counts) for at in blocks])

    def interval(
        self, value: float, *, bounds: tuple[float, float], confidence: float
    ) -> PopulationInterval:
        """Return the interval over topics, given the coefficient on all topics."""
        size = self.drawn.size
        without = np.full(size, np.nan)
        if size >= FEWEST_TOPICS:
            without = self.weighted_coefficients(1.0 - np.eye(size))
        found = jackknife_interval(value, without, confidence=confidence, bounds=bounds)
        return found if found.reason else replace(found, reason=self._missing(without))

    def _missing(self, without: FloatArray) -> str:
        """Return a topic without which the coefficient is undefined."""
        missing = np.flatnonzero(np.isnan(without))
        if not missing.size:
            return ""
        return missing_topic_note(self.names[self.drawn[missing[0]]])


def missing_topic_note(topic: object) -> str:
    """Return a sentence on a topic without which a coefficient is undefined."""
    return f"no interval over topics: without topic {topic} the coefficient is undefined"


def topics_of_units(topics: ArrayLike, units: int) -> tuple[AnyArray, IntArray]:
    """Return the topics in ascending order, and the topic index of each unit.

    Raises
    ------
    ShapeError
        If there is not one topic for every unit.
    """
    of_unit = np.asarray(topics)
    if of_unit.shape != (units,):
        raise ShapeError(
            f"topics must have the shape [{units}], one topic per unit of ratings; "
            f"found {list(of_unit.shape)}"
        )
    if (of_unit[1:] < of_unit[:-1]).any():
        names, number = np.unique(of_unit, return_inverse=True)
        return names, number
    first = np.append(True, of_unit[1:] != of_unit[:-1])[:units]
    return of_unit[first], np.cumsum(first) - 1


def bounds_of(named: Named[Coefficient]) -> tuple[float, float]:
    """Return the smallest and the largest possible value of a coefficient."""
    return float(named.entry.about["least"]), 1.0


def with_interval(
    result: AgreementResult, interval: PopulationInterval, *, topics: int
) -> AgreementResult:
    """Return the result with an interval, or with the reason why there is none."""
    has_interval = not np.isnan(interval.low)
    return replace(
        result,
        low=float(interval.low),
        high=float(interval.high),
        se=float(interval.se),
        confidence=interval.confidence if has_interval else np.nan,
        over=interval.over,
        topics=topics,
        reason=result.reason or interval.reason,
    )
