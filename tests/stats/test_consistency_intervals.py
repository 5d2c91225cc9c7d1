"""Consistency over topics: its value, identical label sets, and draws that depend on names."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.consistency_intervals import _other_taus, _quarters, consistency_intervals
from qrelsmith.stats.kendall import kendall_tau_b
from qrelsmith.stats.shrunken_means import shrunken_means
from qrelsmith.stats.split_halves import half_taus, random_halves

TOPICS = [f"t{number:02d}" for number in range(17)]
HALVES = random_halves(TOPICS, splits=60, seed=0)


def scores(k: int = 3, systems: int = 8) -> np.ndarray:
    rng = np.random.default_rng(9)
    true = np.linspace(0, 1, systems)
    return np.stack(
        [true + (0.3 + 0.4 * each) * rng.normal(size=(17, systems)) for each in range(k)]
    )


def test_the_value_is_the_mean_tau_of_the_splits() -> None:
    array = scores()
    found = consistency_intervals(array, TOPICS, HALVES)
    expected = [half_taus(matrix, HALVES).mean() for matrix in array]
    assert found.means.value == pytest.approx(expected)
    assert (found.means.low < found.means.value).all()
    assert found.differences.value[0, 2] == pytest.approx(expected[0] - expected[2])
    assert found.differences.se == pytest.approx(found.differences.se.T)


def test_quarters_are_inside_their_half_and_have_no_common_topic() -> None:
    inside, first, second = _quarters(TOPICS, seed=0)
    assert (inside > 0).sum(axis=-1).tolist() == [8] * 100
    for quarters in (first, second):
        assert quarters.sum(axis=-1) == pytest.approx(1.0)
        assert set((quarters > 0).sum(axis=-1).ravel()) == {4}
        assert ((quarters > 0) <= (inside > 0)[:, None]).all()
    assert not ((first > 0) & (second > 0)).any()


def test_taus_of_quarters_equal_those_of_a_simple_loop() -> None:
    matrix = scores()[1]
    inside, first, second = _quarters(TOPICS, seed=1)
    found = _other_taus(matrix, inside, first, second)
    moved = shrunken_means(matrix[None])[0] - matrix.mean(axis=0)
    spread = math.sqrt((1 / 17) / (1 / 4 - 1 / 8))
    for draw, split in ((0, 0), (3, 7), (99, 19)):
        middle = matrix[inside[draw] > 0].mean(axis=0)
        one, two = (
            moved + middle + spread * (matrix[quarters[draw, split] > 0].mean(axis=0) - middle)
            for quarters in (first, second)
        )
        assert found[draw, split] == pytest.approx(float(kendall_tau_b(one, two)))


def test_identical_label_sets_do_not_differ_whatever_the_number_of_splits() -> None:
    array = scores(1)
    found = consistency_intervals(np.concatenate([array, array]), TOPICS, HALVES)
    assert found.differences.low == pytest.approx(np.zeros((2, 2)))
    assert found.differences.high == pytest.approx(np.zeros((2, 2)))


def test_the_order_of_topics_does_not_matter() -> None:
    array, order = scores(2), np.random.default_rng(0).permutation(17)
    plain = consistency_intervals(array, TOPICS, HALVES)
    mixed = consistency_intervals(
        array[:, order], [TOPICS[place] for place in order], HALVES[:, order]
    )
    assert mixed.means.se == pytest.approx(plain.means.se)


def test_below_eight_topics_there_is_a_value_without_an_interval() -> None:
    halves = random_halves(TOPICS[:7], splits=10, seed=0)
    found = consistency_intervals(scores()[:, :7], TOPICS[:7], halves)
    assert not np.isnan(found.means.value).any()
    assert np.isnan(found.differences.low).all()
    assert "7 topics" in found.means.reason
    with pytest.raises(ShapeError, match="name the 7 topics"):
        consistency_intervals(scores()[:, :7], TOPICS, halves)
