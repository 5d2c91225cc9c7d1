import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.effects import (
    glass_delta,
    residual_variance_one_way,
    residual_variance_two_way,
    standardise,
)


def test_the_effect_size_is_that_of_table_5():
    # ordering-gold-bronze, Section 5: (0.5324 − 0.4445)/√0.03511 = 0.469.
    assert standardise(0.5324 - 0.4445, 0.03511) == pytest.approx(0.469, abs=5e-4)


def test_glass_delta_is_that_of_section_4_1():
    # ordering-gold-bronze, Section 4.1: (65.4 − 41.7)/47.5 = 0.499.
    assert glass_delta(65.4, 41.7, 47.5) == pytest.approx(0.499, abs=5e-4)


def test_0_over_0_is_undefined_and_x_over_0_infinite():
    assert np.isnan(standardise(0.0, 0.0))
    assert standardise([1.0, -1.0], 0.0).tolist() == [np.inf, -np.inf]
    assert np.isnan(glass_delta(1.0, 1.0, 0.0))


def test_one_way_residual_variance_is_as_computed_by_hand():
    # Groups 1 2 3 and 4 6: squares 2 and 2, 5 − 2 degrees of freedom.
    assert residual_variance_one_way([[1, 2, 3], [4, 6]]) == pytest.approx(4 / 3)
    assert np.isnan(residual_variance_one_way([[1], [4]]))


def test_two_way_residual_variance_is_as_computed_by_hand():
    # Means 2 3, 1.5 3.5, all 2.5; residuals ±½, one degree of freedom.
    assert residual_variance_two_way([[1, 2], [2, 5]]) == pytest.approx(4 * 0.25)


def test_two_way_residual_variance_ignores_topics_and_systems():
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(30, 6))
    shifted = noise + rng.normal(size=(30, 1)) * 5 + rng.normal(size=6)
    assert residual_variance_two_way(shifted) == pytest.approx(residual_variance_two_way(noise))
    additive = rng.random((30, 1)) + rng.random(6)
    assert residual_variance_two_way(additive) == 0


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (0, 3), (3, 0)])
def test_one_topic_or_one_system_has_no_residual(shape):
    assert np.isnan(residual_variance_two_way(np.zeros(shape)))


def test_a_missing_score_is_named():
    with pytest.raises(ShapeError, match="topic 1, system 0 = nan"):
        residual_variance_two_way([[1.0, 2.0], [np.nan, 1.0]])
