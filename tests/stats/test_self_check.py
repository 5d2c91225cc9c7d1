"""The self-check detects errors that are right, too small and too large."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.stats.population import mean_interval
from qrelsmith.stats.self_check import self_check
from qrelsmith.stats.topic_draws import topic_halves

TOPICS = [f"t{number:02d}" for number in range(40)]


def test_the_deviation_of_means_is_near_one_and_follows_the_error() -> None:
    values = np.random.default_rng(0).gamma(2.0, size=(30, 40))
    right = self_check(lambda topics: mean_interval(values[:, topics]), TOPICS)
    assert right.deviation.shape == (30,)
    assert right.deviation.mean() == pytest.approx(1.0, abs=0.06)

    def narrow(topics):
        found = mean_interval(values[:, topics])
        return replace(found, se=found.se / 3)

    assert self_check(narrow, TOPICS).deviation == pytest.approx(3 * right.deviation)


def test_z_equals_that_of_a_simple_loop() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = self_check(lambda topics: mean_interval(values[topics]), TOPICS, seed=5, splits=12)
    for z, first, second in zip(found.z, *topic_halves(TOPICS, seed=5, splits=12), strict=True):
        a, b = values[first == 1], values[second == 1]
        assert z == pytest.approx(
            (a.mean() - b.mean()) / math.sqrt(a.var(ddof=1) / 20 + b.var(ddof=1) / 20)
        )
    assert float(found.deviation) == pytest.approx(math.sqrt(np.mean(found.z**2)))


def test_values_without_variation_have_no_deviation() -> None:
    found = self_check(lambda topics: mean_interval(np.ones(topics.size)), TOPICS)
    assert math.isnan(found.deviation)


def test_halves_without_intervals_cannot_be_checked() -> None:
    found = self_check(lambda topics: mean_interval(np.ones(topics.size)), TOPICS[:15])
    assert found.reason.startswith("15 topics; expected 16 or more")
    assert math.isnan(found.deviation)


@pytest.mark.parametrize(("parts", "typical"), [(2, 0.67), (3, 0.80)])
def test_at_a_turning_point_halves_of_one_collection_say_little_and_thirds_say_more(
    parts: int, typical: float
) -> None:
    # −m² of a mean whose truth is 0, and its true error √2·var(m): 1,500 collections.
    values = np.random.default_rng(2).normal(size=(1500, 48))

    def turned(topics):
        found = mean_interval(values[:, topics])
        return replace(found, value=-(found.value**2), se=np.full(1500, math.sqrt(2) / len(topics)))

    found = self_check(turned, [f"t{n:02}" for n in range(48)], parts=parts)
    assert math.sqrt(np.mean(found.deviation**2)) == pytest.approx(1.0, abs=0.06)
    assert np.median(found.deviation) == pytest.approx(typical, abs=0.04)


def test_thirds_need_enough_topics_for_an_interval_each() -> None:
    found = self_check(lambda topics: mean_interval(np.ones(topics.size)), TOPICS[:23], parts=3)
    assert found.reason.startswith("23 topics; expected 24 or more, 1/3 of which")
