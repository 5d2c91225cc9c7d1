"""Topics drawn again: keyed by their names and the seed alone, halves disjoint."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.errors import UndefinedError, UsageError
from qrelsmith.stats.topic_draws import topic_draws

TOPICS = [f"t{number}" for number in range(11)]


def test_a_sample_has_as_many_topics_and_halves_share_none():
    found = topic_draws(TOPICS, seed=0)
    assert set(found.drawn.sum(axis=1)) == {11.0}
    assert set(found.first.sum(axis=1)) == set(found.second.sum(axis=1)) == {5.0}
    assert ((found.first + found.second) <= 1).all()
    assert found.half == 5
    assert found.stacked().shape == (1 + 1000 + 2 * 200, 11)
    assert (found.stacked()[0] == 1).all()


def test_draws_follow_names_and_seed_only():
    found = topic_draws(TOPICS, seed=3)
    order = np.random.default_rng(0).permutation(11)
    again = topic_draws([TOPICS[place] for place in order], seed=3)
    for name in ("drawn", "first", "second"):
        assert (getattr(again, name) == getattr(found, name)[:, order]).all()
    assert (topic_draws(TOPICS, seed=4).drawn != found.drawn).any()
    assert (topic_draws([*TOPICS[:-1], "other"], seed=3).drawn != found.drawn).any()


def test_a_longer_series_begins_with_the_shorter():
    long = topic_draws(TOPICS, seed=0, draws=50, splits=30)
    short = topic_draws(TOPICS, seed=0, draws=20, splits=10)
    assert (long.drawn[:20] == short.drawn).all()
    assert (long.first[:10] == short.first).all()


def test_every_topic_is_drawn_alike_and_left_out_alike():
    found = topic_draws(TOPICS, seed=1, draws=20_000, splits=20_000)
    # Multinomial: mean 1, variance 10/11; 5 standard errors.
    assert found.drawn.mean(axis=0) == pytest.approx(1, abs=5 * (10 / 11 / 20_000) ** 0.5)
    assert found.drawn.var(axis=0) == pytest.approx(10 / 11, abs=0.06)
    assert found.first.mean(axis=0) == pytest.approx(5 / 11, abs=0.018)
    assert (1 - found.first - found.second).mean(axis=0) == pytest.approx(1 / 11, abs=0.011)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(UsageError, match="the topic 'a' is named twice"):
        topic_draws(["a", "b", "a"], seed=0)
    with pytest.raises(UndefinedError, match="2 or more are needed, not 1"):
        topic_draws(["a"], seed=0)
    with pytest.raises(UsageError, match="draws"):
        topic_draws(["a", "b"], seed=0, draws=0)
