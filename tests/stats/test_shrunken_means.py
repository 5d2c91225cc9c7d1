"""Shrunken means: by hand, the right amount, and cases without shrinkage."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.shrunken_means import shrunken_means


def test_shrunken_means_are_as_computed_by_hand():
    # Means 1 and 3: C = 2. Residuals ±½: their squares sum to 1, E = 1/(1·1), N = ½.
    scores = [[[0.5, 3.5], [1.5, 2.5]]]
    left = np.sqrt(1 - 0.5 / 2)
    assert shrunken_means(scores)[0] == pytest.approx([2 - left, 2 + left])


def test_noise_alone_leaves_no_difference():
    # Both systems have mean 2; if N > C, no difference is left either.
    assert shrunken_means([[[1.0, 3.0], [3.0, 1.0]]])[0] == pytest.approx([2.0, 2.0])
    assert shrunken_means([[[1.0, 4.0], [3.0, 1.0]]])[0] == pytest.approx([2.25, 2.25])


def test_shrunken_means_vary_like_the_true_means():
    rng = np.random.default_rng(0)
    covariance = np.array([[1.0, 0.6], [0.6, 2.0]])
    truth = rng.multivariate_normal([0, 0], covariance, size=3000).T
    topic = rng.normal(size=(20, 1))
    noise = rng.multivariate_normal([0, 0], [[30.0, 20.0], [20.0, 40.0]], size=(20, 3000))
    scores = truth[:, None, :] + topic + np.moveaxis(noise, -1, 0)
    plain, moved = scores.mean(axis=1), shrunken_means(scores)
    assert np.cov(moved) == pytest.approx(np.cov(truth), abs=0.25)
    assert np.diag(np.cov(plain)) == pytest.approx([2.5, 4.0], abs=0.25)
    assert moved.mean(axis=1) == pytest.approx(plain.mean(axis=1))


def test_label_sets_that_differ_by_a_factor_still_do_after_shrinking():
    scores = np.random.default_rng(1).random((8, 6))
    found = shrunken_means([scores, 100 * scores])
    assert found[1] == pytest.approx(100 * found[0])
    assert found[0] == pytest.approx(shrunken_means([scores])[0])


def test_without_topics_or_systems_to_compare_nothing_changes():
    assert shrunken_means([[[1.0, 2.0]]])[0] == pytest.approx([1, 2])
    assert shrunken_means([[[1.0], [2.0]]])[0] == pytest.approx([1.5])
    assert shrunken_means(np.ones((2, 3, 4))) == pytest.approx(np.ones((2, 4)))
    with pytest.raises(ShapeError, match="label set 0, topic 0, system 1 = nan"):
        shrunken_means([[[1.0, np.nan]]])
