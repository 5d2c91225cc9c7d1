"""Tests of independent samples: Tables 3 and 4 of ordering-gold-bronze, scipy, edge cases."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.effects import glass_delta
from qrelsmith.stats.significance import (
    INDEPENDENT_TESTS,
    TESTS,
    two_sample_t,
    two_sample_t_summary,
    unpaired_tukey,
    unpaired_tukey_summary,
    welch_t,
)

# ordering-gold-bronze, Table 3: criterion, PRI mean and n, RND mean and n, p, s.d. (RND), Glass's Δ
TABLE_3 = [
    ("TJ1D", 41.7, 21, 65.4, 25, 0.0531, 47.5, 0.499),
    ("TF1RH", 79.9, 24, 120.7, 22, 0.0364, 58.2, 0.702),
    ("TF1H", 127.7, 23, 210.8, 20, 0.0499, 154.3, 0.538),
    ("ATBJ", 25.7, 25, 27.4, 25, 0.664, 15.0, 0.110),
    ("NREJ", 8.04, 25, 3.44, 25, 0.102, 4.66, 0.986),
]
# Table 4: criterion, means and n of (a) Gold (b) BronzeW (c) BronzeT, V_E1, then for a–c and b–c
# the printed p and ES_E1.
TABLE_4 = [
    ("TJ1D", (41.7, 41.6, 69.7), (21, 48, 20), 1373, ("0.0463", 0.756), ("0.0153", 0.758)),
    ("TF1RH", (79.9, 63.3, 214.6), (24, 47, 30), 12433, ("0.0000777", 1.21), ("0.0000002", 1.36)),
    ("TF1H", (127.7, 119.5, 226.9), (23, 36, 27), 19423, ("0.0373", 0.712), ("0.00919", 0.771)),
    ("ATBJ", (25.7, 20.8, 40.7), (25, 50, 50), 139, ("0.0000024", 1.27), ("0", 1.69)),
    ("NREJ", (8.04, 5.08, 17.0), (25, 50, 50), 169.5, ("0.0153", 0.688), ("0.0000317", 0.916)),
]


def as_printed(p, printed):
    """Return whether values differ by at most 15%, or are equal in the printed digits."""
    decimals = len(printed.partition(".")[2])
    return math.isclose(p, float(printed), rel_tol=0.15) or round(p, decimals) == float(printed)


@pytest.mark.parametrize("row", TABLE_4, ids=[row[0] for row in TABLE_4])
def test_table_4_follows_from_its_means_sizes_and_residual_variance(row):
    _, means, sizes, variance, gold, bronze = row
    result = unpaired_tukey_summary(means, sizes, variance)
    for pair, (p, effect) in ((1, gold), (2, bronze)):
        assert as_printed(result.p[pair], p)
        assert abs(result.effect_size[pair]) == pytest.approx(effect, abs=0.005)
    # "the difference between PRI-Gold and PRI-BronzeW is small and not statistically significant"
    assert result.p[0] > 0.05


def test_the_p_printed_as_about_0_in_table_4_is_far_below_its_smallest_digit():
    result = unpaired_tukey_summary((25.7, 20.8, 40.7), (25, 50, 50), 139)
    assert 0 < result.p[2] < 1e-12


def test_no_difference_in_table_5_is_significant():
    # Table 5: mean κ over 25, 50, 25, 25 and 25 topics, V_E1 = 0.03511.
    means = [0.5324, 0.4575, 0.4568, 0.4445, 0.4350]
    result = unpaired_tukey_summary(means, [25, 50, 25, 25, 25], 0.03511)
    assert result.p.min() > 0.05
    assert result.effect_size[2] == pytest.approx(0.469, abs=5e-4)


@pytest.mark.parametrize("row", TABLE_3, ids=[row[0] for row in TABLE_3])
def test_table_3_glass_delta_follows_from_its_means_and_deviation(row):
    _, pri, _, rnd, _, _, deviation, delta = row
    assert abs(glass_delta(rnd, pri, deviation)) == pytest.approx(delta, abs=0.005)


@pytest.mark.parametrize("row", TABLE_3, ids=[row[0] for row in TABLE_3])
def test_table_3_p_is_that_of_a_t_test_for_some_deviation_of_the_other_group(row):
    # The table gives one of the two standard deviations. The other one that Student's t needs for
    # the printed p exists and has a similar size, except for NREJ, where the variance of PRI is
    # several times larger.
    name, pri, n_pri, rnd, n_rnd, printed, deviation, _ = row

    def excess(other):
        result = two_sample_t_summary([pri, rnd], [n_pri, n_rnd], [other, deviation])
        return result.p[0] - printed

    other = optimize.brentq(excess, 1e-6, 1000)
    assert 0.1 < other / deviation < (4 if name == "NREJ" else 2)


def samples(sizes=(9, 14, 5), seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(i / 2, 1 + i / 2, n) for i, n in enumerate(sizes)]


def test_unpaired_tukey_equals_scipy_for_unequal_sizes():
    groups = samples()
    result = unpaired_tukey(groups)
    expected = stats.tukey_hsd(*groups).pvalue
    assert result.p == pytest.approx(expected[result.first, result.second], abs=1e-8)
    assert result.freedom.tolist() == [25.0] * 3


def test_unpaired_tukey_of_two_groups_is_students_t_test():
    groups = samples((9, 14))
    assert unpaired_tukey(groups).p == pytest.approx(two_sample_t(groups).p, rel=1e-9)


@pytest.mark.parametrize(("test", "equal"), [(two_sample_t, True), (welch_t, False)])
def test_t_tests_equal_scipy_for_every_pair(test, equal):
    groups = samples()
    result = test(groups)
    for i, j, p, freedom in zip(result.first, result.second, result.p, result.freedom, strict=True):
        expected = stats.ttest_ind(groups[i], groups[j], equal_var=equal)
        assert p == pytest.approx(expected.pvalue, rel=1e-9)
        assert freedom == pytest.approx(expected.df)


def test_the_summary_of_the_samples_gives_the_same_result_as_the_samples():
    groups = samples()
    means, sizes = [g.mean() for g in groups], [len(g) for g in groups]
    result = two_sample_t_summary(means, sizes, [g.std(ddof=1) for g in groups])
    assert result.p == pytest.approx(two_sample_t(groups).p)
    assert (result.sizes == sizes).all()


@pytest.mark.parametrize("name", INDEPENDENT_TESTS.names())
class TestContract:
    def test_topics_by_systems_are_refused_as_independent_samples(self, name):
        with pytest.raises(ShapeError, match=r"scores\[topic, system\] are paired"):
            INDEPENDENT_TESTS.get(name)(np.zeros((5, 3)))

    def test_no_test_of_independent_samples_is_among_the_paired_tests(self, name):
        assert name not in TESTS.names()

    def test_equal_samples_have_p_1(self, name):
        result = INDEPENDENT_TESTS.get(name)([[1.0, 2.0, 4.0], [4.0, 2.0, 1.0]])
        assert result.p.tolist() == [1.0]

    def test_constant_samples_have_p_1_or_0(self, name):
        assert INDEPENDENT_TESTS.get(name)([[2.0, 2.0], [2.0, 2.0]]).p.tolist() == [1.0]
        different = INDEPENDENT_TESTS.get(name)([[2.0, 2.0], [3.0, 3.0]])
        assert different.p.tolist() == [0.0]
        assert different.effect_size.tolist() == [-np.inf]

    def test_single_values_leave_no_variance_to_estimate(self, name):
        result = INDEPENDENT_TESTS.get(name)([[1.0], [2.0]])
        assert np.isnan(result.p).all()

    def test_one_group_or_none_has_no_pairs(self, name):
        assert len(INDEPENDENT_TESTS.get(name)([[1.0, 2.0]]).p) == 0
        assert len(INDEPENDENT_TESTS.get(name)([]).p) == 0

    def test_a_bad_sample_is_named(self, name):
        test = INDEPENDENT_TESTS.get(name)
        with pytest.raises(ShapeError, match="sample 1 is empty; expected at least one value"):
            test([[1.0], []])
        with pytest.raises(ShapeError, match="sample 1 must contain finite numbers; found index 0"):
            test([[1.0, 2.0], [np.nan, 3.0]])
        with pytest.raises(ShapeError, match="sample 0 must have 1 dimensions"):
            test([[[1.0]], [2.0]])

    def test_the_order_of_groups_changes_only_the_sign(self, name):
        test = INDEPENDENT_TESTS.get(name)
        forth, back = test(samples((5, 8))), test(samples((5, 8))[::-1])
        assert back.p == pytest.approx(forth.p)
        assert back.difference == pytest.approx(-forth.difference)


def test_welch_with_a_single_value_is_undefined_but_student_is_not():
    groups = [[1.0], [2.0, 3.0, 5.0]]
    assert np.isnan(welch_t(groups).p).all()
    assert two_sample_t(groups).p == pytest.approx(stats.ttest_ind(*groups).pvalue)


@pytest.mark.parametrize("sizes", [[0, 3], [2.5, 3]])
def test_a_size_that_is_not_a_count_is_named(sizes):
    with pytest.raises(ShapeError, match="sizes must be whole numbers of 1 or more: group 0 has"):
        unpaired_tukey_summary([1.0, 2.0], sizes, 1.0)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ShapeError, match="means and sizes"):
        unpaired_tukey_summary([1.0, 2.0], [3], 1.0)
    with pytest.raises(ShapeError, match="means and deviations"):
        two_sample_t_summary([1.0, 2.0], [3, 3], [1.0])
