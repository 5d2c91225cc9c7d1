"""Randomised Tukey HSD: Tables 11 and 12 of ordering-gold-bronze, a simple loop, its trials."""

import itertools

import numpy as np
import pytest
from scipy import stats
from tests.stats.printed_letters import TABLES, rows_with

from qrelsmith.base.rng import rng_for
from qrelsmith.stats.letters import letter, letters, outperforms
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.randomised_tukey import (
    permuted_ranges,
    randomised_tukey,
    randomised_tukey_stack,
)
from qrelsmith.stats.significance import TESTS


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_printed_means_and_residual_variance_give_every_printed_letter(table, seed):
    variance, lines = TABLES[table]
    means, expected = [line[1] for line in lines], [line[2] for line in lines]
    scores = rows_with(means, variance, seed=seed)
    result = randomised_tukey(scores, rng=rng_for(seed, "table"), trials=1000)
    assert result.residual_variance == pytest.approx(variance)
    assert result.means == pytest.approx(means)
    assert letters(result) == tuple(expected)


def test_the_assumed_distribution_would_add_letters_to_table_12():
    # Permuted rows contain the differences between systems, too, so randomised Tukey is more
    # conservative: with the distribution, d would outperform e, too, and f, g, h some of i, j.
    variance, lines = TABLES["table-12"]
    found = letters(paired_tukey(rows_with([line[1] for line in lines], variance)))
    printed = tuple(line[2] for line in lines)
    assert [line for line in range(12) if found[line] != printed[line]] == [3, 5, 6, 7]
    assert (found[3], found[5]) == ("e,f,g,h,i,j,k,l", "i,j,k,l")


def loop_ranges(scores, trials, seed):
    """Compute ranges of permuted column means by simple loops."""
    rng = np.random.default_rng(seed)
    topics, systems = scores.shape
    ranges = []
    for _ in range(trials):
        sums = [0.0] * systems
        for row in scores:
            for column, place in enumerate(rng.permutation(systems)):
                sums[column] += row[place]
        ranges.append((max(sums) - min(sums)) / topics)
    return ranges


@pytest.mark.parametrize("systems", [2, 3, 5])
def test_ranges_have_the_distribution_of_simple_loops(systems):
    scores = np.random.default_rng(systems).random((8, systems)).round(2)
    fast = permuted_ranges(scores, 6000, rng_for(1, "ranges"))
    assert stats.ks_2samp(fast, loop_ranges(scores, 3000, 2)).pvalue > 0.001


def test_p_is_the_share_of_ranges_at_least_as_large():
    scores = np.random.default_rng(3).random((6, 4))
    result = randomised_tukey(scores, rng=rng_for(4, "p"), trials=700)
    ranges = permuted_ranges(scores, 700, rng_for(4, "p"))
    for difference, p in zip(result.difference, result.p, strict=True):
        assert p == np.mean(ranges >= abs(difference) - 1e-12)


def test_two_systems_and_few_topics_are_close_to_the_exact_p():
    # With two systems a permutation is a sign, and the range the absolute mean of signed
    # differences 1, 2, 4, −1: of 2^4 sums of ±1 ±2 ±4 ±1, ±8 once and ±6 twice reach 6.
    scores = np.column_stack([[1.0, 2.0, 4.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    result = randomised_tukey(scores, rng=rng_for(0, "exact"), trials=40_000)
    assert result.p[0] == pytest.approx(6 / 16, abs=0.01)


def test_every_permutation_is_equally_likely():
    # Powers of ten identify the 24 permutations of one row by their first column.
    rows = np.array([[0.0, 1.0, 10.0, 100.0]] * 2)
    ranges = permuted_ranges(rows, 24_000, rng_for(5, "uniform"))
    # One row may be fixed: 24 equally likely second rows, some with equal ranges.
    expected = {}
    for order in itertools.permutations(rows[0]):
        sums = rows[0] + order
        key = round((sums.max() - sums.min()) / 2, 6)
        expected[key] = expected.get(key, 0) + 1000
    keys, counts = np.unique(ranges.round(6), return_counts=True)
    assert sorted(expected) == keys.tolist()
    assert stats.chisquare(counts, [expected[key] for key in keys.tolist()]).pvalue > 0.001


def test_a_longer_series_of_trials_begins_with_the_shorter_one():
    scores = np.random.default_rng(0).random((5, 3))
    long = permuted_ranges(scores, 1700, rng_for(9, "series"))
    for trials in (1, 499, 500, 501, 1200):
        assert (permuted_ranges(scores, trials, rng_for(9, "series")) == long[:trials]).all()


def test_many_systems_leave_few_random_bits_but_are_handled():
    # 2^14 names leave 18 random bits, so keys collide in every row.
    scores = np.zeros((2, 1 << 14))
    scores[0, 0], scores[1, 7] = 1.0, 1.0
    ranges = permuted_ranges(scores, 3, rng_for(0, "many"))
    assert ranges.tolist() == [0.5, 0.5, 0.5]


def test_add_one_counts_the_data_as_a_trial():
    scores = np.random.default_rng(1).normal(size=(40, 3)) + np.array([0.0, 0.0, 3.0])
    plain = randomised_tukey(scores, rng=rng_for(1, "a"), trials=99)
    added = randomised_tukey(scores, rng=rng_for(1, "a"), trials=99, add_one=True)
    assert plain.p.min() == 0
    assert added.p == pytest.approx((plain.p * 99 + 1) / 100)
    assert added.options["add_one"] is True
    assert TESTS.label("randomised-tukey(add_one=1)") == "randomised-tukey(add_one=1)"
    few = randomised_tukey(scores, rng=rng_for(1, "a"), trials=10, add_one=True)
    assert not few.significant.any()
    assert np.isinf(few.critical).all()


def test_the_familywise_error_is_alpha_when_all_systems_are_equal():
    rng = np.random.default_rng(12)
    found = 0
    for run in range(200):
        scores = rng.random((12, 4)) ** 2
        result = randomised_tukey(scores, rng=rng_for(run, "null"), trials=500, alpha=0.1)
        found += bool(result.significant.any())
    assert 8 <= found <= 34


def test_letters_continue_after_z_and_name_only_worse_systems():
    scores = np.arange(30.0) + np.random.default_rng(0).normal(scale=0.01, size=(6, 30))
    result = randomised_tukey(scores, rng=rng_for(0, "z"), trials=500)
    better = outperforms(result)
    assert better[29, 0]
    assert not better[0, 29]
    assert not better.diagonal().any()
    assert letters(result)[0] == ""
    assert letter(29) == "ad"


def test_matrices_of_a_stack_share_their_permutations() -> None:
    stack = np.random.default_rng(4).random((3, 6, 5))
    together = randomised_tukey_stack(stack, rng=np.random.default_rng(2), trials=700)
    for scores, found in zip(stack, together, strict=True):
        alone = randomised_tukey(scores, rng=np.random.default_rng(2), trials=700)
        assert (found.p == alone.p).all()
        assert (found.critical == alone.critical).all()
    assert randomised_tukey_stack(stack[:0], rng=np.random.default_rng(2)) == []
    (single,) = randomised_tukey_stack(stack[:1, :, :1], rng=np.random.default_rng(2))
    assert not len(single.p)
