"""The test of equal proportions: Table 8 of ordering-gold-bronze, scipy, edge cases."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from qrelsmith.base.errors import UsageError
from qrelsmith.stats.proportions import equal_proportions, paired_proportions, wilson_interval

# ordering-gold-bronze, Table 8: disagreements, (a) PRI-Gold and (b) RND-Gold topics.
PART_1 = ([10, 78, 76, 219], [22, 106, 127, 358])  # Gold says L2, L2, L1, L1
PART_2 = ([51, 167, 221], [50, 184, 222])  # Gold says L0


def test_table_8_part_1_differs_and_part_2_does_not():
    assert (sum(PART_1[0]), sum(PART_1[1])) == (383, 613)
    first = equal_proportions(sum(PART_1[0]), 1592, sum(PART_1[1]), 1587)
    assert first.p < 2.2e-16
    second = equal_proportions(sum(PART_2[0]), 3537, sum(PART_2[1]), 3617)
    assert second.p > 0.05
    assert second.low < 0 < second.high


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_equals_scipys_test_of_the_2_by_2_table(n, m, data):
    x, y = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    test = equal_proportions(x, n, y, m, correct=True)
    if 0 < x + y < n + m:
        expected = stats.chi2_contingency([[x, n - x], [y, m - y]], correction=True)
        assert test.chi2 == pytest.approx(expected.statistic, abs=1e-9)
        assert test.p == pytest.approx(expected.pvalue, abs=1e-9)
        plain = equal_proportions(x, n, y, m, correct=False)
        bare = stats.chi2_contingency([[x, n - x], [y, m - y]], correction=False)
        assert plain.chi2 == pytest.approx(bare.statistic, abs=1e-9)
        assert plain.p <= test.p + 1e-12
    else:
        assert math.isnan(test.p)
    assert -1 <= test.low <= test.difference <= test.high <= 1


def test_the_interval_is_as_computed_by_hand():
    # δ = 15/25 − 5/25 = .4, h = .08, c = ½: .4 ± (1.959964·√(.24/25 + .16/25) + .04).
    test = equal_proportions(15, 25, 5, 25)
    half = 1.959964 * math.sqrt(0.24 / 25 + 0.16 / 25) + 0.04
    assert (test.low, test.high) == pytest.approx((0.4 - half, 0.4 + half), abs=1e-6)
    # χ² = (.4 − .04)²/(.4·.6·.08) = 6.75.
    assert test.chi2 == pytest.approx(6.75)
    assert test.p == pytest.approx(stats.chi2.sf(6.75, 1))


def test_equal_proportions_have_p_1():
    test = equal_proportions(3, 10, 6, 20)
    assert test.difference == pytest.approx(0)
    assert test.p == pytest.approx(1)


def test_swapping_the_groups_swaps_the_sign():
    one, two = equal_proportions(3, 10, 9, 20), equal_proportions(9, 20, 3, 10)
    assert (one.difference, one.low, one.p) == pytest.approx((-two.difference, -two.high, two.p))


@pytest.mark.parametrize("counts", [(0, 5, 0, 9), (5, 5, 9, 9)])
def test_a_test_of_two_shares_of_0_or_1_is_undefined(counts):
    test = equal_proportions(*counts)
    assert math.isnan(test.chi2)
    assert math.isnan(test.p)


@pytest.mark.parametrize(
    ("counts", "group"),
    [((6, 5, 1, 2), "first"), ((1, 5, -1, 2), "second"), ((0, 0, 1, 2), "first")],
)
def test_inconsistent_counts_are_named(counts, group):
    with pytest.raises(UsageError, match=f"the {group} group must have"):
        equal_proportions(*counts)


def test_a_level_out_of_range_is_refused():
    with pytest.raises(UsageError, match="level must be between 0 and 1; found 95"):
        equal_proportions(1, 2, 1, 2, level=95)


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        # Newcombe 1998, Table I, method 3 (score method without correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval_equals_the_published_values(
    hits: int, total: int, low: float, high: float
) -> None:
    assert wilson_interval(hits, total) == pytest.approx((low, high), abs=5.1e-5)


def test_the_wilson_interval_is_limited_and_its_counts_are_checked() -> None:
    assert all(map(math.isnan, wilson_interval(0, 0)))
    assert wilson_interval(5, 5)[1] == 1.0
    with pytest.raises(UsageError, match="hits"):
        wilson_interval(6, 5)


def test_paired_proportions_are_as_computed_by_hand() -> None:
    # 1 against 7 of 40 differ: exact two-sided p = 2 · (1 + 8)/2^8; Agresti and Min's interval is
    # (1.5 − 7.5)/42 ± 1.959964 · √(9 − 36/42)/42.
    result = paired_proportions(1, 7, 40)
    assert result.difference == pytest.approx(-0.15)
    assert result.p == pytest.approx(18 / 256)
    half = 1.959964 * math.sqrt(9 - 36 / 42) / 42
    assert (result.low, result.high) == pytest.approx((-6 / 42 - half, -6 / 42 + half))


def test_equal_paired_proportions_have_p_1_and_counts_are_checked() -> None:
    assert paired_proportions(0, 0, 5).p == 1.0
    assert paired_proportions(5, 5, 10).p == 1.0
    with pytest.raises(UsageError, match="expected a sum of at most"):
        paired_proportions(4, 4, 7)
