from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.discrimination import Setting, collection_pdp, weighted_pdp
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.planning.simulation import all_tests, sample_counts, sample_tests, slice_grades


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


@pytest.fixture
def setting() -> Setting:
    """Return eight topics, five docs and three assessors, with a test for every pair of docs."""
    truth = np.random.default_rng(1).random((8, 5))
    noisy = truth[..., None] + 0.1 * np.random.default_rng(2).normal(size=(8, 5, 3))
    return Setting(
        slice_grades(noisy, 3),
        all_tests(truth),
        levels=range(3),
        smoothing="paper",
        untested="half",
    )


def evidence(setting: Setting) -> PreferenceTests:
    assert isinstance(setting.evidence, PreferenceTests)
    return setting.evidence


def test_weights_of_one_change_nothing_and_only_proportions_matter(setting: Setting) -> None:
    plain = collection_pdp(setting, rng=rng(), resamples=0).topics
    weights = np.outer([1.0, 7.0], np.ones(len(evidence(setting))))
    assert weighted_pdp(setting, weights, rng=rng()) == pytest.approx(np.stack([plain, plain]))


@pytest.mark.parametrize("mode", ["individual", "aggregate"])
def test_counts_of_a_sample_give_the_sample(setting: Setting, mode: str) -> None:
    setting = replace(setting, mode=mode)  # type: ignore[arg-type]
    tests = evidence(setting)
    grades = np.median(np.asarray(setting.grades), axis=2)
    counts = sample_counts(tests, grades, per_pair=4, repeats=1, rng=rng())
    sample = sample_tests(tests, grades, per_pair=4, rng=rng())
    made = collection_pdp(replace(setting, evidence=sample), rng=rng(), resamples=0)
    assert weighted_pdp(setting, counts, rng=rng())[0] == pytest.approx(made.topics)


def test_a_topic_that_needs_untested_pairs_is_undefined(setting: Setting) -> None:
    setting = replace(setting, untested="error")
    found = weighted_pdp(setting, np.zeros((1, len(evidence(setting)))), rng=rng())
    graded_alike = (np.ptp(np.asarray(setting.grades), axis=1) == 0).all(axis=1)
    assert np.isnan(found[0][~graded_alike]).all()


def test_without_variants_there_are_no_rows(setting: Setting) -> None:
    assert weighted_pdp(setting, np.zeros((0, len(evidence(setting)))), rng=rng()).shape == (0, 8)


@pytest.mark.parametrize("weights", [[[1.0]], np.full((1, 80), -1.0), np.full((1, 80), np.nan)])
def test_weights_must_have_the_right_shape(setting: Setting, weights: np.ndarray) -> None:
    with pytest.raises(ShapeError, match="a weight of 0 or more for each of the 80 tests"):
        weighted_pdp(setting, weights, rng=rng())


def test_a_given_matrix_has_no_tests() -> None:
    matrix = GradeMatrix.from_values([[0.5, 0.2], [0.8, 0.5]], mode="individual")
    with pytest.raises(UsageError, match="expected preference tests"):
        weighted_pdp(Setting([[[0.0], [1.0]]], matrix), [[1.0]], rng=rng())
