from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests, settle


def test_a_test_with_several_assessors_counts_once_with_their_median() -> None:
    tests = settle([0, 0, 0], [1, 1, 1], [2, 2, 2], [-2, -1, 2])
    assert len(tests) == 1
    assert tests.outcomes.tolist() == [-1]


def test_the_same_docs_with_swapped_sides_are_the_same_test() -> None:
    tests = settle([0, 0], [1, 2], [2, 1], [-1, 1])
    assert (tests.left.tolist(), tests.right.tolist()) == ([1], [2])
    assert tests.outcomes.tolist() == [-1]


def test_contradictory_preferences_of_equal_strength_are_a_tie() -> None:
    assert settle([0, 0], [1, 1], [2, 2], [-1, 1]).outcomes.tolist() == [0]
    # The stronger of two middle outcomes decides the sign.
    assert settle([0, 0], [1, 1], [2, 2], [-1, 2]).outcomes.tolist() == [0.5]


def test_an_assessor_who_judged_twice_counts_once() -> None:
    judged = ([0] * 4, [1] * 4, [2] * 4, [-1, -1, -1, 1])
    assert settle(*judged).outcomes.tolist() == [-1]
    assert settle(*judged, assessors=[7, 7, 7, 8]).outcomes.tolist() == [0]


def test_tests_are_sorted_by_topic_and_docs() -> None:
    tests = settle([1, 0, 0], [0, 5, 1], [1, 3, 9], [1, 2, -1])
    assert tests.topics.tolist() == [0, 0, 1]
    assert tests.left.tolist() == [1, 3, 0]
    assert tests.right.tolist() == [9, 5, 1]
    assert tests.outcomes.tolist() == [-1, -2, 1]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(-2, 2)), max_size=40))
def test_settling_gives_the_median_of_each_pair(judged: list[tuple[int, int, int]]) -> None:
    topics = [topic for topic, _, _ in judged]
    left = [doc for _, doc, _ in judged]
    tests = settle(topics, left, [doc + 1 for doc in left], [outcome for *_, outcome in judged])
    expected = {
        (topic, doc): np.median([o for t, d, o in judged if (t, d) == (topic, doc)])
        for topic, doc, _ in judged
    }
    found = dict(
        zip(
            zip(tests.topics.tolist(), tests.left.tolist(), strict=True),
            tests.outcomes.tolist(),
            strict=True,
        )
    )
    assert found == expected


def test_no_judgments_give_no_tests() -> None:
    assert len(settle([], [], [], [])) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (([0], [1], [2], [3]), "outcome of a preference test is 3; expected −2 to 2"),
        (([0], [1], [2], [float("nan")]), "outcome of a preference test is nan"),
        (([0], [1], [1], [1]), "compares doc 1 of topic 0 with itself"),
        (([0, 1], [1], [2], [1]), "must have the same length"),
        (([0], [-1], [2], [1]), "a position below 0"),
        (([0], [0.5], [2], [1]), "left must be a list of whole numbers"),
        (([0], [1], [2], ["left"]), "outcomes must contain numbers"),
    ],
)
def test_wrong_tests_are_refused(wrong: tuple[list[float], ...], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        settle(*wrong)
    with pytest.raises(ShapeError, match="different numbers of assessors and outcomes"):
        settle([0], [1], [2], [1], assessors=[1, 2])


def test_tests_created_directly_keep_their_repetitions() -> None:
    twice = PreferenceTests(*(np.array([value, value]) for value in (0, 1, 2)), np.ones(2))
    assert len(twice) == 2
