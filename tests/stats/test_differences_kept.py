"""Shares of differences kept: by hand, by simple loops, and the reference with itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.rng import rng_for
from qrelsmith.stats.differences_kept import CriticalDifference, differences_kept
from qrelsmith.stats.ranking_intervals import half_shares, means_of_other_topics
from qrelsmith.stats.significance import TESTS

TOPICS = [f"t{number}" for number in range(12)]
STEPS = np.linspace(0, 0.6, 7)


def scores(seed: int, *, noise: float = 0.2) -> np.ndarray:
    return noise * np.random.default_rng(seed).normal(size=(12, 7)) + STEPS


def test_the_differences_of_three_systems_are_as_computed_by_hand():
    # Every topic gives .9, .6, .5 and .9, .5, .7, plus or minus the same value for all except the
    # last.
    jitter = np.array([0.01, -0.01] * 6)[:, None]
    reference = np.array([0.9, 0.6, 0.5]) + jitter * np.array([1, 1, -1])
    labels = np.array([0.9, 0.5, 0.7]) + jitter * np.array([1, 1, -1])
    tests = tuple(TESTS.get("paired-t")(array) for array in (reference, labels))
    found = differences_kept(reference, labels, TOPICS, tests=tests)
    # Both label sets distinguish all three pairs; the pair of the last two has the opposite order.
    assert (found.pairs, found.own) == (3, 3)
    assert float(found.kept.value) == pytest.approx(2 / 3)
    assert float(found.turned.value) == pytest.approx(1 / 3)
    assert float(found.found.value) == 1.0


@pytest.mark.parametrize("name", ["paired-t", "paired-tukey", "randomised-tukey"])
def test_the_share_equals_that_of_a_simple_loop(name):
    arrays = scores(1), scores(2)
    tests = [TESTS.get(name)(array, rng=rng_for(0, "test"), trials=500) for array in arrays]
    found = differences_kept(*arrays, TOPICS, tests=tests, seed=3, splits=15)
    shares = half_shares(TOPICS, seed=3, splits=15)
    means = means_of_other_topics(np.stack(arrays), shares)
    needed = [CriticalDifference.of(a, t) for a, t in zip(arrays, tests, strict=True)]
    kept, turned, own = [], [], []
    for row, share in enumerate(shares):
        limits = [need.on(share[None])[0] for need in needed]
        told = []
        for which in (0, 1):
            apart = means[which, row][tests[0].first] - means[which, row][tests[0].second]
            told.append((apart, np.abs(apart) > limits[which]))
        (a, in_a), (b, in_b) = told
        kept.append(np.sum(in_a & in_b & (np.sign(a) == np.sign(b))) / max(in_a.sum(), 1))
        turned.append(np.sum(in_b & (np.sign(a) == -np.sign(b))) / max(in_b.sum(), 1))
        own.append(in_b.mean())
    for part, expected in ((found.kept, kept), (found.turned, turned), (found.found, own)):
        assert float(part.se) == pytest.approx(np.std(expected), abs=1e-12)
    assert float(found.found.value) == tests[1].significant.mean()
    assert found.pairs == tests[0].significant.sum()


def test_topics_with_more_variance_need_larger_differences():
    array = scores(4)
    array[:6] = STEPS + 3 * (array[:6] - STEPS)
    calm, wild = np.repeat([0, 1 / 6], 6)[None], np.repeat([1 / 6, 0], 6)[None]
    for name in ("paired-t", "paired-tukey", "randomised-tukey"):
        need = CriticalDifference.of(array, TESTS.get(name)(array, rng=rng_for(0, "t"), trials=200))
        assert need.on(wild).mean() > need.on(calm).mean()
        # On all topics, the result is that of the test.
        assert need.on(np.full((1, 12), 1 / 12))[0] == pytest.approx(need.critical)


def test_the_reference_keeps_its_own_differences_whatever_the_topics():
    array = scores(5)
    test = TESTS.get("paired-tukey")(array)
    found = differences_kept(array, array, TOPICS, tests=(test, test))
    assert (float(found.kept.low), float(found.kept.high)) == (1.0, 1.0)
    assert (float(found.turned.low), float(found.turned.high)) == (0.0, 0.0)
    assert float(found.found.value) == test.significant.mean()
    assert float(found.found.low) < float(found.found.value) < float(found.found.high)


def test_without_differences_there_is_no_share():
    array = np.random.default_rng(6).normal(size=(12, 3))
    test = TESTS.get("paired-tukey")(array)
    found = differences_kept(array, array, TOPICS, tests=(test, test))
    assert (found.pairs, float(found.found.value)) == (0, 0.0)
    assert math.isnan(found.kept.value)
    assert math.isnan(found.turned.high)


def test_below_eight_topics_there_are_shares_and_no_intervals():
    array = scores(7)[:7]
    test = TESTS.get("paired-tukey")(array)
    found = differences_kept(array, array, TOPICS[:7], tests=(test, test)).kept
    assert float(found.value) == 1.0
    assert math.isnan(found.low)
    assert "7 topics" in found.reason
