"""Intervals over topics: by hand, against plain loops, and what has none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.stats.intervals import t_interval
from qrelsmith.stats.population import halves_interval, jackknife_interval, mean_interval
from qrelsmith.stats.topic_draws import topic_halves

TOPICS = [f"t{number}" for number in range(9)]


def test_one_to_eight_by_hand():
    # Mean 4.5, s² = 6, se = √(6/8); t with 7 degrees of freedom at .975 is 2.364624.
    found = mean_interval(np.arange(1.0, 9.0))
    assert (float(found.value), found.size, found.over) == (4.5, 8, "topics")
    assert float(found.se) == pytest.approx(0.8660254)
    assert float(found.low) == pytest.approx(4.5 - 2.364624 * 0.8660254, abs=1e-6)
    assert float(found.high) == pytest.approx(4.5 + 2.364624 * 0.8660254, abs=1e-6)
    assert found.reason == ""


def test_the_jackknife_of_a_mean_is_students_t():
    values = np.random.default_rng(0).gamma(1.0, size=(3, 12))
    without = (values.sum(axis=1, keepdims=True) - values) / 11
    found = jackknife_interval(values.mean(axis=1), without, confidence=0.9)
    low, high = t_interval(values, level=0.9)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert mean_interval(values, confidence=0.9).high == pytest.approx(found.high)


def test_the_jackknife_of_a_variance_by_hand():
    # θ = Σ(x − x̄)²/n of 0, 0, 0, 4: 3; without a 0: 32/9, without the 4: 0. Mean 8/3,
    # se² = 3/4 · (3·(8/9)² + (8/3)²) = 3/4 · 256/27 = 64/9.
    without = [32 / 9, 32 / 9, 32 / 9, 0.0]
    found = jackknife_interval(3.0, without, fewest=4, bounds=(0.0, math.inf))
    assert float(found.se) == pytest.approx(8 / 3)
    assert float(found.low) == 0.0
    assert float(found.high) == pytest.approx(3 + 3.182446 * 8 / 3, abs=1e-5)


def test_few_topics_and_missing_values_have_no_interval():
    few = mean_interval(np.arange(7.0))
    assert float(few.value) == 3.0
    assert math.isnan(few.low)
    assert few.reason.startswith("no interval over topics: 7 topics; expected 8 or more")
    gap = jackknife_interval(1.0, [1.0] * 8 + [math.nan])
    assert math.isnan(gap.low)
    assert math.isnan(jackknife_interval(math.nan, [1.0] * 9).se)
    assert math.isnan(mean_interval([]).value)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match=r"without must be \[2, 'n'\]"):
        jackknife_interval([1.0, 2.0], np.ones((3, 9)))
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        mean_interval(np.arange(9.0), confidence=95)


def test_the_error_from_halves_is_that_of_a_plain_loop():
    x = np.random.default_rng(5).gamma(1.0, size=9)
    found = halves_interval(
        lambda weights: weights @ x / weights.sum(axis=1), TOPICS, seed=2, splits=40
    )
    halves = topic_halves(TOPICS, seed=2, splits=40).reshape(80, 9)
    means = [x[half == 1].mean() for half in halves]
    assert float(found.se) == pytest.approx(math.sqrt(4 / 5 * np.var(means)))
    assert float(found.value) == pytest.approx(x.mean())


def test_of_a_mean_halves_and_jackknife_agree():
    # E of the variance of means of halves is (T−h)/(h·T)·s², that is s²/T times (T−h)/h.
    x = np.random.default_rng(6).normal(size=41)
    names = [str(number) for number in range(41)]
    found = halves_interval(
        lambda weights: weights @ x / weights.sum(axis=1), names, seed=0, splits=4000
    )
    assert float(found.se) == pytest.approx(float(mean_interval(x).se), rel=0.04)


def test_halves_without_a_value_are_left_out_unless_they_are_many():
    x = np.arange(9.0)

    def mean_unless(weights, missing):
        return np.where(missing, np.nan, weights @ x / weights.sum(axis=1))

    # Topics 0 and 1 stand together in a sixth of the halves.
    some = halves_interval(
        lambda w: mean_unless(w, w[:, :2].all(axis=1) & (w.sum(axis=1) < 9)), TOPICS, seed=0
    )
    assert float(some.low) < 4.0 < float(some.high)
    none = halves_interval(lambda w: mean_unless(w, w.sum(axis=1) < 9), TOPICS, seed=0)
    assert float(none.value) == 4.0
    assert math.isnan(none.low)
