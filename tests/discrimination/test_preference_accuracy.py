from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.arrays import FloatArray
from qrelsmith.discrimination.preference_accuracy import preference_accuracy
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

NAN = math.nan


def made(*rows: tuple[int, int, int, float]) -> PreferenceTests:
    topics, left, right, outcomes = zip(*rows, strict=True)
    return PreferenceTests(
        np.array(topics), np.array(left), np.array(right), np.array(outcomes, dtype=float)
    )


def drawn(topics: int) -> FloatArray:
    rng = np.random.default_rng(2)
    return rng.multinomial(topics, [1 / topics] * topics, size=1000).astype(float)


def test_the_share_equals_a_count_by_hand() -> None:
    grades = np.array([[0.0, 1.0, 1.0, NAN], [2.0, 0.0, 1.0, 3.0]])[..., None]
    tests = made(
        (0, 0, 1, 1),  # right: the doc with grade 1 is preferred
        (0, 2, 0, 2),  # wrong, however strong
        (0, 1, 2, 1),  # equal grades
        (0, 0, 3, 1),  # no grade
        (1, 0, 3, 0),  # a tie: half
        (1, 1, 2, 2),  # right
    )
    found = preference_accuracy(tests, grades, drawn=drawn(2))
    assert found.share == pytest.approx(2.5 / 4)
    assert (found.tests, found.equal) == (4, 1)
    assert math.isnan(found.low)  # two topics are too few for an interval


def test_reversed_grades_predict_the_opposite() -> None:
    random = np.random.default_rng(0)
    grades = random.integers(0, 4, size=(20, 10, 1)).astype(float)
    left = random.integers(0, 10, 400)
    tests = PreferenceTests(
        random.integers(0, 20, 400),
        left,
        (left + random.integers(1, 10, 400)) % 10,
        random.integers(-1, 2, 400).astype(float),
    )
    one = preference_accuracy(tests, grades, drawn=drawn(20))
    other = preference_accuracy(tests, 3 - grades, drawn=drawn(20))
    assert one.low < one.share < one.high
    assert one.share == pytest.approx(1 - other.share)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_the_lower_median_of_several_grades_counts() -> None:
    grades = np.array([[[0.0, 3.0], [1.0, 1.0]]])  # medians 0 and 1
    assert preference_accuracy(made((0, 0, 1, 1)), grades, drawn=drawn(1)).share == 1.0


def test_without_tests_of_different_grades_there_is_no_share() -> None:
    found = preference_accuracy(made((0, 0, 1, 1)), np.ones((1, 2, 1)), drawn=drawn(1))
    assert math.isnan(found.share)
    assert math.isnan(found.low)
    assert (found.tests, found.equal) == (0, 1)
