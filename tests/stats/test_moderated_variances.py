"""Moderated variances compared with their model, and in extreme cases."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.stats.moderated_variances import moderated_variances


def test_the_prior_of_simulated_variances_is_recovered() -> None:
    rng = np.random.default_rng(0)
    prior, factor, freedom, count = 12.0, 0.5, 20.0, 20_000
    scales = rng.uniform(0.1, 5.0, count)
    true = factor * prior / rng.chisquare(prior, count)
    variances = scales * true * rng.chisquare(freedom, count) / freedom
    moderated, together = moderated_variances(variances, scales, freedom)
    assert together == pytest.approx(freedom + prior, rel=0.05)
    expected = scales * (prior * factor + freedom * variances / scales) / (prior + freedom)
    assert moderated == pytest.approx(expected, rel=0.02)


def test_similar_variances_share_their_degrees_of_freedom() -> None:
    scales = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    moderated, freedom = moderated_variances(0.3 * scales, scales, 24.0)
    assert freedom == 24 * 5
    # The mean of log χ²₂₄/24 is ψ(12) − ln 12 = −.0422, which is corrected.
    assert moderated / scales == pytest.approx([0.3 * np.exp(0.0422)] * 5, rel=1e-4)


def test_three_variances_stay_unchanged() -> None:
    variances = np.array([1.0, 2.0, 3.0])
    moderated, freedom = moderated_variances(variances, np.ones(3), 9.0)
    assert freedom == 9
    assert moderated.tolist() == variances.tolist()
