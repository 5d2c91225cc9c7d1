"""Intervals for τ: every one that ordering-gold-bronze prints, twins and edges."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.stats.kendall import kendall_tau_a, kendall_tau_b
from qrelsmith.stats.tau_intervals import INTERVALS, consistent, fieller, fieller_limits

# ordering-gold-bronze: table, row, column, τ, low, high; n = 18. The row "RND-Gold-nDCG" that
# Table 17 prints twice is Q the second time.
PRINTED = [
    (9, "nDCG", "Gold", 0.621, 0.363, 0.791),
    (9, "nDCG", "BronzeW", 0.503, 0.204, 0.716),
    (9, "nDCG", "BronzeT", 0.686, 0.457, 0.83),
    (9, "Q", "Gold", 0.608, 0.345, 0.783),
    (9, "Q", "BronzeW", 0.49, 0.188, 0.708),
    (9, "Q", "BronzeT", 0.686, 0.457, 0.83),
    (9, "nERR", "Gold", 0.49, 0.188, 0.708),
    (9, "nERR", "BronzeW", 0.327, -0.007, 0.595),
    (9, "nERR", "BronzeT", 0.66, 0.419, 0.814),
    (9, "iRBU", "Gold", 0.542, 0.255, 0.741),
    (9, "iRBU", "BronzeW", 0.294, -0.043, 0.571),
    (9, "iRBU", "BronzeT", 0.634, 0.381, 0.798),
    (10, "nDCG", "Gold-BronzeW", 0.49, 0.188, 0.708),
    (10, "nDCG", "Gold-BronzeT", 0.739, 0.538, 0.86),
    (10, "nDCG", "BronzeW-BronzeT", 0.516, 0.221, 0.725),
    (10, "Q", "Gold-BronzeW", 0.438, 0.123, 0.673),
    (10, "Q", "Gold-BronzeT", 0.804, 0.643, 0.897),
    (10, "Q", "BronzeW-BronzeT", 0.477, 0.171, 0.699),
    (10, "nERR", "Gold-BronzeW", 0.314, -0.021, 0.586),
    (10, "nERR", "Gold-BronzeT", 0.516, 0.221, 0.725),
    (10, "nERR", "BronzeW-BronzeT", 0.327, -0.007, 0.595),
    (10, "iRBU", "Gold-BronzeW", 0.248, -0.093, 0.537),
    (10, "iRBU", "Gold-BronzeT", 0.549, 0.264, 0.746),
    (10, "iRBU", "BronzeW-BronzeT", 0.307, -0.029, 0.581),
    (17, "PRI-Gold-nDCG", "lo-SLWWW", 0.647, 0.4, 0.806),
    (17, "RND-Gold-nDCG", "lo-SLWWW", 0.869, 0.754, 0.932),
    (17, "RND-Gold-nDCG", "lo-THUIR", 0.961, 0.925, 0.981),
    (17, "PRI-Gold-Q", "lo-SLWWW", 0.569, 0.291, 0.758),
    (17, "PRI-Gold-Q", "lo-THUIR", 0.922, 0.85, 0.96),
    (17, "RND-Gold-nDCG", "lo-SLWWW", 0.752, 0.559, 0.868),
    (17, "RND-Gold-nDCG", "lo-THUIR", 0.817, 0.665, 0.904),
    (17, "PRI-Gold-nERR", "lo-ORG", 0.869, 0.754, 0.932),
    (17, "PRI-Gold-nERR", "lo-SLWWW", 0.882, 0.777, 0.939),
    (17, "RND-Gold-nERR", "lo-ORG", 0.908, 0.824, 0.953),
    (17, "RND-Gold-nERR", "lo-SLWWW", 0.987, 0.974, 0.993),
    (17, "RND-Gold-nERR", "lo-THUIR", 0.987, 0.974, 0.993),
    (17, "PRI-Gold-iRBU", "lo-ORG", 0.993, 0.986, 0.996),
    (17, "PRI-Gold-iRBU", "lo-KASYS", 0.993, 0.986, 0.996),
    (17, "PRI-Gold-iRBU", "lo-SLWWW", 0.797, 0.632, 0.893),
    (17, "PRI-Gold-iRBU", "lo-THUIR", 0.954, 0.91, 0.977),
    (17, "RND-Gold-iRBU", "lo-ORG", 0.993, 0.986, 0.996),
    (17, "RND-Gold-iRBU", "lo-KASYS", 0.993, 0.986, 0.996),
    (17, "RND-Gold-iRBU", "lo-SLWWW", 0.941, 0.885, 0.97),
    (17, "RND-Gold-iRBU", "lo-THUIR", 0.993, 0.986, 0.996),
    (18, "PRI-Gold-nDCG", "lo-SLWWW", 0.647, 0.4, 0.806),
    (18, "PRI-BronzeW-nDCG", "lo-SLWWW", 0.804, 0.643, 0.897),
    (18, "PRI-BronzeW-nDCG", "lo-THUIR", 0.935, 0.874, 0.967),
    (18, "PRI-BronzeT-nDCG", "lo-SLWWW", 0.595, 0.327, 0.775),
    (18, "PRI-BronzeT-nDCG", "lo-THUIR", 0.948, 0.899, 0.974),
    (18, "PRI-Gold-Q", "lo-SLWWW", 0.569, 0.291, 0.758),
    (18, "PRI-Gold-Q", "lo-THUIR", 0.922, 0.85, 0.96),
    (18, "PRI-BronzeW-Q", "lo-SLWWW", 0.817, 0.665, 0.904),
    (18, "PRI-BronzeW-Q", "lo-THUIR", 0.908, 0.824, 0.953),
    (18, "PRI-BronzeT-Q", "lo-SLWWW", 0.575, 0.299, 0.762),
    (18, "PRI-BronzeT-Q", "lo-THUIR", 0.948, 0.899, 0.974),
    (18, "PRI-Gold-nERR", "lo-ORG", 0.869, 0.754, 0.932),
    (18, "PRI-Gold-nERR", "lo-SLWWW", 0.882, 0.777, 0.939),
    (18, "PRI-BronzeW-nERR", "lo-ORG", 0.98, 0.96, 0.99),
    (18, "PRI-BronzeW-nERR", "lo-KASYS", 0.993, 0.986, 0.996),
    (18, "PRI-BronzeW-nERR", "lo-SLWWW", 0.824, 0.677, 0.908),
    (18, "PRI-BronzeW-nERR", "lo-THUIR", 0.993, 0.986, 0.996),
    (18, "PRI-BronzeT-nERR", "lo-ORG", 0.961, 0.924, 0.98),
    (18, "PRI-BronzeT-nERR", "lo-SLWWW", 0.778, 0.601, 0.882),
    (18, "PRI-BronzeT-nERR", "lo-THUIR", 0.987, 0.974, 0.993),
    (18, "PRI-Gold-iRBU", "lo-ORG", 0.993, 0.986, 0.996),
    (18, "PRI-Gold-iRBU", "lo-KASYS", 0.993, 0.986, 0.996),
    (18, "PRI-Gold-iRBU", "lo-SLWWW", 0.797, 0.632, 0.893),
    (18, "PRI-Gold-iRBU", "lo-THUIR", 0.954, 0.91, 0.977),
    (18, "PRI-BronzeW-iRBU", "lo-SLWWW", 0.752, 0.559, 0.868),
    (18, "PRI-BronzeW-iRBU", "lo-THUIR", 0.974, 0.949, 0.987),
    (18, "PRI-BronzeT-iRBU", "lo-SLWWW", 0.503, 0.204, 0.716),
]
MISPRINT = (17, "RND-Gold-nDCG", "lo-THUIR", 0.961, 0.925, 0.981)


def follows(tau, low, high):
    """Return whether the printed interval is Fieller's, rounded to three decimals."""
    ends = fieller_limits(tau, 18)
    return all(
        abs(float(end) - printed) <= 0.0005 + 1e-9
        for end, printed in zip(ends, (low, high), strict=True)
    )


