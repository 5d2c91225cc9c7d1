from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.discrimination.preferences.drawing import DrawnTests, draw_tests

NAN = float("nan")
# Drawn with the first version: a change here would change the meaning of published seeds.
PUBLISHED = [("301", "a", "c"), ("301", "d", "b"), ("302", "d", "c"), ("302", "a", "b")]


def two_scales(topics: int = 20, docs: int = 30) -> list[FloatArray]:
    relevance = np.random.default_rng(0).beta(1.2, 2.5, size=(topics, docs))
    return [np.floor(relevance * 4), np.floor(relevance * 7)]


def named(tests: DrawnTests, topics: list[str], docs: list[list[str]]) -> list[tuple[str, ...]]:
    return [
        (topics[topic], docs[topic][left], docs[topic][right])
        for topic, left, right in zip(tests.topics, tests.left, tests.right, strict=True)
    ]


def test_a_published_seed_always_draws_the_same_tests() -> None:
    tests = draw_tests(
        [[[0, 1, 1, 0], [1, 0, 0, 1]]],
        per_pair=4,
        seed=7,
        topic_keys=["301", "302"],
        doc_keys=[["a", "b", "c", "d"], ["a", "b", "c", "d"]],
    )
    assert named(tests, ["301", "302"], [list("abcd")] * 2) == PUBLISHED


def test_every_pair_of_grades_of_every_scale_gets_its_tests() -> None:
    labels = two_scales()
    tests = draw_tests(labels, per_pair=20, seed=0)
    for grades, counts in zip(labels, tests.scales, strict=True):
        left, right = grades[tests.topics, tests.left], grades[tests.topics, tests.right]
        for low, one in enumerate(counts.levels):
            for high, other in enumerate(counts.levels[:low]):
                found = ((left == one) & (right == other)) | ((left == other) & (right == one))
                assert found.sum() == counts.drawn[low, high] == counts.drawn[high, low]
                assert found.sum() >= min(20, counts.possible[low, high])
    # One test serves both scales: fewer than 20 for each of the 6 + 21 pairs.
    assert len(tests) < 20 * 27


def test_no_pair_of_docs_is_drawn_twice_or_across_topics() -> None:
    tests = draw_tests(two_scales(), per_pair=50, seed=1)
    pairs = {
        (topic, *sorted((left, right)))
        for topic, left, right in zip(
            tests.topics.tolist(), tests.left.tolist(), tests.right.tolist(), strict=True
        )
    }
    assert len(pairs) == len(tests)
    assert (tests.left != tests.right).all()


def test_rare_pairs_of_grades_get_all_possible_tests_and_are_named() -> None:
    tests = draw_tests([[[0, 0, 0, 1, 2], [0, 0, 1, 1, NAN]]], per_pair=6, seed=0)
    (counts,) = tests.scales
    assert counts.possible.tolist() == [[3 + 1, 3 + 4, 3], [7, 1, 1], [3, 1, 0]]
    assert counts.drawn[0, 1] == 6
    assert counts.short(6) == [(0, 2, 3), (1, 2, 1)]


def test_topics_and_docs_are_used_equally() -> None:
    grades = np.tile([0, 0, 0, 1, 1, 1], (10, 1)).astype(float)
    tests = draw_tests([grades], per_pair=30, seed=0)
    assert np.bincount(tests.topics).tolist() == [3] * 10
    for topic in range(10):
        shown = np.concatenate(
            [tests.left[tests.topics == topic], tests.right[tests.topics == topic]]
        )
        assert sorted(shown.tolist()) == [0, 1, 2, 3, 4, 5]


def test_the_higher_grade_is_on_either_side_equally_often() -> None:
    grades = np.tile([0, 0, 1, 1], (10, 1)).astype(float)
    tests = draw_tests([grades], per_pair=20, seed=0)
    assert (grades[tests.topics, tests.left] == 1).sum() == 10


@given(seed=st.integers(0, 2**32 - 1))
def test_the_draw_depends_on_names_but_not_on_their_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 3, size=(4, 6)).astype(float)
    topics = ["301", "302", "303", "304"]
    docs = [[f"d{topic}{doc}" for doc in range(6)] for topic in topics]
    order = rng.permutation(4)
    columns = [rng.permutation(6) for _ in topics]
    moved = np.array([grades[topic][columns[topic]] for topic in order])
    topics_moved = [topics[topic] for topic in order]
    docs_moved = [[docs[topic][doc] for doc in columns[topic]] for topic in order]
    options = {"per_pair": 5, "seed": 3, "levels": [range(3)]}
    first = draw_tests([grades], topic_keys=topics, doc_keys=docs, **options)  # type: ignore[arg-type]
    second = draw_tests([moved], topic_keys=topics_moved, doc_keys=docs_moved, **options)  # type: ignore[arg-type]
    assert named(first, topics, docs) == named(second, topics_moved, docs_moved)


def test_another_seed_draws_other_tests() -> None:
    first, second = (draw_tests(two_scales(), per_pair=5, seed=seed) for seed in (0, 1))
    assert not np.array_equal(first.topics, second.topics)


def test_a_single_grade_needs_no_tests() -> None:
    tests = draw_tests([np.ones((3, 4))], per_pair=5, seed=0)
    assert len(tests) == 0
    assert tests.scales[0].short(5) == []


def test_wrong_arguments_are_refused() -> None:
    grades = np.array([[0.0, 1.0]])
    with pytest.raises(UsageError, match="found no labels"):
        draw_tests([], per_pair=5, seed=0)
    with pytest.raises(UsageError, match="per_pair is 0; expected 1 or more"):
        draw_tests([grades], per_pair=0, seed=0)
    with pytest.raises(ShapeError, match="labels for 1 scales but levels for 2"):
        draw_tests([grades], per_pair=1, seed=0, levels=[None, None])
    with pytest.raises(ShapeError, match="must have the same shape"):
        draw_tests([grades, grades.T], per_pair=1, seed=0)
    with pytest.raises(ShapeError, match="1 topic keys, and doc keys for each topic"):
        draw_tests([grades], per_pair=1, seed=0, topic_keys=["1", "2"])
    with pytest.raises(ShapeError, match="keys for the 2 docs of each topic"):
        draw_tests([grades], per_pair=1, seed=0, doc_keys=[["a"]])
    with pytest.raises(ShapeError, match="must differ between topics"):
        draw_tests([grades], per_pair=1, seed=0, doc_keys=[["a", "a"]])
