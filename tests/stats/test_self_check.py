"""The self-check finds errors that are right, too small and too large."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.stats.population import mean_interval
from qrelsmith.stats.self_check import self_check
from qrelsmith.stats.topic_draws import topic_halves

TOPICS = [f"t{number:02d}" for number in range(40)]


def test_of_means_the_deviation_is_near_one_and_follows_the_error() -> None:
    values = np.random.default_rng(0).gamma(2.0, size=(30, 40))
    right = self_check(lambda topics: mean_interval(values[:, topics]), TOPICS)
    assert right.deviation.shape == (30,)
    assert right.deviation.mean() == pytest.approx(1.0, abs=0.06)

    def narrow(topics):
        found = mean_interval(values[:, topics])
        return replace(found, se=found.se / 3)

    assert self_check(narrow, TOPICS).deviation == pytest.approx(3 * right.deviation)


def test_z_is_that_of_a_plain_loop() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = self_check(lambda topics: mean_interval(values[topics]), TOPICS, seed=5, splits=12)
    for z, first, second in zip(found.z, *topic_halves(TOPICS, seed=5, splits=12), strict=True):
        a, b = values[first == 1], values[second == 1]
        assert z == pytest.approx(
            (a.mean() - b.mean()) / math.sqrt(a.var(ddof=1) / 20 + b.var(ddof=1) / 20)
        )
    assert float(found.deviation) == pytest.approx(math.sqrt(np.mean(found.z**2)))


def test_what_never_differs_has_no_deviation() -> None:
    found = self_check(lambda topics: mean_interval(np.ones(topics.size)), TOPICS)
    assert math.isnan(found.deviation)


def test_halves_without_intervals_cannot_be_checked() -> None:
    found = self_check(lambda topics: mean_interval(np.ones(topics.size)), TOPICS[:15])
    assert found.reason.startswith("15 topics; expected 16 or more")
    assert math.isnan(found.deviation)
