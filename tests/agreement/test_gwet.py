"""Gwet's AC1 and AC2."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from qrelsmith.agreement import COEFFICIENTS, gwet_ac
from qrelsmith.base.arrays import FloatArray

N = math.nan
SCALE = np.array([0.0, 1, 2, 3, 5])
RATINGS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 5), st.integers(1, 10)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 5.0, N]),
)


def ac_direct(ratings: FloatArray, weights: str) -> float:
    """AC2 in Gwet's notation, with the weight matrix."""
    apart = np.abs(SCALE[:, None] - SCALE) / 5
    step = np.abs(np.arange(5)[:, None] - np.arange(5))
    w = {
        "nominal": 1.0 * (apart == 0),
        "linear": 1 - apart,
        "quadratic": 1 - apart**2,
        "ordinal": 1 - step * (step + 1) / 20,
    }[weights]
    r = np.array([[np.sum(unit == level) for level in SCALE] for unit in ratings.T], dtype=float)
    size = r.sum(axis=1)
    agreed = [
        np.sum(row * (w @ row - 1)) / (n * (n - 1)) for row, n in zip(r, size, strict=True) if n > 1
    ]
    if not agreed:
        return N
    pi = (r[size > 0] / size[size > 0, None]).mean(axis=0)
    chance = w.sum() / (5 * 4) * np.sum(pi * (1 - pi))
    return float((np.mean(agreed) - chance) / (1 - chance))


def test_the_two_abstractors_of_gwet_have_the_published_values(abstractors: FloatArray) -> None:
    assert gwet_ac(abstractors).value == pytest.approx(0.8493305, abs=5e-8)


def test_the_four_raters_of_gwet_with_missing_labels_have_the_published_values(
    krippendorff: FloatArray,
) -> None:
    result = gwet_ac(krippendorff)
    assert result.value == pytest.approx(0.77544, abs=5e-6)
    assert 1 - result.expected == pytest.approx(0.1903212, abs=5e-8)
    assert result.flags == ("levels-seen",)


def test_ac1_is_as_computed_by_hand_where_kappa_fails() -> None:
    # 118 docs both relevant, 5 and 2 one-sided, none both not: p_a = 118/125 = .944,
    # π = (118 + 3.5)/125 = .972, p_e = 2·.972·.028 = .054432, AC1 = (.944 − .0544)/(1 − .0544).
    ratings = np.array([[1] * 118 + [1] * 5 + [0] * 2, [1] * 118 + [0] * 5 + [1] * 2])
    assert gwet_ac(ratings, scale=[0, 1]).value == pytest.approx((0.944 - 0.054432) / 0.945568)
    assert COEFFICIENTS.get("kappa")(ratings).value < 0


def test_ac2_is_as_computed_by_hand() -> None:
    # Scale 0, 1, 2; docs (0, 0), (0, 1), (2, 2), (2, 0). Linear weights 1, ½, 0: p_a = 2.5/4.
    # π = (4/8, 1/8, 3/8), Σπ(1 − π) = 19/32; Σw = 3 + 4·½ = 5; p_e = 5/6·19/32 = 95/192.
    ratings = [[0, 0, 2, 2], [0, 1, 2, 0]]
    value = gwet_ac(ratings, weights="linear", scale=range(3)).value
    assert value == pytest.approx((2.5 / 4 - 95 / 192) / (1 - 95 / 192))


@settings(deadline=None)
@given(ratings=RATINGS, weights=st.sampled_from(["nominal", "linear", "quadratic", "ordinal"]))
def test_ac2_equals_the_direct_implementation(ratings: FloatArray, weights: str) -> None:
    value = gwet_ac(ratings, weights=weights, scale=SCALE).value
    assert value == pytest.approx(ac_direct(ratings, weights), abs=1e-12, nan_ok=True)


def test_unused_levels_count() -> None:
    ratings = [[0, 1, 1, 0], [0, 1, 0, 0]]
    assert gwet_ac(ratings, scale=range(5)).value > gwet_ac(ratings, scale=range(2)).value


def test_equal_labels_agree_if_the_scale_has_another_level() -> None:
    same = np.zeros((2, 3))
    assert gwet_ac(same, scale=range(4)).value == 1
    result = gwet_ac(same)
    assert math.isnan(result.value)
    assert result.flags == ("undefined", "levels-seen")
    assert gwet_ac(same, undefined="one").value == 1
