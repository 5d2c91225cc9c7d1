from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import ShapeError, UndefinedError, UsageError
from qrelsmith.stats.kendall import kendall_tau_b
from qrelsmith.stats.split_halves import half_taus, random_halves


def by_hand(topics, split, seed):
    """Return the first half of a split, from the bytes of SHA-256 alone."""

    def digest(topic):
        keys = [f"i:{len(str(seed))}:{seed}", "s:6:halves", f"i:{len(str(split))}:{split}"]
        return hashlib.sha256("\n".join([*keys, f"s:{len(topic)}:{topic}"]).encode()).digest()

    return set(sorted(topics, key=digest)[: (len(topics) + 1) // 2])


def test_a_seed_always_gives_the_same_halves():
    topics = [f"02{number:02d}" for number in range(1, 8)]
    halves = random_halves(topics, splits=20, seed=3)
    for split, row in enumerate(halves):
        assert {topics[place] for place in np.flatnonzero(row)} == by_hand(topics, split, 3)


def test_25_topics_are_split_into_13_and_12():
    halves = random_halves([str(number) for number in range(25)], splits=50, seed=0)
    assert set(halves.sum(axis=1).tolist()) == {13}
    assert halves.shape == (50, 25)


def test_the_order_of_topics_and_the_number_of_splits_do_not_matter():
    topics = list("abcdefg")
    long = random_halves(topics, splits=30, seed=1)
    assert (random_halves(topics, splits=10, seed=1) == long[:10]).all()
    assert (random_halves(topics[::-1], splits=30, seed=1) == long[:, ::-1]).all()
    assert (random_halves(topics, splits=30, seed=2) != long).any()


def test_every_half_is_equally_likely():
    halves = random_halves(list("abcd"), splits=6000, seed=5)
    _, counts = np.unique(halves, axis=0, return_counts=True)
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 0.001


def test_tau_of_halves_equals_that_of_a_simple_loop():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 4, size=(9, 6)) / 3
    halves = random_halves([str(t) for t in range(9)], splits=40, seed=0)
    found = half_taus(scores, halves)
    for row, tau in zip(halves, found, strict=True):
        means = [
            [sum(scores[t, s] for t in range(9) if row[t] == side) / sum(row == side)
             for s in range(6)]
            for side in (True, False)
        ]  # fmt: skip
        assert tau == pytest.approx(float(kendall_tau_b(*means)), nan_ok=True)


def test_a_topic_on_which_all_systems_are_equal_does_not_change_the_ranking():
    rng = np.random.default_rng(1)
    scores = rng.random((6, 5))
    for taken in itertools.combinations(range(6), 3):
        half = np.isin(np.arange(6), taken)[None]
        plain = half_taus(scores, half)
        empty = half_taus(np.vstack([scores, np.zeros(5)]), np.append(half, [[True]], axis=1))
        assert empty == pytest.approx(plain)


def test_a_half_in_which_all_systems_tie_has_no_tau():
    scores = np.array([[0.0, 0.0, 0.0], [0.3, 0.2, 0.1]])
    assert np.isnan(half_taus(scores, np.array([[True, False]]))).all()
    assert np.isnan(half_taus(scores[:, :1], np.array([[True, False]]))).all()


@pytest.mark.parametrize(
    ("topics", "splits", "error", "message"),
    [
        (["a"], 5, UndefinedError, "found 1 topics; expected at least 2"),
        ([], 5, UndefinedError, "found 0 topics"),
        (["a", "b", "a"], 5, UsageError, "'a' is named twice"),
        (["a", "b"], 0, UsageError, "splits"),
    ],
)
def test_data_that_cannot_be_halved_is_refused(topics, splits, error, message):
    with pytest.raises(error, match=message):
        random_halves(topics, splits=splits, seed=0)


@pytest.mark.parametrize(
    ("scores", "halves", "message"),
    [
        (np.ones((3, 2)), [[True, False]], "3 topics"),
        (np.ones((2, 2)), [[True, True]], "has no topics"),
        (np.ones((2, 2)), [[False, False]], "has no topics"),
        ([[1, np.nan], [1, 1]], [[True, False]], "topic 0, system 1 = nan"),
    ],
)
def test_mismatched_halves_are_refused(scores, halves, message):
    with pytest.raises(ShapeError, match=message):
        half_taus(scores, np.array(halves))
