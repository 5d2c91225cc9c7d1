"""Resampled topics: determined by their names and the seed alone, with disjoint halves."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.stats.topic_draws import topic_halves, topic_samples

TOPICS = [f"t{number}" for number in range(11)]


def test_a_sample_has_as_many_topics_and_halves_have_none_in_common():
    assert set(topic_samples(TOPICS, seed=0).sum(axis=1)) == {11.0}
    halves = topic_halves(TOPICS, seed=0)
    assert halves.shape == (2, 200, 11)
    assert set(halves.sum(axis=-1).ravel()) == {5.0}
    assert (halves.sum(axis=0) <= 1).all()


def test_draws_depend_only_on_names_and_seed():
    order = np.random.default_rng(0).permutation(11)
    mixed = [TOPICS[place] for place in order]
    for draw in (topic_samples, topic_halves):
        found = draw(TOPICS, seed=3)
        assert (draw(mixed, seed=3) == found[..., order]).all()
        assert (draw(TOPICS, seed=4) != found).any()
        assert (draw([*TOPICS[:-1], "other"], seed=3) != found).any()


def test_a_longer_series_begins_with_the_shorter_one():
    assert (
        topic_samples(TOPICS, seed=0, draws=50)[:20] == topic_samples(TOPICS, seed=0, draws=20)
    ).all()
    assert (
        topic_halves(TOPICS, seed=0, splits=30)[:, :10] == topic_halves(TOPICS, seed=0, splits=10)
    ).all()


def test_drawn_arrays_can_be_changed_by_the_caller():
    first = topic_samples(TOPICS, seed=0)
    first[:] = 0
    assert topic_samples(TOPICS, seed=0).any()


def test_every_topic_is_drawn_and_left_out_equally_often():
    drawn = topic_samples(TOPICS, seed=1, draws=20_000)
    # Multinomial: mean 1, variance 10/11; 5 standard errors.
    assert drawn.mean(axis=0) == pytest.approx(1, abs=5 * (10 / 11 / 20_000) ** 0.5)
    assert drawn.var(axis=0) == pytest.approx(10 / 11, abs=0.06)
    halves = topic_halves(TOPICS, seed=1, splits=20_000)
    assert halves.mean(axis=1) == pytest.approx(5 / 11, abs=0.018)
    assert 1 - halves.sum(axis=0).mean(axis=0) == pytest.approx(1 / 11, abs=0.011)


@pytest.mark.parametrize("draw", [topic_samples, topic_halves])
def test_impossible_draws_are_refused(draw):
    with pytest.raises(UsageError, match="the topic 'a' is named twice"):
        draw(["a", "b", "a"], seed=0)
    with pytest.raises(UndefinedError, match="found 1 topics; expected at least 2"):
        draw(["a"], seed=0)


def test_the_number_of_draws_must_be_a_whole_number():
    with pytest.raises(UsageError, match="draws must be a whole number"):
        topic_samples(["a", "b"], seed=0, draws=0)
    with pytest.raises(UsageError, match="splits must be a whole number"):
        topic_halves(["a", "b"], seed=0, splits=0)
