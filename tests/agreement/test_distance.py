"""The closed forms of the distances compared with sums over all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.agreement import fleiss_kappa, krippendorff_alpha
from qrelsmith.agreement.distance import LINEAR, NOMINAL, QUADRATIC, RATIO, STEPS, Distance
from qrelsmith.agreement.labels import Labels
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError

DISTANCES = (NOMINAL, LINEAR, QUADRATIC, STEPS, RATIO)


def matrix(distance: Distance, levels: FloatArray) -> FloatArray:
    """Return d(c, k) for any two levels, by definition."""
    a, b = levels[:, None], levels[None, :]
    step = np.abs(np.arange(levels.size)[:, None] - np.arange(levels.size))
    with np.errstate(invalid="ignore"):
        return {
            "nominal": (a != b).astype(float),
            "linear": np.abs(a - b),
            "quadratic": (a - b) ** 2,
            "ordinal": step * (step + 1) / 2,
            "ratio": np.nan_to_num(((a - b) / (a + b)) ** 2),
        }[distance.name]


levels = st.lists(st.integers(0, 40), min_size=1, max_size=7, unique=True).map(
    lambda numbers: np.sort(np.array(numbers, dtype=np.float64)) / 4
)


@pytest.mark.parametrize("distance", DISTANCES, ids=lambda distance: distance.name)
@settings(deadline=None)
@given(levels=levels, seed=st.integers(0, 1000))
def test_distances_between_two_distributions_equal_the_sums(
    distance: Distance, levels: FloatArray, seed: int
) -> None:
    p, q = np.random.default_rng(seed).integers(0, 4, size=(2, 3, levels.size)).astype(float)
    d = matrix(distance, levels)
    x = distance.coordinates(levels)
    assert distance.between(p, q, x) == pytest.approx(((p @ d) * q).sum(axis=-1), abs=1e-9)


@pytest.mark.parametrize("distance", DISTANCES, ids=lambda distance: distance.name)
@settings(deadline=None)
@given(levels=levels, seed=st.integers(0, 1000))
def test_distances_within_units_equal_the_sums(
    distance: Distance, levels: FloatArray, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.choice(np.append(levels, np.nan), size=(4, 6))
    d = matrix(distance, levels)
    labels = Labels.of(ratings, scale=levels)
    expected = []
    for unit in labels.codes.T:
        known = unit[unit >= 0]
        expected.append(d[np.ix_(known, known)].sum() / 2)
    assert distance.within_units(labels) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("distance", DISTANCES, ids=lambda distance: distance.name)
def test_the_distance_within_one_level_is_exactly_zero(distance: Distance) -> None:
    x = distance.coordinates(np.array([0.1, 0.3, 0.7]))
    p = np.array([[0, 3.0, 0], [0, 1 / 3, 0], [0, 49 * (1 / 49), 0]])
    assert distance.between(p, p, x).tolist() == [0, 0, 0]
    same = Labels.of(np.full((3, 4), 0.3), scale=[0.1, 0.3, 0.7])
    assert distance.within_units(same).tolist() == [0, 0, 0, 0]


def test_the_largest_distance_is_between_the_extreme_levels() -> None:
    scale = np.array([0.0, 1, 3, 7])
    for distance in (NOMINAL, LINEAR, QUADRATIC, STEPS):
        assert distance.largest(distance.coordinates(scale)) == matrix(distance, scale).max()


def test_levels_with_squares_too_large_for_a_float_are_refused() -> None:
    with pytest.raises(UsageError, match=r"levels from 0 to 1e[+]200"):
        krippendorff_alpha([[0.0, 1.0], [1e200, 1.0]], level="interval")
    with pytest.raises(UsageError, match="expected an ordinal or nominal coefficient"):
        fleiss_kappa([[0.0, 1.0], [1e200, 1.0]], weights="quadratic")
    assert krippendorff_alpha([[0.0, 1.0], [1e200, 1.0]], level="ordinal").value <= 1
