"""Ranks of systems: by hand, far apart, close together, and without an interval."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.places import place_intervals, places
from qrelsmith.stats.ranking_intervals import half_shares, means_of_other_topics

TOPICS = [f"t{number}" for number in range(12)]


def test_ties_share_a_rank():
    assert places(np.array([0.5, 0.9, 0.5, 0.1])).tolist() == [2, 1, 2, 4]
    assert places(np.array([[1.0, 2.0], [2.0, 1.0]])).tolist() == [[2, 1], [1, 2]]


def test_ranks_of_distant_systems_are_certain_and_of_close_ones_uncertain():
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=0.1, size=(12, 6)) + np.array([5, 4, 1.01, 1, 0.99, 0])
    found = place_intervals(scores, TOPICS)
    assert (found.low[[0, 1, 5]].tolist(), found.high[[0, 1, 5]].tolist()) == ([1, 2, 6], [1, 2, 6])
    assert found.low[2:5].min() == 3
    assert found.high[2:5].max() == 5
    assert (found.high - found.low)[2:5].min() >= 1
    assert found.reason == ""


def test_the_ends_are_quantiles_rounded_outwards_that_contain_the_rank():
    scores = np.random.default_rng(4).random((12, 9))
    found = place_intervals(scores, TOPICS, seed=7, confidence=0.5)
    drawn = places(means_of_other_topics(scores[None], half_shares(TOPICS, seed=7))[0])
    for system in range(9):
        low, high = np.quantile(drawn[:, system], [0.25, 0.75])
        assert found.low[system] == min(np.floor(low), found.place[system])
        assert found.high[system] == max(np.ceil(high), found.place[system])


def test_below_eight_topics_every_rank_is_possible():
    found = place_intervals(np.random.default_rng(0).random((7, 5)), TOPICS[:7])
    assert (found.low.tolist(), found.high.tolist()) == ([1] * 5, [5] * 5)
    assert "7 topics, expected 8 or more" in found.reason


def test_every_topic_needs_a_name():
    with pytest.raises(ShapeError, match="name the 9 topics"):
        place_intervals(np.ones((9, 2)), TOPICS)
