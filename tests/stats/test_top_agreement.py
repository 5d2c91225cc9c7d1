"""Agreement at the top: by hand, its extremes, and the systems at the top."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.top_agreement import best_third, either_top_agreement, top_agreement, top_size


def test_agreement_on_four_systems_is_as_computed_by_hand():
    # |d|: .1 (12), .3 (13), .5 (14), .2 (23), .4 (24), .2 (34) = 1.7; 12 and 34 are reversed: 1.7 −
    # .6.
    assert float(top_agreement([0.9, 0.8, 0.6, 0.4], [7, 8, 1, 2])) == pytest.approx(1.1 / 1.7)
    # 34 tied: it counts half, and the difference of .2 is neither added nor subtracted.
    assert float(top_agreement([0.9, 0.8, 0.6, 0.4], [8, 7, 1, 1])) == pytest.approx(1.5 / 1.7)


def test_the_best_third_has_8_to_20_systems():
    assert [top_size(n) for n in (1, 8, 9, 24, 25, 30, 60, 63, 200)] == [
        1, 8, 8, 8, 9, 10, 20, 20, 20,
    ]  # fmt: skip


def test_the_agreement_equals_a_simple_loop_and_includes_ties_at_the_edge():
    rng = np.random.default_rng(0)
    means, others = np.round(rng.random((6, 30)), 1), np.round(rng.random((6, 30)), 1)
    for one, two, value in zip(means, others, top_agreement(means, others), strict=True):
        top = np.flatnonzero(one >= np.sort(one)[-10] - 1e-9)
        apart = [
            (abs(one[i] - one[j]), np.sign(one[i] - one[j]) * np.sign(two[i] - two[j]))
            for i in top
            for j in top
            if i < j
        ]
        expected = sum(d * s for d, s in apart) / sum(d for d, _ in apart)
        assert value == pytest.approx(expected)


def test_systems_below_the_top_do_not_matter():
    means = np.linspace(1, 0, 24)
    other = means.copy()
    other[8:] = other[:7:-1]
    assert float(top_agreement(means, other)) == 1.0
    assert float(top_agreement(means, -means)) == -1.0


def test_a_system_moved_up_from_below_changes_only_the_top_of_either_set():
    means = np.linspace(1, 0, 24)  # 23 steps; the best third are the first eight
    other = means.copy()
    other[20] = 2.0
    assert float(top_agreement(means, other)) == 1.0
    # |d| in steps: 84 among the eight; from the moved system to them 20 + 19 + … + 13 = 132.
    assert float(either_top_agreement(means, other)) == pytest.approx((84 - 132) / (84 + 132))
    assert np.flatnonzero(best_third(other)).tolist() == [0, 1, 2, 3, 4, 5, 6, 20]


def test_either_top_equals_that_of_a_simple_loop():
    rng = np.random.default_rng(1)
    means, others = np.round(rng.random((6, 30)), 1), np.round(rng.random((6, 30)), 1)
    for one, two, value in zip(means, others, either_top_agreement(means, others), strict=True):
        top = np.flatnonzero((one >= np.sort(one)[-10] - 1e-9) | (two >= np.sort(two)[-10] - 1e-9))
        apart = [
            (abs(one[i] - one[j]), np.sign(one[i] - one[j]) * np.sign(two[i] - two[j]))
            for i in top
            for j in top
            if i < j
        ]
        assert value == pytest.approx(sum(d * s for d, s in apart) / sum(d for d, _ in apart))


def test_without_an_order_there_is_no_value():
    assert np.isnan(top_agreement([0.5, 0.5], [0.1, 0.2]))
    assert np.isnan(top_agreement([0.5], [0.1]))
    with pytest.raises(ShapeError, match="the same systems"):
        top_agreement([1, 2], [1, 2, 3])


def test_identical_label_sets_have_an_interval_without_width():
    scores = np.random.default_rng(0).random((9, 12))
    found = ranking_interval(scores, scores, list("abcdefghi"), statistic=top_agreement)
    assert (float(found.low), float(found.high)) == (1.0, 1.0)
