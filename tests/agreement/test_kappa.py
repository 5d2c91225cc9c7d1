"""Cohen's κ, and Light's mean of κ over pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from qrelsmith.agreement import cohen_kappa, light_kappa
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UnknownNameError, UsageError

N = math.nan
WEIGHTS = ("nominal", "linear", "quadratic")


def kappa_direct(ratings: FloatArray, weights: str, scale: FloatArray) -> float:
    """κ from the table of proportions and the matrix of agreement weights."""
    first, second = ratings[:, ~np.isnan(ratings).any(axis=0)]
    table = np.array([[np.sum((first == c) & (second == k)) for k in scale] for c in scale])
    if table.sum() == 0:
        return N
    p = table / table.sum()
    apart = np.abs(scale[:, None] - scale) / (np.ptp(scale) or 1)
    w = {"nominal": 1.0 * (apart == 0), "linear": 1 - apart, "quadratic": 1 - apart**2}[weights]
    agreed, chance = (w * p).sum(), (w * np.outer(p.sum(axis=1), p.sum(axis=0))).sum()
    return float((agreed - chance) / (1 - chance)) if chance < 1 - 1e-12 else N


def test_kappa_of_a_table_is_as_computed_by_hand() -> None:
    # 20 docs:      second 0  1  2     p_o = (6 + 4 + 3)/20 = .65
    #   first 0            6  2  0     margins (.4, .35, .25) and (.4, .35, .25)
    #         1            1  4  2     p_e = .16 + .1225 + .0625 = .345
    #         2            1  1  3     κ = (.65 − .345)/(1 − .345) = .46565
    # linear, d in steps: observed (6·1 + 1·2)/20 = .4; expected 2·(.4·.35 + .35·.25 + 2·.4·.25)
    #   = .855; κ = 1 − .4/.855 = .53216
    # quadratic: observed (6·1 + 1·4)/20 = .5; expected 2·(.14 + .0875 + 4·.1) = 1.255; κ = .60159
    pairs = [(0, 0)] * 6 + [(0, 1)] * 2 + [(1, 0)] + [(1, 1)] * 4 + [(1, 2)] * 2
    pairs += [(2, 0)] + [(2, 1)] + [(2, 2)] * 3
    ratings = np.array(pairs, dtype=float).T
    assert ratings.shape == (2, 20)
    assert cohen_kappa(ratings).value == pytest.approx(0.305 / 0.655)
    assert cohen_kappa(ratings, weights="linear").value == pytest.approx(1 - 0.4 / 0.855)
    assert cohen_kappa(ratings, weights="quadratic").value == pytest.approx(1 - 0.5 / 1.255)
    result = cohen_kappa(ratings, weights="quadratic", scale=range(3))
    assert (result.observed, result.expected) == pytest.approx((0.5 / 4, 1.255 / 4))
    assert (result.units, result.assessors, result.pairs) == (20, 2, 20)


def test_the_two_abstractors_of_gwet_have_the_published_kappa(abstractors: FloatArray) -> None:
    assert cohen_kappa(abstractors).value == pytest.approx(0.7964094, abs=5e-8)


@settings(deadline=None)
@given(
    ratings=arrays.arrays(
        np.float64,
        st.tuples(st.just(2), st.integers(1, 25)),
        elements=st.sampled_from([0.0, 1.0, 3.0, N]),
    ),
    weights=st.sampled_from(WEIGHTS),
)
def test_kappa_equals_the_direct_implementation(ratings: FloatArray, weights: str) -> None:
    scale = np.arange(5.0)
    value = cohen_kappa(ratings, weights=weights, scale=scale).value
    assert value == pytest.approx(kappa_direct(ratings, weights, scale), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_an_unused_level_counts_as_in_scikit_learn_with_labels(weights: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    ratings = rng.choice([0.0, 1.0, 3.0], size=(2, 50))
    oracle = metrics.cohen_kappa_score(
        *ratings, labels=[0, 1, 2, 3], weights=None if weights == "nominal" else weights
    )
    assert cohen_kappa(ratings, weights=weights, scale=range(4)).value == pytest.approx(oracle)


def test_without_a_scale_levels_keep_their_distances() -> None:
    ratings = [[0, 1, 3, 3, 0, 1], [0, 3, 3, 1, 1, 1]]
    for weights in WEIGHTS:
        with_scale = cohen_kappa(ratings, weights=weights, scale=range(6)).value
        assert cohen_kappa(ratings, weights=weights).value == pytest.approx(with_scale)


def test_the_error_for_more_than_two_assessors_names_other_coefficients() -> None:
    with pytest.raises(UsageError) as error:
        cohen_kappa(np.zeros((3, 4)))
    assert str(error.value) == (
        "found 3 assessors; expected 2 for Cohen's kappa. Use light, conger or fleiss for more"
    )


def test_a_row_without_labels_is_not_an_assessor() -> None:
    ratings = np.array([[0, 1, 1, 0], [N] * 4, [0, 1, 0, 0]])
    assert cohen_kappa(ratings).value == cohen_kappa(ratings[[0, 2]]).value


def test_assessors_without_a_common_unit_have_no_kappa() -> None:
    result = cohen_kappa([[0, 1, N, N], [N, N, 0, 1]])
    assert math.isnan(result.value)
    assert result.reason == "no unit has two labels"


@pytest.mark.parametrize(("undefined", "value"), [("nan", N), ("one", 1), ("zero", 0)])
def test_one_level_on_both_sides_is_0_over_0(undefined: str, value: float) -> None:
    result = cohen_kappa([[0.1] * 3, [0.1] * 3], weights="quadratic", undefined=undefined)
    assert result.value == pytest.approx(value, nan_ok=True)
    assert result.flags == ("undefined",)
    assert result.reason.startswith("no disagreement is expected (0/0)")


def test_two_different_single_levels_have_a_value() -> None:
    assert cohen_kappa([[0] * 3, [1] * 3]).value == 0


def test_an_unknown_weighting_names_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="did you mean quadratic"):
        cohen_kappa([[0], [0]], weights="quadratc")


@pytest.mark.parametrize("weights", WEIGHTS)
def test_lights_kappa_is_the_mean_over_pairs(weights: str, krippendorff: FloatArray) -> None:
    pairs = [(a, b) for a in range(4) for b in range(a)]
    values = [cohen_kappa(krippendorff[list(pair)], weights=weights).value for pair in pairs]
    assert light_kappa(krippendorff, weights=weights).value == pytest.approx(np.mean(values))


def test_lights_kappa_counts_skipped_pairs() -> None:
    ratings = [[0, 0, 1, 1], [0, 0, N, N], [0, 0, 1, 0], [N, N, N, N]]
    result = light_kappa(ratings)
    assert result.value == pytest.approx(0.5)  # of assessors 0 and 2; the other pairs are 0/0
    assert result.flags == ("skipped-pairs=2",)
    assert light_kappa(ratings, undefined="one").value == pytest.approx(2.5 / 3)
    assert light_kappa(ratings, undefined="zero").value == pytest.approx(0.5 / 3)


def test_lights_kappa_without_a_defined_pair_is_undefined() -> None:
    assert math.isnan(light_kappa([[0, 0], [0, 0], [0, 0]]).value)
    assert light_kappa([[0, 0], [0, 0], [0, 0]]).flags == ("skipped-pairs=3", "undefined")
    assert math.isnan(light_kappa([[0, N], [N, 1]]).value)
