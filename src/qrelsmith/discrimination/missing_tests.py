"""Preference tests that pairs of grades lack, or that are needed to decide a difference in PDP."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.discrimination.preferences.coding import level_codes
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.judgments.aggregation import AGGREGATIONS


@dataclass(frozen=True, slots=True)
class GradePairCounts:
    """Numbers of tests and doc pairs for each pair of grades on one scale.

    Attributes
    ----------
    levels : tuple of float
        The levels of the scale.
    tests : int array [level, level]
        Number of tests between docs of the two grades, symmetric.
    possible : int array [level, level]
        Number of pairs of docs of one topic that have the two grades, symmetric.
    """

    levels: tuple[float, ...]
    tests: IntArray
    possible: IntArray

    def missing(self, per_pair: int) -> IntArray:
        """Count the tests that each pair of different grades lacks [level, level], upper triangle.

        If there are fewer pairs of docs than required tests, all pairs of docs are required.
        """
        lacking = np.minimum(per_pair, self.possible) - self.tests
        return np.triu(np.maximum(lacking, 0), 1)


def count_grade_pairs(
    tests: PreferenceTests, grades: FloatArray, levels: tuple[float, ...]
) -> GradePairCounts:
    """Count the tests and the doc pairs of each pair of grades.

    Parameters
    ----------
    tests : PreferenceTests
        Topics and docs are positions on the first two axes of the grades.
    grades : float array [topic, doc, assessor]
        nan is missing; if a doc has several grades, the lower median is used.
    levels : tuple of float
        The scale.

    Raises
    ------
    UsageError
        If a grade is not on the scale.
    """
    codes = level_codes(median_grades(grades)[..., None], levels=levels)[0][..., 0]
    count = len(levels)
    of_topic = np.stack([(codes == code).sum(axis=1) for code in range(count)], axis=1)
    possible = of_topic.T @ of_topic
    np.fill_diagonal(possible, (of_topic * (of_topic - 1) // 2).sum(axis=0))
    left, right = codes[tests.topics, tests.left], codes[tests.topics, tests.right]
    known = (left >= 0) & (right >= 0)
    made = np.zeros((count, count), dtype=np.int64)
    np.add.at(made, (left[known], right[known]), 1)
    return GradePairCounts(levels, made + made.T - np.diag(np.diag(made)), possible)


def median_grades(grades: FloatArray) -> FloatArray:
    """Return the lower median [topic, doc] of grades [topic, doc, assessor]; nan if undefined."""
    topics, docs, slots = grades.shape
    medians = AGGREGATIONS.get("median")(grades.reshape(topics * docs, slots).T)
    return np.asarray(medians.reshape(topics, docs))


def deciding_tests(
    difference: float, low: float, high: float, *, tests: int, tests_share: float
) -> float:
    """Estimate the number of further tests that would exclude 0 from the interval of a difference.

    The squared half-width h² has a part due to topics, which further tests do not change, and a
    part s due to tests. With m tests in addition to n, the squared half-width is (1 − s) h² + s h²
    · n/(n + m).

    Parameters
    ----------
    difference, low, high : float
        The difference with its interval; nan if missing.
    tests : int
        The number of tests behind the difference, n.
    tests_share : float
        The share of the interval's variance that is due to the tests, s.

    Returns
    -------
    float
        0 if the difference is decided; nan without an interval; infinite if no number of tests can
        decide the difference, because the part due to topics alone leaves it undecided.

    Examples
    --------
    >>> deciding_tests(-0.1, -0.25, 0.05, tests=300, tests_share=0.8)
    682.0
    """
    if math.isnan(low) or math.isnan(high) or math.isnan(tests_share):
        return math.nan
    if low > 0 or high < 0:
        return 0.0
    half = (high - low) / 2
    room = difference**2 - (1 - tests_share) * half**2
    if room <= 0:
        return math.inf
    return float(math.ceil(tests * (tests_share * half**2 / room - 1)))
