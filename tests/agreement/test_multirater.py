"""Fleiss' and Conger's κ and percent agreement."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from qrelsmith.agreement import (
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
)
from qrelsmith.base.arrays import FloatArray

N = math.nan
WEIGHTS = ("nominal", "linear", "quadratic")
SCALE = np.array([0.0, 1, 2, 3, 5])

RATINGS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 5), st.integers(1, 10)),
    elements=st.sampled_from([*SCALE[[0, 1, 2, 4]].tolist(), N]),
)


def agreement_weights(weights: str) -> FloatArray:
    apart = np.abs(SCALE[:, None] - SCALE) / 5
    return {"nominal": 1.0 * (apart == 0), "linear": 1 - apart, "quadratic": 1 - apart**2}[weights]


def counts(ratings: FloatArray) -> FloatArray:
    return np.array([[np.sum(unit == level) for level in SCALE] for unit in ratings.T], dtype=float)


def agreed_direct(ratings: FloatArray, w: FloatArray) -> float:
    """Gwet's p_a in his notation."""
    values = []
    for r_i in counts(ratings):
        r = r_i.sum()
        if r >= 2:
            star = w @ r_i
            values.append(np.sum(r_i * (star - 1)) / (r * (r - 1)))
    return float(np.mean(values)) if values else N


def fleiss_direct(ratings: FloatArray, weights: str) -> float:
    w = agreement_weights(weights)
    r = counts(ratings)
    r = r[r.sum(axis=1) > 0]
    agreed = agreed_direct(ratings, w)
    if math.isnan(agreed):
        return N
    pi = (r / r.sum(axis=1, keepdims=True)).mean(axis=0)
    chance = pi @ w @ pi
    return float((agreed - chance) / (1 - chance)) if chance < 1 - 1e-12 else N


def conger_direct(ratings: FloatArray, weights: str) -> float:
    """Conger's κ with the covariance s²_kl between assessors, as Gwet writes it."""
    w = agreement_weights(weights)
    agreed = agreed_direct(ratings, w)
    if math.isnan(agreed):
        return N
    rows = [row[~np.isnan(row)] for row in ratings]
    p = np.array([[np.mean(row == level) for level in SCALE] for row in rows if row.size])
    mean, raters = p.mean(axis=0), p.shape[0]
    s = np.cov(p.T, ddof=1)
    chance = (w * (np.outer(mean, mean) - s / raters)).sum()
    return float((agreed - chance) / (1 - chance)) if chance < 1 - 1e-12 else N


def test_the_example_of_fleiss_has_its_published_kappa(fleiss: FloatArray) -> None:
    result = fleiss_kappa(fleiss)
    assert result.value == pytest.approx(0.430, abs=0.0005)
    assert 1 - result.observed == pytest.approx(0.5556, abs=5e-5)
    assert 1 - result.expected == pytest.approx(0.220, abs=5e-4)
    assert (result.units, result.assessors, result.pairs) == (30, 6, 450)


def test_fleiss_kappa_of_two_assessors_is_scotts_pi(abstractors: FloatArray) -> None:
    assert fleiss_kappa(abstractors).value == pytest.approx(0.7962397, abs=5e-8)  # Gwet 2014


def test_the_four_raters_of_gwet_with_missing_labels_have_the_published_values(
    krippendorff: FloatArray,
) -> None:
    # Gwet (2014) on the same labels: p_a, then p_e and coefficient of Fleiss and of Conger.
    assert percent_agreement(krippendorff).value == pytest.approx(0.8181818, abs=5e-8)
    fleiss = fleiss_kappa(krippendorff)
    assert 1 - fleiss.expected == pytest.approx(0.2387153, abs=5e-8)
    assert fleiss.value == pytest.approx(0.76117, abs=5e-6)
    conger = conger_kappa(krippendorff)
    assert 1 - conger.expected == pytest.approx(0.2334252, abs=5e-8)
    assert conger.value == pytest.approx(0.76282, abs=5e-6)


@settings(deadline=None)
@given(ratings=RATINGS, weights=st.sampled_from(WEIGHTS))
def test_fleiss_kappa_equals_the_direct_implementation(ratings: FloatArray, weights: str) -> None:
    value = fleiss_kappa(ratings, weights=weights, scale=SCALE).value
    assert value == pytest.approx(fleiss_direct(ratings, weights), abs=1e-11, nan_ok=True)


@settings(deadline=None)
@given(ratings=RATINGS, weights=st.sampled_from(WEIGHTS))
def test_conger_kappa_equals_the_direct_implementation(ratings: FloatArray, weights: str) -> None:
    value = conger_kappa(ratings, weights=weights, scale=SCALE).value
    assert value == pytest.approx(conger_direct(ratings, weights), abs=1e-11, nan_ok=True)


@settings(deadline=None)
@given(ratings=RATINGS.filter(lambda ratings: not np.isnan(ratings).any()))
def test_conger_kappa_of_two_complete_assessors_is_cohens(ratings: FloatArray) -> None:
    for weights in WEIGHTS:
        cohen = cohen_kappa(ratings[:2], weights=weights).value
        value = conger_kappa(ratings[:2], weights=weights).value
        assert value == pytest.approx(cohen, abs=1e-12, nan_ok=True)


@settings(deadline=None)
@given(ratings=RATINGS.filter(lambda ratings: not np.isnan(ratings).any()))
def test_quadratic_fleiss_and_interval_alpha_differ_by_the_small_sample_correction(
    ratings: FloatArray,
) -> None:
    n = ratings.size
    alpha = krippendorff_alpha(ratings, level="interval").value
    fleiss = fleiss_kappa(ratings, weights="quadratic").value
    assert alpha == pytest.approx(1 - (1 - fleiss) * (n - 1) / n, abs=1e-12, nan_ok=True)


def test_a_scale_only_sets_the_unit_of_disagreement() -> None:
    ratings = [[0, 1, 2, 1], [0, 2, 2, 0]]
    short, wide = (fleiss_kappa(ratings, weights="linear", scale=range(n)) for n in (3, 5))
    assert short.value == pytest.approx(wide.value)
    assert short.observed == pytest.approx(2 * wide.observed)


def test_percent_agreement_is_as_computed_by_hand() -> None:
    # Units: 3 of 3 pairs, 1 of 3, 0 of 1; the label of the unit with one label does not count.
    result = percent_agreement([[0, 0, 1, 5], [0, 0, 2, N], [0, 1, N, N]])
    assert result.value == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert result.observed == pytest.approx(1 - result.value)
    assert math.isnan(result.expected)
    assert result.flags == ()


def test_percent_agreement_is_never_0_over_0() -> None:
    assert percent_agreement(np.ones((3, 4)), undefined="zero").value == 1
