"""The interval of a difference: without smoothing, and with the whole variance of the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.discrimination import Setting, compare_pdp
from qrelsmith.discrimination.comparison import spread_left_out
from qrelsmith.discrimination.estimate import Estimate, estimate
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.resampling import Resampler

SAMPLING = {"exact_docs": 5, "samples": 2}


def setting(tests: int, won: int) -> Setting:
    """Return two docs with two grades in `tests` topics each; the better grade wins `won` times."""
    places = np.arange(tests)
    outcomes = np.where(places < won, -1.0, 1.0)
    return Setting(
        grades=np.tile([[[1.0], [0.0]]], (tests, 1, 1)),
        evidence=PreferenceTests(places, np.zeros(tests, int), np.ones(tests, int), outcomes),
        levels=range(2),
    )


def estimated(one: Setting) -> Estimate:
    return estimate(one, **SAMPLING, rng=np.random.default_rng(0))  # type: ignore[arg-type]


def test_smoothing_is_removed_from_the_difference() -> None:
    one = setting(40, 30)
    again = Resampler.of(estimated(one), exact_docs=5)
    rng = np.random.default_rng(0)
    found = again.unsmooth_estimate(**SAMPLING, rng=rng)  # type: ignore[arg-type]
    # Two docs: the entropy of p and 1 - p, with p = 30/40, 30.5/41 and 31/42.
    without, half, whole = (
        -(p * np.log(p) + (1 - p) * np.log(1 - p)) for p in (30 / 40, 30.5 / 41, 31 / 42)
    )
    assert again.found.topics == pytest.approx(half, abs=1e-6)
    assert found == pytest.approx(2 * half - whole, abs=1e-6)
    assert abs(found[0] - without) < abs(half - without) / 10
    paper = Resampler.of(estimated(replace(one, smoothing="none")), exact_docs=5)
    same = paper.unsmooth_estimate(**SAMPLING, rng=rng)  # type: ignore[arg-type]
    assert same == pytest.approx(without, abs=1e-6)


def test_the_variance_missing_from_weights_follows_from_the_tests_of_a_pair() -> None:
    assert spread_left_out(estimated(setting(9, 5))) == pytest.approx(10 / 8)
    assert spread_left_out(estimated(setting(9, 5)), estimated(setting(4, 2))) == 5 / 3
    assert spread_left_out(estimated(setting(1, 1))) == 3


def test_the_interval_is_around_the_difference_without_smoothing() -> None:
    one, two = setting(12, 11), setting(12, 7)
    found = compare_pdp(one, two, rng=np.random.default_rng(0), resamples=300)
    rng = np.random.default_rng(0)
    middles = [
        Resampler.of(estimated(each), exact_docs=5).unsmooth_estimate(**SAMPLING, rng=rng).mean()  # type: ignore[arg-type]
        for each in (one, two)
    ]
    assert (found.low + found.high) / 2 == pytest.approx(middles[0] - middles[1])
    assert (found.low + found.high) / 2 < found.difference < 0
