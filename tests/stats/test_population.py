"""Intervals over topics: by hand, compared with simple loops, and without an interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.stats.intervals import t_interval
from qrelsmith.stats.population import jackknife_interval, mean_interval


def test_the_interval_of_the_mean_is_as_computed_by_hand():
    # Mean 4.5, s² = 6, se = √(6/8); t with 7 degrees of freedom at .975 is 2.364624.
    found = mean_interval(np.arange(1.0, 9.0))
    assert (float(found.value), found.size, found.over) == (4.5, 8, "topics")
    assert float(found.se) == pytest.approx(0.8660254)
    assert float(found.low) == pytest.approx(4.5 - 2.364624 * 0.8660254, abs=1e-6)
    assert float(found.high) == pytest.approx(4.5 + 2.364624 * 0.8660254, abs=1e-6)
    assert found.reason == ""


def test_the_jackknife_of_a_mean_equals_students_t():
    values = np.random.default_rng(0).gamma(1.0, size=(3, 12))
    without = (values.sum(axis=1, keepdims=True) - values) / 11
    found = jackknife_interval(values.mean(axis=1), without, confidence=0.9)
    low, high = t_interval(values, level=0.9)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert mean_interval(values, confidence=0.9).high == pytest.approx(found.high)


def test_the_jackknife_of_a_variance_is_as_computed_by_hand():
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
    assert few.reason.startswith("no interval over topics: found 7 topics, expected 8 or more")
    gap = jackknife_interval(1.0, [1.0] * 8 + [math.nan])
    assert math.isnan(gap.low)
    assert math.isnan(jackknife_interval(math.nan, [1.0] * 9).se)
    assert math.isnan(mean_interval([]).value)


def test_mismatched_input_is_refused():
    with pytest.raises(ShapeError, match=r"“without” must have the shape \[2, 'n'\]"):
        jackknife_interval([1.0, 2.0], np.ones((3, 9)))
    with pytest.raises(UsageError, match="confidence must be between 0 and 1"):
        mean_interval(np.arange(9.0), confidence=95)
