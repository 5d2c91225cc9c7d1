"""Topic set sizes: published ones, statsmodels, simulation, edge cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qrelsmith.base.errors import ShapeError, UnknownNameError, UsageError
from qrelsmith.stats.design.power import POWERS, anova_power, paired_t_power, two_sample_t_power
from qrelsmith.stats.design.search import detectable_difference, topics_for_power, topics_for_width
from qrelsmith.stats.design.width import WIDTHS, paired_width, two_sample_width

aims = {
    "difference": st.floats(0.02, 1),
    "variance": st.floats(0.001, 0.2),
    "alpha": st.sampled_from([0.01, 0.05, 0.1]),
    "systems": st.integers(2, 30),
}


@pytest.mark.parametrize(
    # ordering-gold-bronze, 3.2: 50 topics for nERR and iRBU; V_E2 in its footnote 12.
    ("variance", "difference", "power_of_50"),
    [(0.0284, 0.1, 0.836), (0.00716, 0.05, 0.833)],
)
def test_the_topics_of_www_4_are_enough(
    variance: float, difference: float, power_of_50: float
) -> None:
    assert topics_for_power("anova", difference=difference, variance=variance) == 46
    power = float(anova_power(50, difference=difference, variance=variance))
    assert power == pytest.approx(power_of_50, abs=5e-4)
    assert detectable_difference("anova", 50, variance=variance) < difference


@pytest.mark.parametrize(
    ("test", "effect", "systems", "topics"),
    [
        # Cohen 1988, Table 2.4.1 (t of two samples, two-sided α = .05, power .80), and the same for
        # one sample of differences.
        ("two-sample-t", 0.2, 2, 394),
        ("two-sample-t", 0.5, 2, 64),
        ("two-sample-t", 0.8, 2, 26),
        ("paired-t", 0.2, 2, 199),
        ("paired-t", 0.5, 2, 34),
        ("paired-t", 0.8, 2, 15),
        # The analysis of variance with f = .25 and 3 or 4 groups: 159 and 180 in total (G*Power).
        ("anova", 0.25, 3, 53),
        ("anova", 0.25, 4, 45),
    ],
)
def test_sample_sizes_equal_those_of_textbooks(
    test: str, effect: float, systems: int, topics: int
) -> None:
    # f² = Σa²/(m·σ²) = D²/(2mσ²) in the worst case of the analysis of variance.
    difference = effect * np.sqrt(2 * systems) if test == "anova" else effect
    variance = 0.5 if test == "paired-t" else 1.0
    found = topics_for_power(test, difference=difference, variance=variance, systems=systems)
    assert found == topics


@given(topics=st.integers(2, 500), **aims)
def test_power_equals_that_of_statsmodels(
    topics: int, difference: float, variance: float, alpha: float, systems: int
) -> None:
    smp = pytest.importorskip(
        "statsmodels.stats.power", reason="statsmodels, the oracle of power, is not installed"
    )
    effect = difference / np.sqrt(variance)
    options = {"difference": difference, "variance": variance, "alpha": alpha}
    anova = smp.FTestAnovaPower().power(
        effect / np.sqrt(2 * systems), topics * systems, alpha, k_groups=systems
    )
    for ours, theirs in (
        (anova_power(topics, systems=systems, **options), anova),
        (two_sample_t_power(topics, **options), smp.TTestIndPower().power(effect, topics, alpha)),
        (paired_t_power(topics, **options), smp.TTestPower().power(effect / 2**0.5, topics, alpha)),
    ):
        # Their value is nan if the far tail of scipy's noncentral t underflows.
        if not np.isnan(theirs):
            assert ours == pytest.approx(theirs, abs=1e-8)


@pytest.mark.parametrize("systems", [2, 3, 10])
def test_topic_set_sizes_equal_those_of_statsmodels(systems: int) -> None:
    smp = pytest.importorskip(
        "statsmodels.stats.power", reason="statsmodels, the oracle of power, is not installed"
    )
    for difference in (0.05, 0.1, 0.2):
        effect = difference / np.sqrt(2 * systems * 0.0284)
        theirs = smp.FTestAnovaPower().solve_power(effect, alpha=0.05, power=0.8, k_groups=systems)
        ours = topics_for_power("anova", difference=difference, variance=0.0284, systems=systems)
        assert ours == np.ceil(float(np.squeeze(theirs)) / systems)


@given(topics=st.integers(2, 200), **aims)
def test_two_groups_are_a_t_test_and_noncentral_t_gives_the_same_result(
    topics: int, difference: float, variance: float, alpha: float, systems: int
) -> None:
    options = {"difference": difference, "variance": variance, "alpha": alpha}
    power = two_sample_t_power(topics, **options)
    assert power == pytest.approx(float(anova_power(topics, systems=2, **options)), abs=1e-12)
    freedom, shift = 2 * topics - 2, difference * np.sqrt(topics / 2 / variance)
    if shift < 5:  # beyond this, scipy's noncentral t is nan in the far tail
        critical = stats.t.isf(alpha / 2, freedom)
        both = stats.nct.sf(critical, freedom, shift) + stats.nct.cdf(-critical, freedom, shift)
        assert power == pytest.approx(both, abs=1e-6)


@pytest.mark.parametrize("systems", [2, 6, 30])
def test_power_never_falls_as_topics_are_added(systems: int) -> None:
    # In this range scipy's probabilities of missing the difference end between 1e-300 and 0, where
    # some are nan.
    for difference in np.geomspace(0.01, 100, 60):
        power = anova_power(
            [2, 3, 5, 10, 50, 100, 1000, 5000, 10**6],
            difference=difference,
            variance=1,
            systems=systems,
        )
        assert (np.diff(power) > -1e-12).all()
        assert (power > 0.05 - 1e-12).all()


def test_power_is_the_share_of_simulated_tests_that_are_significant() -> None:
    rng = np.random.default_rng(0)
    means, topics = np.array([0.05, -0.05, 0.0]), 30
    scores = means[:, None] + 0.15 * rng.standard_normal((4000, 3, topics))
    found = (stats.f_oneway(*np.moveaxis(scores, 1, 0), axis=1).pvalue < 0.05).mean()
    expected = anova_power(topics, difference=0.1, variance=0.15**2, systems=3)
    # Three standard errors of a share of 4,000.
    assert found == pytest.approx(float(expected), abs=0.024)


def test_widths_equal_those_of_simulated_intervals() -> None:
    rng = np.random.default_rng(1)
    first, second = 0.2 * rng.standard_normal((2, 20000, 6))
    pairs = stats.ttest_rel(first, second, axis=1).confidence_interval()
    both = stats.ttest_ind(first, second, axis=1).confidence_interval()
    for interval, width in ((pairs, paired_width), (both, two_sample_width)):
        simulated = interval.high - interval.low
        error = simulated.std() / np.sqrt(len(simulated))
        assert width(6, variance=0.04) == pytest.approx(simulated.mean(), abs=4 * error)


@pytest.mark.parametrize("test", POWERS.names())
@given(power=st.floats(0.06, 0.99), **aims)
def test_one_topic_less_is_not_enough(
    test: str, difference: float, variance: float, alpha: float, systems: int, power: float
) -> None:
    named = POWERS.get(test)
    options = {"variance": variance, "alpha": alpha, "systems": systems}
    topics = topics_for_power(test, difference=difference, power=power, **options)
    assert float(named(topics, difference=difference, **options)) >= power
    if topics > 2:
        assert float(named(topics - 1, difference=difference, **options)) < power
    least = detectable_difference(test, topics, power=power, **options)
    assert least <= difference * (1 + 1e-12)
    if least > 0:
        reached = float(named(topics, difference=least, **options))
        assert reached == pytest.approx(power, abs=1e-9)


@pytest.mark.parametrize("interval", WIDTHS.names())
def test_one_topic_less_is_too_wide(interval: str) -> None:
    for width in (0.01, 0.05, 0.1, 0.4):
        topics = topics_for_width(interval, width=width, variance=0.03)
        widths = WIDTHS.get(interval)([topics - 1, topics], variance=0.03)
        assert widths[1] <= width < widths[0]
    assert topics_for_width(interval, width=1e6, variance=0.03) == 2


def test_without_variance_any_difference_is_found() -> None:
    assert anova_power([2, 9], difference=0.1, variance=0).tolist() == [1, 1]
    assert topics_for_power("paired-t", difference=1e-9, variance=0) == 2
    assert detectable_difference("anova", 5, variance=0) == 0
    assert paired_width(5, variance=0) == 0
    # A test that may as well be right by chance finds nothing at all.
    assert detectable_difference("anova", 5, variance=1, alpha=0.05, power=0.05) == 0


def test_arguments_out_of_range_are_errors() -> None:
    options = {"difference": 0.1, "variance": 0.1}
    for topics in (1, 2.5, np.nan):
        with pytest.raises(ShapeError, match="whole numbers, 2 or more"):
            anova_power(topics, **options)
    with pytest.raises(UsageError, match="systems=1"):
        anova_power(5, systems=1, **options)
    with pytest.raises(UsageError, match="difference=0"):
        paired_t_power(5, difference=0, variance=1)
    with pytest.raises(UsageError, match="variance=nan"):
        paired_t_power(5, difference=1, variance=float("nan"))
    with pytest.raises(UsageError, match="alpha must be between 0 and 1"):
        two_sample_t_power(5, alpha=1, **options)
    with pytest.raises(UsageError, match="level must be between 0 and 1"):
        paired_width(5, variance=1, level=95)
    with pytest.raises(UsageError, match="power must be between 0 and 1"):
        topics_for_power("anova", power=1, **options)
    with pytest.raises(UsageError, match="10,000,000 topics are not enough"):
        topics_for_power("anova", difference=1e-6, variance=1)
    with pytest.raises(UsageError, match="width=0"):
        topics_for_width("paired-interval", width=0, variance=1)
    with pytest.raises(UnknownNameError, match="choices: anova, paired-t, two-sample-t"):
        topics_for_power("paired-tukey", **options)
