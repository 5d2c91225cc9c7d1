"""Φ: the labels of the paper on PDP, a direct sum for comparison, properties, edge cases, speed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special
from tests.examples import examples

from qrelsmith.agreement import bootstrap_interval, checco_phi, expected_precision
from qrelsmith.agreement.beta_precision import Sufficient, log_evidence
from qrelsmith.base.arrays import FloatArray

N = math.nan


def precision_direct(ratings: FloatArray, low: float, high: float) -> float:
    """E[φ] by two direct sums over fine grids of logit μ and ln φ."""
    labels = ratings.shape[0]
    x = ((ratings - low) / (high - low) * (labels - 1) + 0.5) / labels
    log_x, log_rest = np.log(x).sum(axis=0)[:, None], np.log1p(-x).sum(axis=0)[:, None]
    t = np.linspace(-25, 25, 4001)
    mu, rest = special.expit(t), special.expit(-t)
    y = np.linspace(-8, 9, 500)
    density = []
    for phi in np.exp(y):
        beta = special.gammaln(mu * phi) + special.gammaln(rest * phi) - special.gammaln(phi)
        inner = mu * phi * log_x + rest * phi * log_rest - labels * beta + np.log(mu * rest)
        density.append(special.logsumexp(inner, axis=1).sum())
    log_density = np.array(density) + y
    mass = np.exp(log_density - log_density.max())
    return float(mass @ np.exp(y) / mass.sum())


def test_figure_1_of_the_paper_on_pdp_has_its_published_phi(
    figure1: tuple[FloatArray, FloatArray],
) -> None:
    four, seven = figure1
    assert expected_precision(four, scale=range(4)) == pytest.approx(72.868, abs=5e-4)
    assert expected_precision(seven, scale=range(7)) == pytest.approx(45.961, abs=5e-4)
    assert checco_phi(seven, scale=range(7)).value == pytest.approx(1 - 2 * 2 ** (-45.961 / 2))


@pytest.mark.slow
@examples(10)
@given(seed=st.integers(0, 10_000), assessors=st.integers(2, 6), units=st.integers(1, 8))
def test_phi_equals_two_direct_sums(seed: int, assessors: int, units: int) -> None:
    ratings = np.random.default_rng(seed).integers(0, 11, size=(assessors, units)).astype(float)
    ratings[:, 0] = np.arange(assessors)  # never unanimous
    value = expected_precision(ratings, scale=range(11))
    assert value == pytest.approx(precision_direct(ratings, 0, 10), rel=1e-6)


def test_the_inner_integral_is_exact_to_nine_digits() -> None:
    rng = np.random.default_rng(0)
    t = np.linspace(-40, 40, 200_001)
    mu, rest = special.expit(t), special.expit(-t)
    for labels in (2, 3, 10, 60):
        x = (rng.integers(0, 101, size=(labels, 3)) / 100 * (labels - 1) + 0.5) / labels
        x[:, 0] = 0.5 / labels  # one label at the top, all other labels at the bottom
        x[0, 0] = 1 - 0.5 / labels
        for phi in (1e-3, 0.3, 5.0, 200.0, 1e4):
            found = log_evidence(Sufficient.of(x), np.log([phi]))[:, 0]
            beta = special.gammaln(mu * phi) + special.gammaln(rest * phi) - special.gammaln(phi)
            plain = [
                special.logsumexp(
                    phi * (mu * np.log(unit).sum() + rest * np.log1p(-unit).sum())
                    - labels * beta
                    + np.log(mu * rest)
                )
                + np.log(t[1] - t[0])
                for unit in x.T
            ]
            assert found == pytest.approx(plain, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("labels", [2, 15, 60])
def test_interpolation_for_many_units_is_as_exact_as_integration(labels: int) -> None:
    rng = np.random.default_rng(labels)
    shares = rng.binomial(100, rng.beta(0.5, 0.5, 300), size=(labels, 300)) / 100
    x = (shares * (labels - 1) + 0.5) / labels
    units, log_phi = Sufficient.of(x), np.linspace(-8.0, 10.0, 9)
    alone = [log_evidence(Sufficient.of(x[:, [unit]]), log_phi)[0] for unit in range(300)]
    assert log_evidence(units, log_phi) == pytest.approx(np.array(alone), rel=1e-9, abs=1e-9)


def test_units_with_mirrored_labels_have_a_value() -> None:
    ratings = np.array([np.arange(7.0), 13.0 - np.arange(7.0)])
    assert checco_phi(ratings, scale=range(14)).value == pytest.approx(
        1 - 2 * 2 ** (-7.736349364 / 2)
    )


def test_uniform_labels_are_near_zero_and_opposite_ends_near_minus_one() -> None:
    rng = np.random.default_rng(0)
    uniform = checco_phi(rng.integers(0, 101, size=(40, 200)), scale=range(101)).value
    assert uniform == pytest.approx(0.0, abs=0.1)
    ends = np.repeat([[0.0], [100.0]], 20, axis=0) * np.ones((1, 200))
    assert checco_phi(ends, scale=range(101)).value < -0.6


def test_the_posterior_is_improper_if_every_unit_is_unanimous() -> None:
    result = checco_phi([[0, 1, 3], [0, 1, 3], [0, 1, N]], scale=range(4))
    assert result.value == 1
    assert result.flags == ("improper",)
    assert expected_precision([[2, 2], [2, 2]]) == math.inf


def test_one_dissenting_label_in_a_thousand_makes_the_posterior_proper() -> None:
    ratings = np.full((10, 1000), 50.0)
    ratings[0, 0] = 51
    precision = expected_precision(ratings, scale=range(101))
    # The posterior is approximately Gamma(1 + 1000·9/2) over the one gap.
    x = (ratings[:, :1] / 100 * 9 + 0.5) / 10
    gap = 10 * Sufficient.of(x).gap[0]
    assert precision == pytest.approx(4501 / gap, rel=1e-6)
    assert checco_phi(ratings, scale=range(101)).flags == ()


def test_phi_does_not_depend_on_which_assessors_gave_the_labels() -> None:
    rng = np.random.default_rng(5)
    packed = rng.integers(0, 4, size=(3, 8)).astype(float)
    spread = np.full((24, 8), N)
    for unit in range(8):
        spread[rng.permutation(24)[:3], unit] = packed[:, unit]
    assert expected_precision(spread, scale=range(4)) == pytest.approx(
        expected_precision(packed, scale=range(4)), rel=1e-12
    )


def test_labels_of_units_with_one_label_do_not_count() -> None:
    ratings = np.array([[0, 1, 2.0, 3], [1, 1, 2, N]])
    assert expected_precision(ratings, scale=range(4)) == pytest.approx(
        expected_precision(ratings[:, :3], scale=range(4))
    )


def test_without_a_given_scale_the_levels_seen_are_the_scale() -> None:
    result = checco_phi([[0, 3], [1, 2]])
    assert result.flags == ("levels-seen",)
    assert result.value == checco_phi([[0, 3], [1, 2]], scale=[0, 1, 2, 3]).value


@pytest.mark.parametrize("ratings", [np.empty((0, 0)), [[1, 2]], [[1, N], [N, 2]]])
def test_without_two_labels_of_a_unit_phi_is_undefined(ratings: FloatArray) -> None:
    assert math.isnan(checco_phi(ratings, scale=range(4)).value)
    assert math.isnan(expected_precision(ratings, scale=range(4)))


def test_the_bootstrap_counts_unanimous_samples_as_one() -> None:
    ratings = np.array([[0, 1, 2, 3, 0], [0, 1, 2, 3, 3]])
    result = bootstrap_interval(ratings, "phi", scale=range(4), rng=np.random.default_rng(0))
    assert result.low < result.value < result.high == 1
    assert result.resamples == 1000


def test_phi_of_250_docs_with_10_labels_on_101_levels_has_a_value() -> None:
    rng = np.random.default_rng(0)
    ratings = np.clip(np.round(rng.beta(1, 2, 250) * 100 + rng.normal(0, 15, (10, 250))), 0, 100)
    found = checco_phi(ratings, scale=range(101))
    assert 0 < found.value < 1
    assert found.units == 250