def test_70_of_the_71_printed_intervals_follow_from_the_printed_tau():
    assert len(PRINTED) == 71
    assert [row for row in PRINTED if not follows(*row[3:])] == [MISPRINT]


def test_the_misprinted_interval_is_correct_in_table_18():
    # The same τ = .961 in Table 18, PRI-BronzeT-nERR, lo-ORG.
    assert follows(0.961, 0.924, 0.980)


def test_fiellers_interval_uses_1_96():
    low, high = fieller_limits(0.621, 18)
    half = 1.96 * math.sqrt(0.437 / 14)
    assert (math.atanh(high) - math.atanh(low)) / 2 == pytest.approx(half, abs=1e-12)


def test_fiellers_interval_of_two_rankings_is_for_tau_b():
    a, b = [9, 8, 7, 6, 6, 5, 4], [9, 7, 8, 6, 5, 5, 1]
    interval = fieller(a, b)
    assert interval.coefficient == "tau-b"
    assert interval.tau == kendall_tau_b(a, b)
    assert (interval.low, interval.high) == fieller_limits(interval.tau, 7)


def loop_consistent(a, b, z=1.96):
    """Compute the interval of Long & Cliff by simple loops."""
    n = len(a)
    t = [[np.sign(a[i] - a[j]) * np.sign(b[i] - b[j]) for j in range(n)] for i in range(n)]
    tau = sum(map(sum, t)) / (n * (n - 1))
    each = [sum(row) / (n - 1) for row in t]
    between = sum((x - tau) ** 2 for x in each) / (n - 1)
    single = sum((t[i][j] - tau) ** 2 for i in range(n) for j in range(n) if i != j)
    single /= n * (n - 1) - 1
    half = z * math.sqrt((4 * (n - 2) * between + 2 * single) / (n * (n - 1)))
    return tau, max(tau - half, -1), min(tau + half, 1)


