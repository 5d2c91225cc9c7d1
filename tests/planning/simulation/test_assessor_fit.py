from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation import slice_grades
from qrelsmith.planning.simulation.assessor_fit import AssessorFit, fit_assessors

NOISE, BIAS, CARELESS = (0.1, 0.2, 0.3), (-0.06, 0.0, 0.06), (0.0, 0.05, 0.1)
LEVELS = 4


def labels(docs: int, *, seed: int = 0) -> np.ndarray:
    """Return grades of three assessors with known weaknesses [assessor, unit]."""
    rng = rng_for(seed, "labels")
    truth = rng.beta(0.6, 1.5, size=docs)
    perceived = [
        np.where(
            rng.random(docs) < careless,
            rng.random(docs),
            truth + bias + noise * rng.standard_normal(docs),
        )
        for noise, bias, careless in zip(NOISE, BIAS, CARELESS, strict=True)
    ]
    return slice_grades(np.stack(perceived), LEVELS)


@pytest.fixture(scope="module")
def small_fit() -> AssessorFit:
    """Return the fit to the labels of 1,500 docs."""
    return fit_assessors(labels(1500), levels=LEVELS)


def test_assessors_are_recovered_and_the_shares_of_the_grades_match() -> None:
    given = labels(8000)
    fit = fit_assessors(given, levels=LEVELS)
    assert fit.converged
    assert fit.noise == pytest.approx(NOISE, abs=0.03)
    assert fit.bias == pytest.approx(BIAS, abs=0.02)
    assert fit.inattention == pytest.approx(CARELESS, abs=0.05)
    assert fit.density.sum() == pytest.approx(1)
    # The mean of Beta(0.6, 1.5).
    assert fit.density @ fit.relevance == pytest.approx(0.6 / 2.1, abs=0.02)
    seen = np.stack([(given == level).mean(axis=1) for level in range(LEVELS)], axis=1)
    np.testing.assert_allclose(fit.shares, seen, atol=0.02)
    np.testing.assert_allclose(fit.shares.sum(axis=1), 1)


@pytest.mark.slow
def test_the_order_of_assessors_and_docs_does_not_matter(small_fit: AssessorFit) -> None:
    fit = small_fit
    mixed = fit_assessors(labels(1500)[::-1, rng_for(0).permutation(1500)], levels=LEVELS)
    np.testing.assert_allclose(mixed.noise[::-1], fit.noise, rtol=0.02)
    assert mixed.log_likelihood == pytest.approx(fit.log_likelihood, rel=2e-4)


def test_the_fit_has_the_highest_likelihood(small_fit: AssessorFit) -> None:
    given, fit = labels(1500), small_fit

    def likelihood(noise: np.ndarray, bias: np.ndarray) -> float:
        """Compute the likelihood doc by doc, by the formula of the docstring."""
        from scipy.stats import norm

        total = 0.0
        for doc in range(0, given.shape[1], 10):
            of_value = fit.density.copy()
            for who in range(3):
                level = given[who, doc]
                low = -np.inf if level == 0 else level / LEVELS
                high = np.inf if level == LEVELS - 1 else (level + 1) / LEVELS
                spot = fit.relevance + bias[who]
                chance = norm.cdf((high - spot) / noise[who]) - norm.cdf((low - spot) / noise[who])
                careless = fit.inattention[who]
                of_value *= (1 - careless) * chance + careless / LEVELS
            total += np.log(of_value.sum())
        return total

    best = likelihood(fit.noise, fit.bias)
    assert best > likelihood(fit.noise * 1.5, fit.bias)
    assert best > likelihood(fit.noise / 1.5, fit.bias)
    assert best > likelihood(fit.noise, fit.bias + np.array([0.1, -0.1, 0.0]))


@pytest.mark.slow
def test_missing_labels_are_ignored() -> None:
    given = labels(6000)
    given[2, 4000:] = np.nan
    given[0, :500] = np.nan
    fit = fit_assessors(given, levels=LEVELS)
    assert fit.noise == pytest.approx(NOISE, abs=0.06)


@pytest.mark.slow
def test_a_second_fit_begins_at_the_result_of_the_first(small_fit: AssessorFit) -> None:
    again = fit_assessors(labels(1500), levels=LEVELS, start=small_fit)
    assert again.log_likelihood >= small_fit.log_likelihood - 1
    np.testing.assert_allclose(again.noise, small_fit.noise, rtol=0.05)


def test_assessors_who_always_agree_have_little_noise() -> None:
    grades = np.tile(labels(800)[0], (2, 1))
    fit = fit_assessors(grades, levels=LEVELS)
    assert fit.noise.max() < 0.05
    assert fit.bias == pytest.approx([0, 0], abs=0.01)


@pytest.mark.parametrize(
    ("ratings", "levels", "error", "message"),
    [
        ([[0, 1, np.nan], [np.nan, np.nan, 2]], 3, UndefinedError, "no doc has labels of two"),
        ([[0, 1]], 2, UndefinedError, "no doc has labels of two"),
        ([[0, 1], [0, 1]], 1, UsageError, "levels=1"),
        ([[0, 2], [0, 1]], 2, UsageError, "the grade is 2; expected 0 to 1"),
        ([[0, 0.5], [0, 1]], 2, UsageError, r"grade is 0\.5"),
        ([[0, -1], [0, 1]], 2, None, ""),
    ],
)
def test_uninformative_or_invalid_labels_are_refused(ratings, levels, error, message) -> None:
    if error is None:  # −1 is the code for unjudged
        assert fit_assessors(ratings, levels=levels).noise.shape == (2,)
        return
    with pytest.raises(error, match=message):
        fit_assessors(ratings, levels=levels)
