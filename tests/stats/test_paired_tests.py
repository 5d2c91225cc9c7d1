"""Rules for every paired test, and comparisons with published numbers, scipy or simple loops."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from tests.examples import examples

from qrelsmith.base.errors import ShapeError, UndefinedError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.effects import residual_variance_two_way
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.permutation import flipped_means, permutation
from qrelsmith.stats.significance import TESTS

NAMES = TESTS.names()
RANDOM = ["randomised-tukey", "permutation", "bootstrap"]


def run(name, scores, *, trials=400, seed=0, **options):
    return TESTS.get(name)(scores, rng=rng_for(seed, name), trials=trials, **options)


def example(topics=12, systems=4, seed=5):
    rng = np.random.default_rng(seed)
    return rng.random((topics, 1)) / 2 + rng.random((topics, systems)) / 2


def test_the_registry_contains_the_tests_of_the_command_line():
    assert set(NAMES) == {
        "randomised-tukey",
        "paired-tukey",
        "paired-t",
        "permutation",
        "bootstrap",
    }


@pytest.mark.parametrize("name", NAMES)
class TestContract:
    def test_every_pair_has_a_row_in_order(self, name):
        scores = example()
        result = run(name, scores)
        assert result.test == name
        pairs = list(zip(result.first.tolist(), result.second.tolist(), strict=True))
        assert pairs == list(itertools.combinations(range(4), 2))
        means = scores.mean(axis=0)
        assert result.difference == pytest.approx(means[result.first] - means[result.second])
        assert len(result.p) == len(result.effect_size) == len(result.critical) == 6
        assert (result.topics, result.systems) == (12, 4)

    @examples(30)
    @given(
        scores=hnp.arrays(
            float,
            st.tuples(st.integers(2, 6), st.integers(2, 4)),
            elements=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]),
        )
    )
    def test_p_is_a_probability_and_1_where_means_are_tied(self, name, scores):
        result = run(name, scores, trials=50)
        assert ((result.p >= 0) & (result.p <= 1)).all()
        assert (result.p[result.difference == 0] == 1).all()

    def test_the_order_of_systems_and_topics_changes_nothing_but_the_sign(self, name):
        scores = example(topics=20, systems=3)
        before = run(name, scores, trials=4000)
        after = run(name, scores[::-1, ::-1], trials=4000)
        tolerance = 0.04 if name in RANDOM else 1e-9
        assert after.p_matrix()[::-1, ::-1] == pytest.approx(before.p_matrix(), abs=tolerance)
        assert after.difference_matrix()[::-1, ::-1] == pytest.approx(before.difference_matrix())

    def test_identical_systems_have_p_1(self, name):
        scores = example()
        scores[:, 2] = scores[:, 0]
        result = run(name, scores)
        assert result.p_matrix()[0, 2] == 1
        assert result.difference_matrix()[0, 2] == 0

    def test_two_identical_systems_alone_have_p_1_and_no_effect_size(self, name):
        scores = np.repeat(example(systems=1), 2, axis=1)
        result = run(name, scores)
        assert result.p.tolist() == [1.0]
        assert np.isnan(result.effect_size).all()

    def test_equal_scores_everywhere_have_p_1(self, name):
        result = run(name, np.full((7, 3), 0.3))
        assert (result.p == 1).all()
        assert (result.difference == 0).all()

    def test_means_that_differ_only_by_rounding_have_p_1(self, name):
        # Column 1 contains 0.1 + 0.2, which is not 0.3, on topics without any other variation.
        result = run(name, np.column_stack([np.full(9, 0.3), np.full(9, 0.1 + 0.2)]))
        assert result.p.tolist() == [1.0]

    def test_without_two_systems_there_are_no_pairs(self, name):
        for systems in (0, 1):
            result = run(name, np.zeros((5, systems)))
            assert len(result.p) == len(result.critical) == len(result.difference) == 0
            assert result.systems == systems

    def test_one_topic_or_none_is_undefined(self, name):
        for topics in (0, 1):
            with pytest.raises(UndefinedError, match=f"at least two topics; found {topics}"):
                run(name, np.zeros((topics, 3)))

    def test_a_missing_score_is_named_by_topic_and_system(self, name):
        scores = example()
        scores[3, 1] = np.nan
        with pytest.raises(ShapeError, match="topic 3, system 1 = nan"):
            run(name, scores)

    def test_a_vector_is_refused(self, name):
        with pytest.raises(ShapeError, match="must have 2 dimensions; found 1"):
            run(name, np.zeros(5))

    @pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0, np.nan])
    def test_a_level_out_of_range_is_refused(self, name, alpha):
        with pytest.raises(UsageError, match="alpha must be between 0 and 1"):
            run(name, example(), alpha=alpha)

    def test_the_critical_difference_separates_significant_from_not(self, name):
        rng = np.random.default_rng(8)
        scores = rng.normal(size=(30, 9)) + np.linspace(0, 1.2, 9)
        result = run(name, scores, trials=1000)
        # Sakai's estimate for the bootstrap is |w̄*| of one sample, so it is only approximate.
        slack = 0.5 if name == "bootstrap" else 0.0
        size = np.abs(result.difference)
        assert 5 < result.significant.sum() < 36
        assert (size[result.significant] > result.critical[result.significant] * (1 - slack)).all()
        rest = ~result.significant
        assert (size[rest] <= result.critical[rest] * (1 + slack) + 1e-9).all()

    def test_scores_are_not_changed(self, name):
        scores = example()
        copy = scores.copy()
        run(name, scores)
        assert (scores == copy).all()

    def test_a_shift_and_a_scale_factor_change_nothing(self, name):
        scores = example(topics=15)
        before = run(name, scores, trials=500)
        after = run(name, 1000 + 256 * scores, trials=500)
        assert after.p == pytest.approx(before.p, abs=1e-6)
        assert after.effect_size == pytest.approx(before.effect_size, rel=1e-6)


@pytest.mark.parametrize("name", RANDOM)
class TestTrials:
    def test_p_is_a_multiple_of_one_trial_and_the_seed_is_recorded(self, name):
        result = run(name, example(), trials=40)
        assert result.trials == 40
        assert result.p * 40 == pytest.approx(np.round(result.p * 40), abs=1e-9)
        assert result.randomness.startswith("PCG64(entropy=")

    def test_the_seed_determines_p(self, name):
        scores = example(topics=30, systems=6, seed=1)
        one, two = (run(name, scores, seed=4).p for _ in range(2))
        assert (one == two).all()
        assert (run(name, scores, seed=5).p != one).any()

    @pytest.mark.parametrize("trials", [0, -1, 2.5])
    def test_an_invalid_number_of_trials_is_refused(self, name, trials):
        with pytest.raises(UsageError, match="trials must be a whole number, 1 or more"):
            run(name, example(), trials=trials)

    def test_one_trial_is_enough_to_run(self, name):
        assert set(run(name, example(), trials=1).p.tolist()) <= {0.0, 1.0}


def test_paired_t_equals_scipy_for_every_pair():
    scores = example(topics=25, systems=7)
    result = paired_t(scores)
    for i, j, p in zip(result.first, result.second, result.p, strict=True):
        assert p == pytest.approx(stats.ttest_rel(scores[:, i], scores[:, j]).pvalue, rel=1e-10)
    d = scores[:, 0] - scores[:, 1]
    assert result.effect_size[0] == pytest.approx(d.mean() / d.std(ddof=1))


def test_the_t_test_of_students_sleep_data_has_the_published_result():
    # Student 1908, hours of sleep gained with two drugs: t = −4.0621, 9 degrees, p = .002833.
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    result = paired_t(np.column_stack([first, second]))
    assert result.p[0] == pytest.approx(0.002833, abs=5e-7)
    assert result.effect_size[0] == pytest.approx(-4.0621 / np.sqrt(10), abs=5e-5)


@pytest.mark.parametrize("name", ["paired-t", "paired-tukey"])
def test_a_constant_difference_has_p_0_and_an_infinite_effect(name):
    scores = example(systems=1) + np.array([[0.0, 0.1]])
    result = run(name, scores)
    assert result.p.tolist() == [0.0]
    assert result.effect_size.tolist() == [-np.inf]


def test_a_constant_difference_has_p_0_by_the_bootstrap_too():
    scores = example(systems=1) + np.array([[0.0, 0.1]])
    assert run("bootstrap", scores).p.tolist() == [0.0]


def test_a_long_table_is_processed_in_blocks():
    rng = np.random.default_rng(0)
    scores = rng.random((3000, 45))
    for name in ("permutation", "bootstrap"):
        blocks = run(name, scores, trials=900)
        alone = run(name, scores[:, [3, 44]], trials=900)
        assert blocks.p_matrix()[3, 44] == alone.p[0]


def test_paired_tukey_of_two_systems_is_the_paired_t_test():
    scores = example(topics=9, systems=2)
    tukey, t = paired_tukey(scores), paired_t(scores)
    assert tukey.p == pytest.approx(t.p, rel=1e-9)
    assert tukey.critical == pytest.approx(t.critical, rel=1e-9)


def test_paired_tukey_equals_scipys_studentised_range():
    scores = example(topics=10, systems=5)
    result = paired_tukey(scores)
    variance = residual_variance_two_way(scores)
    q = np.abs(result.difference) / np.sqrt(variance / 10)
    assert result.p == pytest.approx(stats.studentized_range.sf(q, 5, 36), abs=1e-8)
    assert result.residual_variance == variance
    assert result.effect_size == pytest.approx(result.difference / np.sqrt(variance))


def loop_permutation(d):
    """Compute the exact sign-flip p-value over all 2^n signs."""
    observed = abs(sum(d))
    sums = [
        sum(s * x for s, x in zip(signs, d, strict=True))
        for signs in itertools.product([1, -1], repeat=len(d))
    ]
    return sum(abs(s) >= observed - 1e-12 for s in sums) / len(sums)


def test_permutation_is_close_to_the_exact_p_over_all_signs():
    scores = example(topics=9, systems=3, seed=2)
    trials = 40_000
    result = permutation(scores, rng=rng_for(1, "permutation"), trials=trials)
    for i, j, p in zip(result.first, result.second, result.p, strict=True):
        exact = loop_permutation((scores[:, i] - scores[:, j]).tolist())
        assert abs(p - exact) < 4.5 * np.sqrt(exact * (1 - exact) / trials)


def test_permutation_shares_its_signs_between_pairs_and_its_trials_between_lengths():
    scores = example(topics=130, systems=3)
    means = flipped_means(scores, 300, rng_for(2, "signs"))
    longer = flipped_means(scores, 700, rng_for(2, "signs"))
    assert longer[:, :300] == pytest.approx(means, abs=1e-14)
    # The sign of every topic is fair, and the mean of ±d has the variance of d.
    d = scores[:, 0] - scores[:, 1]
    many = flipped_means(scores, 20_000, rng_for(3, "signs"))
    assert np.mean((many[0] - many[1]) ** 2) == pytest.approx((d**2).sum() / 130**2, rel=0.05)


def loop_bootstrap(x, y, samples):
    """Compute Sakai's paired bootstrap by simple loops over given samples of topics."""
    z = np.asarray(x) - np.asarray(y)
    n = len(z)

    def t(values):
        spread = values.std(ddof=1)
        return values.mean() / (spread / np.sqrt(n)) if spread else 0.0

    w = z - z.mean()
    found = [(abs(t(w[sample])), abs(w[sample].mean())) for sample in samples]
    share = sum(value >= abs(t(z)) for value, _ in found) / len(samples)
    rank = int(np.ceil(0.05 * len(samples)))
    return share, sorted(found, reverse=True)[rank - 1][1]


def test_bootstrap_equals_simple_loops_over_the_same_samples():
    scores = example(topics=11, systems=3, seed=9)
    result = run("bootstrap", scores, trials=500, seed=6)
    draws = rng_for(6, "bootstrap").integers(0, 11, size=(500, 11))
    for i, j, p, needed in zip(result.first, result.second, result.p, result.critical, strict=True):
        expected, difference = loop_bootstrap(scores[:, i], scores[:, j], draws)
        assert p == pytest.approx(expected)
        assert needed == pytest.approx(difference)


def test_the_three_pairwise_tests_agree_on_normal_differences():
    scores = np.random.default_rng(3).normal(size=(60, 5)) + np.linspace(0, 0.5, 5)
    t = paired_t(scores).p
    assert run("permutation", scores, trials=20_000).p == pytest.approx(t, abs=0.02)
    assert run("bootstrap", scores, trials=20_000).p == pytest.approx(t, abs=0.03)
