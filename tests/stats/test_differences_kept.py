"""Shares of differences kept: by hand, and the reference against itself."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.stats.differences_kept import DifferencesKept
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.ranking_intervals import ranking_interval


def test_three_systems_by_hand():
    # The reference tells 01 and 02 apart, the labels 01, 02 and 12; 12 the other way round.
    kept = DifferencesKept(np.full(3, 0.25), np.full(3, 0.1))
    found = kept(np.array([[0.9, 0.6, 0.5]]), np.array([[0.9, 0.5, 0.7]]))
    assert found[:, 0] == pytest.approx([1.0, 1 / 3, 2 / 3, 1.0])
    # Where the labels turn a pair of the reference, it is not told apart the same way.
    found = kept(np.array([[0.9, 0.6, 0.5]]), np.array([[0.5, 0.9, 0.4]]))
    assert found[:, 0] == pytest.approx([0.0, 1 / 2, 2 / 3, 2 / 3])


def test_without_a_difference_there_is_no_share():
    kept = DifferencesKept(np.ones(1), np.ones(1))
    found = kept(np.array([[0.5, 0.1]]), np.array([[0.5, 0.1]]))
    assert np.isnan(found[:2, 0]).all()
    assert found[2:, 0].tolist() == [0.0, 0.0]


def test_on_all_topics_they_are_what_the_test_says_and_of_one_set_have_no_width():
    rng = np.random.default_rng(2)
    scores = rng.random((12, 8)) + np.linspace(0, 0.5, 8)
    result = paired_tukey(scores)
    kept = DifferencesKept.of(result, result)
    found = ranking_interval(scores, scores, list("abcdefghijkl"), statistic=kept, bounds=(0, 1))
    assert found.value[:3] == pytest.approx([1.0, 0.0, result.significant.mean()])
    assert (found.low[:2].tolist(), found.high[:2].tolist()) == ([1.0, 0.0], [1.0, 0.0])
    assert found.low[2] < found.value[2] < found.high[2]
