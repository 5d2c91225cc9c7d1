"""The bootstrap over units: equal to a loop, and its intervals have the right coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.agreement import COEFFICIENTS, bootstrap_interval, krippendorff_alpha
from qrelsmith.agreement.bootstrap import bootstrap
from qrelsmith.agreement.labels import Labels
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UnknownNameError, UsageError

N = math.nan
NAMES = COEFFICIENTS.names()


def simulated(rng: np.random.Generator, assessors: int, units: int) -> FloatArray:
    """Return simulated grades 0 to 3, skewed like relevance, with normal noise."""
    truth = rng.choice(4, size=units, p=[0.6, 0.2, 0.12, 0.08])
    return np.clip(np.round(truth + rng.normal(0, 0.8, size=(assessors, units))), 0, 3)


def ratings_for(name: str, units: int = 30) -> FloatArray:
    rng = np.random.default_rng(11)
    ratings = simulated(rng, 2 if name.startswith("kappa") else 4, units)
    ratings[rng.random(ratings.shape) < 0.1] = N
    return ratings


@pytest.mark.parametrize("name", NAMES)
def test_weights_of_one_give_the_plain_value(name: str) -> None:
    ratings = ratings_for(name)
    entry = COEFFICIENTS.get(name).entry
    plain = entry.function(ratings, scale=range(4)).value
    labels = Labels.of(ratings, scale=range(4))
    ones = np.ones((1, ratings.shape[1]))
    assert entry.about["build"](labels, N)(ones).value[0] == plain
    distinct, counts = labels.distinct(by_assessor=entry.about["by_assessor"])
    weighted = entry.about["build"](distinct, N)(counts[None] * 1.0).value[0]
    assert weighted == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_equals_repetition_of_the_unit(name: str) -> None:
    ratings = ratings_for(name)
    entry = COEFFICIENTS.get(name).entry
    weights = np.random.default_rng(5).integers(0, 4, size=(6, ratings.shape[1]))
    values = entry.about["build"](Labels.of(ratings, scale=range(4)), N)(weights * 1.0).value
    repeated = [
        entry.function(np.repeat(ratings, row, axis=1), scale=range(4)).value for row in weights
    ]
    assert values == pytest.approx(repeated, abs=1e-9)


@pytest.mark.parametrize("interval", ["bca", "percentile"])
def test_the_interval_contains_the_value_and_names_its_method(interval: str) -> None:
    ratings = ratings_for("alpha-ordinal")
    result = bootstrap_interval(
        ratings, rng=np.random.default_rng(0), scale=range(4), confidence=0.9, interval=interval
    )
    plain = krippendorff_alpha(ratings, scale=range(4))
    assert (result.value, result.observed, result.units) == (
        plain.value,
        plain.observed,
        plain.units,
    )
    assert result.low < result.value < result.high
    assert (result.confidence, result.resamples) == (0.9, 1000)


def test_the_same_seed_gives_the_same_interval() -> None:
    ratings = ratings_for("fleiss")
    first, second = (
        bootstrap_interval(ratings, "fleiss", rng=np.random.default_rng(3), resamples=50)
        for _ in range(2)
    )
    assert first == second


def test_the_percentile_interval_of_a_mean_equals_that_of_scipy() -> None:
    # Both draw from the same distribution; the tolerance is three standard errors of a quantile.
    from scipy import stats

    x = np.random.default_rng(0).gamma(2.0, size=40)
    for ours, theirs in (("percentile", "percentile"), ("bca", "BCa")):
        found = bootstrap(
            lambda weights: weights @ x / weights.sum(axis=1),
            np.ones(40, dtype=np.int64),
            rng=np.random.default_rng(1),
            resamples=20_000,
            interval=ours,
        )
        oracle = stats.bootstrap(
            (x,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(2)
        ).confidence_interval
        assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=0.02)


def test_more_units_than_the_jackknife_leaves_out_still_have_an_interval() -> None:
    x = np.random.default_rng(0).gamma(0.5, size=2500)
    found = bootstrap(
        lambda weights: weights @ x / weights.sum(axis=1),
        np.ones(2500, dtype=np.int64),
        rng=np.random.default_rng(1),
    )
    half = 1.96 * x.std() / 50
    assert (found.low, found.high) == pytest.approx(
        (x.mean() - half, x.mean() + half), abs=0.15 * half
    )


def test_perfect_agreement_has_an_interval_without_width() -> None:
    result = bootstrap_interval(np.tile([0, 1, 2, 3], (3, 5)), rng=np.random.default_rng(0))
    assert (result.low, result.value, result.high) == (1, 1, 1)


def test_samples_without_a_value_are_left_out_and_counted() -> None:
    # A sample of these four units is 0/0 with probability 2/4⁴·… : both kinds have to be drawn.
    ratings = np.array([[0, 0, 0, 1], [0, 0, 0, 1]])
    result = bootstrap_interval(ratings, rng=np.random.default_rng(0))
    one_kind = (3 / 4) ** 4 + (1 / 4) ** 4
    assert result.resamples == pytest.approx(1000 * (1 - one_kind), abs=50)
    assert (
        bootstrap_interval(ratings, rng=np.random.default_rng(0), undefined="one").resamples == 1000
    )


@pytest.mark.parametrize(
    "ratings", [np.empty((2, 0)), [[0, 1]], [[0, N], [N, 1]], [[1, 1], [1, 1]]]
)
def test_without_a_value_there_is_no_interval(ratings: FloatArray) -> None:
    result = bootstrap_interval(ratings, rng=np.random.default_rng(0))
    assert math.isnan(result.low)
    assert math.isnan(result.high)
    assert result.resamples == 0
    assert result.reason


def test_a_single_unit_is_always_resampled() -> None:
    result = bootstrap_interval([[0], [1]], rng=np.random.default_rng(0))
    assert result.low == result.value == result.high


def test_options_out_of_range_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(UsageError, match="resamples=0; expected 1 or more"):
        bootstrap_interval([[0, 1], [0, 1]], rng=rng, resamples=0)
    with pytest.raises(UsageError, match=r"confidence=95; expected a number between 0 and 1"):
        bootstrap_interval([[0, 1], [0, 1]], rng=rng, confidence=95)
    with pytest.raises(UnknownNameError, match="choices: bca, percentile"):
        bootstrap_interval([[0, 1], [0, 1]], rng=rng, interval="basic")


def test_a_plain_function_can_be_bootstrapped(plain_function: str) -> None:
    ratings = ratings_for(plain_function)
    found = bootstrap_interval(
        ratings, plain_function, rng=np.random.default_rng(0), resamples=2000
    )
    fast = bootstrap_interval(ratings, rng=np.random.default_rng(1), resamples=2000)
    assert (found.low, found.high) == pytest.approx((fast.low, fast.high), abs=0.03)


@pytest.mark.parametrize("name", ["alpha-ordinal", "alpha-nominal"])
def test_the_interval_covers_the_truth_about_95_times_in_100(name: str) -> None:
    function = COEFFICIENTS.get(name)
    truth = function(simulated(np.random.default_rng(1), 3, 300_000)).value
    inside = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        found = bootstrap_interval(simulated(rng, 3, 60), name, rng=rng, resamples=400)
        inside += found.low <= truth <= found.high
    assert 0.90 <= inside / 300 <= 0.985


def test_pairs_inside_a_doc_are_not_independent() -> None:
    # Resampling docs: the interval narrows with docs, not with assessors.
    rng = np.random.default_rng(0)
    widths = []
    for assessors in (10, 40):
        found = bootstrap_interval(simulated(rng, assessors, 60), rng=rng)
        widths.append(found.high - found.low)
    assert widths[1] > 0.7 * widths[0]


def test_a_thousand_samples_of_ten_thousand_docs_contain_the_value() -> None:
    ratings = simulated(np.random.default_rng(0), 17, 10_828)
    found = bootstrap_interval(ratings, rng=np.random.default_rng(0), scale=range(4))
    assert found.low < found.value < found.high
