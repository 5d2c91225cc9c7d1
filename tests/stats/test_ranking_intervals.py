"""Intervals of rank correlations over topics and systems: by simple loops, and invariant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.stats.correlation import CORRELATIONS, kendall_tau_b
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.shrunken_means import shrunken_means
from qrelsmith.stats.topic_draws import topic_halves

TOPICS = [f"t{number}" for number in range(10)]


def scores(seed: int = 0, *, noise: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    """Return a reference and three label sets with ties: [topic, system], [set, topic, system]."""
    rng = np.random.default_rng(seed)
    first = np.round(rng.random((10, 7)) + np.linspace(0, 1, 7), 1)
    return first, np.round(first + noise * rng.normal(size=(3, 10, 7)), 1)


def test_tau_and_its_error_equal_those_of_a_simple_loop():
    first, others = scores()
    found = ranking_interval(first, others, TOPICS, seed=4, splits=30)
    halves = topic_halves(TOPICS, seed=4, splits=30).reshape(60, 10)
    for place, other in enumerate(others):
        centre = shrunken_means([first, other])
        taus = []
        for half in halves:
            one, two = (
                middle + matrix[half == 1].mean(axis=0) - matrix.mean(axis=0)
                for middle, matrix in zip(centre, (first, other), strict=True)
            )
            taus.append(float(kendall_tau_b(one, two)))
        whole = float(kendall_tau_b(first.mean(axis=0), other.mean(axis=0)))
        assert found.value[place] == pytest.approx(whole)
        assert found.se[place] == pytest.approx(np.std(taus))
        assert found.low[place] == pytest.approx(whole - 2.262157 * np.std(taus), abs=1e-6)


def test_the_error_over_systems_is_the_jackknife_of_systems():
    first, others = scores()
    found = ranking_interval(first, others[0], TOPICS, over="systems")
    one, two = first.mean(axis=0), others[0].mean(axis=0)
    without = [float(kendall_tau_b(np.delete(one, s), np.delete(two, s))) for s in range(7)]
    se = math.sqrt(6 / 7 * np.sum((np.array(without) - np.mean(without)) ** 2))
    assert float(found.se) == pytest.approx(se)
    assert (found.over, found.size) == ("systems", 7)


def test_one_question_has_one_answer_whatever_else_is_asked():
    first, others = scores()
    alone = ranking_interval(first, others[1], TOPICS)
    among = ranking_interval(first, others, TOPICS)
    order = np.random.default_rng(1).permutation(10)
    mixed = ranking_interval(first[order], others[1][order], [TOPICS[place] for place in order])
    assert float(alone.low) == among.low[1]
    assert (float(mixed.low), float(mixed.se)) == pytest.approx((float(alone.low), float(alone.se)))


@pytest.mark.parametrize("over", ["topics", "systems"])
def test_identical_label_sets_have_an_interval_without_width(over):
    first, _ = scores()
    found = ranking_interval(first, first, TOPICS, over=over)
    assert (float(found.low), float(found.value), float(found.high)) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("name", CORRELATIONS.names())
def test_every_correlation_has_an_interval_around_it(name):
    first, others = scores(noise=0.8)
    rng = np.random.default_rng(0)  # τ_AP has no value for ties
    first, others = first + 1e-3 * rng.random(first.shape), others + 1e-3 * rng.random(others.shape)
    found = ranking_interval(first, others, TOPICS, statistic=CORRELATIONS.get(name), splits=20)
    assert (found.low < found.value).all()
    assert (found.value < found.high).all()


def test_with_few_topics_or_systems_there_is_a_value_without_an_interval():
    first, others = scores()
    few = ranking_interval(first[:7], others[0, :7], TOPICS[:7])
    assert not math.isnan(few.value)
    assert math.isnan(few.low)
    assert "7 topics, expected 8 or more" in few.reason
    few = ranking_interval(first[:, :4], others[:, :, :4], TOPICS, over="systems")
    assert few.low.shape == (3,)
    assert "found 4 systems, expected 5 or more" in few.reason


def test_mismatched_input_is_refused():
    first, others = scores()
    with pytest.raises(
        ShapeError, match=r"“second” must have the shape \[..., 10 topics, 7 systems\]"
    ):
        ranking_interval(first, others[:, :9], TOPICS)
    with pytest.raises(ShapeError, match="name the 10 topics of the scores; found 9"):
        ranking_interval(first, others, TOPICS[:9])
    with pytest.raises(UnknownNameError, match="population"):
        ranking_interval(first, others, TOPICS, over="docs")
