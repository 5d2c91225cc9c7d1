"""The share of preferences in which the doc with the higher grade is preferred.

PDP does not measure the share of correct preferences. Reversed labels discriminate as well as
correct labels, because every preference probability has the same distance from ½, but on the other
side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.stats.population import FEWEST_TOPICS


@dataclass(frozen=True, slots=True)
class PreferenceAccuracy:
    """The share of preferences that agree with the grades.

    Attributes
    ----------
    share : float
        Share of the tests of two docs with different grades in which the doc with the higher grade
        was preferred; a tie counts half. nan without such tests.
    low, high : float
        95% interval from a bootstrap over topics; nan without resamples or with too few topics.
    tests : int
        The number of tests of two docs with different grades.
    equal : int
        The number of tests of two docs with the same grade, for which the labels predict nothing.
    """

    share: float
    low: float
    high: float
    tests: int
    equal: int


def preference_accuracy(
    tests: PreferenceTests, grades: FloatArray, *, drawn: FloatArray
) -> PreferenceAccuracy:
    """Return the share of the preferences that the grades predict.

    Parameters
    ----------
    tests : PreferenceTests
        Topics and docs are positions on the first two axes of the grades.
    grades : float array [topic, doc, assessor]
        nan is missing; if a doc has several grades, the lower median is used. A test of a doc
        without a grade is ignored.
    drawn : float array [resample, topic]
        The number of times that each topic counts in each bootstrap sample; without samples there
        is no interval.
    """
    topics, docs, slots = grades.shape
    median = AGGREGATIONS.get("median")(grades.reshape(topics * docs, slots).T)
    single = median.reshape(topics, docs)
    difference = single[tests.topics, tests.right] - single[tests.topics, tests.left]
    counted = ~np.isnan(difference) & (difference != 0)
    right = 0.5 + 0.5 * np.sign(tests.outcomes) * np.sign(difference)
    of = tests.topics[counted]
    wins = np.bincount(of, weights=right[counted], minlength=topics)
    count = np.bincount(of, minlength=topics).astype(np.float64)
    total = float(count.sum())
    low = high = float("nan")
    if len(drawn) and (count > 0).sum() >= FEWEST_TOPICS:
        known = drawn @ count > 0
        shares = (drawn[known] @ wins) / (drawn[known] @ count)
        low, high = (float(end) for end in np.quantile(shares, [0.025, 0.975]))
    return PreferenceAccuracy(
        share=float(wins.sum()) / total if total else float("nan"),
        low=low,
        high=high,
        tests=int(total),
        equal=int((difference == 0).sum()),
    )
