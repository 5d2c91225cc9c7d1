from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination import DocLists, Setting
from qrelsmith.discrimination.drawing_by_need import draw_by_need
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

TOPICS, GRADES = 40, np.array([0.0, 0.0, 1.0, 1.0, 2.0, 2.0])


def made(pairs: list[tuple[int, int]], tests: int, *, lost: int = 0) -> PreferenceTests:
    """Return a number of tests of each doc pair in the first topics; the left doc wins most."""
    topics = np.tile(np.arange(tests), len(pairs))
    left, right = (np.repeat(side, tests) for side in np.array(pairs).T)
    return PreferenceTests(topics, left, right, np.where(topics < lost, 1.0, -1.0))


def setting(tests: PreferenceTests, docs: list[int]) -> Setting:
    """Return docs with grades 0, 0, 1, 1, 2, 2 in each topic; PDP is about some of the docs."""
    return Setting(
        np.tile(GRADES[None, :, None], (TOPICS, 1, 1)),
        tests,
        levels=range(3),
        mode="aggregate",
        untested="half",
        lists=DocLists(np.arange(TOPICS), np.tile(docs, (TOPICS, 1))),
    )


def drawn(one: Setting, budget: int, seed: int = 0) -> IntArray:
    return draw_by_need(
        [one],
        contrasts=np.ones((1, 1)),
        grades=np.asarray(one.grades)[..., 0],
        budget=budget,
        rng=np.random.default_rng(seed),
    )


def kinds(tests: IntArray) -> FloatArray:
    """Return the number of tests per pair of grades: 0 and 1, 0 and 2, 1 and 2, equal grades."""
    one, other = GRADES[tests[:, 1]], GRADES[tests[:, 2]]
    total = np.where(one == other, 3, one + other - 1).astype(int)
    return np.bincount(total, minlength=4)


def test_a_pair_of_grades_that_does_not_affect_pdp_gets_no_tests() -> None:
    # Docs 2 and 4: PDP is about the grades 1 and 2 alone.
    one = setting(made([(2, 0), (4, 0), (4, 2)], 10, lost=2), [2, 4])
    assert kinds(drawn(one, 50)).tolist() == [0, 0, 50, 0]


def neighbours(first: PreferenceTests, second: PreferenceTests) -> Setting:
    """PDP is about docs with 0 and 1, and with 1 and 2, in lists of two; never about 0 and 2."""
    names = ("topics", "left", "right", "outcomes")
    parts = [np.concatenate([getattr(each, name) for each in (first, second)]) for name in names]
    lists = DocLists(np.repeat(np.arange(TOPICS), 2), np.tile([[0, 2], [2, 4]], (TOPICS, 1)))
    return replace(setting(PreferenceTests(*parts), [0, 2]), lists=lists)


def test_the_pair_of_grades_with_fewer_tests_is_first_and_then_both() -> None:
    # Four of five tests are won both for 0 and 1 and for 1 and 2.
    one = neighbours(made([(2, 0)], 30, lost=6), made([(4, 2)], 10, lost=2))
    tests = drawn(one, 100)
    assert kinds(tests[:15])[2] > 12
    assert kinds(tests[40:])[0] == pytest.approx(kinds(tests[40:])[2], abs=15)
    assert kinds(tests)[[1, 3]].tolist() == [0, 0]


def test_an_undecided_pair_of_grades_affects_pdp_little_and_gets_few_tests() -> None:
    # 1 over 0 won 20 of 40, where the entropy has no slope; 2 over 1 won 32. Neyman's allocation
    # is about 3.5 times as many tests for the second.
    one = neighbours(made([(2, 0)], 40, lost=20), made([(4, 2)], 40, lost=8))
    assert kinds(drawn(one, 60))[2] > 50


def test_no_pair_of_docs_is_drawn_twice_and_no_tested_pair_again() -> None:
    one = setting(made([(2, 0), (4, 0), (4, 2)], 10, lost=2), [0, 2, 4])
    tests = drawn(one, 10_000)
    assert isinstance(one.evidence, PreferenceTests)
    pairs = {(topic, *sorted(docs)) for topic, *docs in tests.tolist()}
    before = {
        (topic, *sorted(docs))
        for topic, *docs in zip(
            one.evidence.topics.tolist(),
            one.evidence.left.tolist(),
            one.evidence.right.tolist(),
            strict=True,
        )
    }
    assert len(pairs) == len(tests)
    assert not pairs & before
    # All existing pairs: four pairs of docs for each pair of different grades in each topic.
    assert kinds(tests).tolist() == [4 * TOPICS - 10] * 3 + [0]


def test_the_seed_determines_docs_and_sides() -> None:
    one = setting(made([(2, 0), (4, 0), (4, 2)], 10, lost=2), [0, 2, 4])
    assert np.array_equal(drawn(one, 20), drawn(one, 20))
    assert not np.array_equal(drawn(one, 20), drawn(one, 20, seed=1))
    left = drawn(one, 200)[:, 1]
    assert 60 < (left < 3).sum() < 180


def test_for_two_settings_the_difference_counts() -> None:
    # The same labels twice: no test changes their difference, and each setting alone has its own.
    one = setting(made([(2, 0), (4, 0), (4, 2)], 10, lost=2), [0, 2, 4])
    options = {"grades": np.asarray(one.grades)[..., 0], "budget": 30}
    rng = np.random.default_rng(0)
    both = draw_by_need([one, one], contrasts=np.eye(2), rng=rng, **options)  # type: ignore[arg-type]
    assert len(both) == 30
    with pytest.raises(ShapeError, match="a weight for each of 2 settings"):
        draw_by_need([one, one], contrasts=np.ones((1, 1)), rng=rng, **options)  # type: ignore[arg-type]