@settings(deadline=None)
@given(
    st.integers(5, 9).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2)
    )
)
def test_the_consistent_interval_equals_simple_loops(lists):
    a, b = lists
    interval = consistent(a, b)
    tau, low, high = loop_consistent(a, b)
    assert interval.tau == pytest.approx(tau)
    assert interval.tau == pytest.approx(float(kendall_tau_a(a, b)))
    if abs(tau) < 1:
        assert (float(interval.low), float(interval.high)) == pytest.approx((low, high))
    else:
        assert np.isnan(interval.low)


@pytest.mark.slow
def test_the_consistent_interval_has_about_the_stated_coverage():
    # Normal scores with correlation ½: τ = 2/π·asin(½) = ⅓. 40 systems, 4,000 samples.
    rng = np.random.default_rng(11)
    a = rng.normal(size=(4000, 40))
    b = a / 2 + np.sqrt(0.75) * rng.normal(size=a.shape)
    for name in INTERVALS.names():
        interval = INTERVALS.get(name)(a, b)
        covered = np.mean((interval.low <= 1 / 3) & (interval.high >= 1 / 3))
        assert 0.92 < covered < 0.97


@pytest.mark.parametrize("name", INTERVALS.names())
class TestEdges:
    def test_there_is_no_interval_if_tau_is_1_or_minus_1(self, name):
        ranking = np.arange(7)
        for other in (ranking, -ranking):
            interval = INTERVALS.get(name)(ranking, other)
            assert abs(interval.tau) == 1
            assert np.isnan(interval.low)
            assert np.isnan(interval.high)

    def test_there_is_no_interval_for_fewer_than_five_systems(self, name):
        for n in range(5):
            interval = INTERVALS.get(name)(np.arange(n), np.arange(n)[::-1] % 3)
            assert np.isnan(interval.low)
            assert np.isnan(interval.high)
        assert not np.isnan(INTERVALS.get(name)([1, 2, 3, 4, 5], [2, 1, 3, 4, 5]).low)

    def test_the_interval_contains_tau_and_is_within_1(self, name):
        rng = np.random.default_rng(2)
        interval = INTERVALS.get(name)(rng.integers(0, 9, (200, 12)), rng.integers(0, 9, (200, 12)))
        assert interval.low.shape == (200,)
        assert (interval.low <= interval.tau).all()
        assert (interval.tau <= interval.high).all()
        assert interval.low.min() >= -1
        assert interval.high.max() <= 1

    def test_a_wider_z_gives_a_wider_interval(self, name):
        a, b = [1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 6, 5]
        narrow, wide = (INTERVALS.get(name)(a, b, z=z) for z in (1.0, 1.96))
        assert wide.low < narrow.low
        assert narrow.high <= wide.high


def test_a_ranking_that_ties_all_systems_has_no_fieller_interval():
    interval = fieller(np.ones(6), np.arange(6))
    assert np.isnan(interval.tau)
    assert np.isnan(interval.low)
