"""Pairs of systems that two label sets order in the same way, and the excluded pairs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.conflicts import Conflicts, _resample_shares, conflicts
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.proportions import wilson_interval
from qrelsmith.stats.randomised_tukey import randomised_tukey


def tukey(scores: FloatArray) -> PairwiseResult:
    result: PairwiseResult = randomised_tukey(scores, rng=np.random.default_rng(0), trials=500)
    return result


def compared(first: FloatArray, second: FloatArray) -> Conflicts:
    return conflicts(tukey(first), tukey(second), (first, second), drawn=drawn(len(first)))


def drawn(topics: int) -> FloatArray:
    """Return 500 samples of topics."""
    return np.random.default_rng(1).multinomial(topics, np.full(topics, 1 / topics), size=500)


def apart(means: list[float], *, noise: float, topics: int = 40, seed: int = 5) -> FloatArray:
    """Return scores [topic, system] around some means."""
    rng = np.random.default_rng(seed)
    return np.asarray(means) + noise * rng.normal(size=(topics, len(means)))


def test_counts_are_as_by_hand_if_every_difference_is_clear() -> None:
    reference = apart([0.1, 0.5, 0.9], noise=0.01)
    # The last two systems are swapped; the first two are not distinguishable.
    other = apart([0.5, 0.5, 0.1], noise=0.01)
    found = compared(reference, other)
    assert (found.both, found.missed, found.of, found.opposite) == (2, 1, 3, 2)
    assert (found.pairs, found.extra, found.neither) == (3, 0, 0)
    assert found.share == 0
    assert (found.low, found.high) == pytest.approx(wilson_interval(0, 2))


def test_pairs_that_agree_in_every_sample_have_the_width_of_wilson() -> None:
    reference = apart([0.1, 0.4, 0.7, 1.0], noise=0.01)
    found = compared(reference, reference + apart([0.0] * 4, noise=0.01, seed=6))
    assert (found.both, found.missed, found.share) == (6, 0, 1)
    assert (found.low, found.high) == pytest.approx(wilson_interval(6, 6))


def test_a_bootstrap_over_topics_widens_the_interval_of_many_dependent_pairs() -> None:
    # Ten systems each; the distance of the second ten from the first depends on the topic, so that
    # these hundred pairs, which contradict the reference, are all significant or all not.
    systems = np.repeat([0, 1, 2], 10)
    reference = apart(systems.tolist(), noise=0.01, topics=30)
    noise = np.random.default_rng(2).normal(size=(30, 1))
    drops = 0.9 + 1.5 * (noise - noise.mean())
    other = np.where(systems == 1, -drops, np.where(systems == 2, 2.0, 0.0))
    other = other + 0.01 * np.random.default_rng(3).normal(size=other.shape)
    found = compared(reference, other)
    low, high = wilson_interval(round(found.share * found.both), found.both)
    assert found.low <= low
    assert found.high >= high
    assert found.high - found.low > 2 * (high - low)


def test_the_bootstrap_equals_a_simple_loop() -> None:
    first, second = apart([0.0, 0.3, 0.2], noise=0.4), apart([0.1, 0.0, 0.4], noise=0.4, seed=9)
    one, two = tukey(first), tukey(second)
    found = conflicts(one, two, (first, second), drawn=drawn(40))
    shares = []
    for times in drawn(40):
        rows = np.repeat(np.arange(40), times)
        both = alike = 0
        for pair, (i, j) in enumerate(zip(one.first, one.second, strict=True)):
            a = first[rows, i].mean() - first[rows, j].mean()
            b = second[rows, i].mean() - second[rows, j].mean()
            if abs(a) >= one.critical[pair] and abs(b) >= two.critical[pair]:
                both += 1
                alike += (a > 0) == (b > 0)
        if both:
            shares.append(alike / both)
    assert found.both
    low, high = wilson_interval(round(found.share * found.both), found.both)
    ends = np.quantile(shares, [0.025, 0.975])
    assert found.low == pytest.approx(min(low, ends[0]))
    assert found.high == pytest.approx(max(high, ends[1]))


def test_a_sample_with_exactly_the_critical_difference_counts() -> None:
    # Both systems differ by half a grade on every topic, in every sample, to the last bit.
    scores = np.tile([0.0, 0.5], (8, 1))
    test = replace(
        tukey(scores + apart([0.0, 0.0], noise=0.01, topics=8)), critical=np.array([0.5])
    )
    times = np.eye(8)
    shares = _resample_shares(test, test, (scores, scores), times)
    assert shares.tolist() == [1.0] * 8


def test_without_common_pairs_there_is_no_share() -> None:
    reference = apart([0.1, 0.9], noise=0.01)
    found = compared(reference, apart([0.5, 0.5], noise=0.3))
    assert (found.both, found.missed, found.of) == (0, 1, 1)
    assert math.isnan(found.share)
