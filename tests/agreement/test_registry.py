"""The contract of every registered coefficient."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.agreement import COEFFICIENTS, AgreementResult
from qrelsmith.base.errors import ShapeError, UnknownNameError, UsageError

N = math.nan
NAMES = COEFFICIENTS.names()
SCALE = [0.0, 1.0, 2.0, 3.0]

each = pytest.mark.parametrize("name", NAMES)


def of(name: str, ratings: object, **options: object) -> AgreementResult:
    result = COEFFICIENTS.get(name)(ratings, **options)
    assert isinstance(result, AgreementResult)
    return result


def rows(name: str) -> int:
    """Return the assessors that a coefficient can take."""
    return 2 if name.startswith("kappa") else 4


def labels(name: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 4, size=(rows(name), 12)).astype(float)
    ratings[rng.random(ratings.shape) < 0.15] = N
    ratings[:2, :3] = [[0, 1, 3], [1, 1, 0]]
    return ratings


def test_all_specified_coefficients_are_registered() -> None:
    assert NAMES == (
        "alpha-nominal",
        "alpha-ordinal",
        "alpha-interval",
        "alpha-ratio",
        "kappa",
        "kappa-linear",
        "kappa-quadratic",
        "light",
        "light-linear",
        "light-quadratic",
        "fleiss",
        "fleiss-linear",
        "fleiss-quadratic",
        "conger",
        "conger-linear",
        "conger-quadratic",
        "agreement",
        "ac1",
        "ac2-linear",
        "ac2-quadratic",
        "ac2-ordinal",
        "phi",
    )


@each
def test_every_coefficient_has_a_description(name: str) -> None:
    entry = COEFFICIENTS.get(name).entry
    assert entry.formula
    assert entry.source
    assert entry.summary.endswith(".")
    assert not entry.parameters
    assert COEFFICIENTS.label(name) == name
    assert of(name, labels(name, 0), scale=SCALE).coefficient == name


@each
def test_perfect_agreement_is_exactly_one(name: str) -> None:
    ratings = np.tile([0.1, 1.7, 2.3, 0.1, 1.7], (rows(name), 1))
    assert of(name, ratings).value == 1
    ratings[0, 1] = N
    assert of(name, ratings).value == 1


@each
@examples(10)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_assessors_and_units_does_not_matter(name: str, seed: int) -> None:
    ratings = labels(name, seed)
    rng = np.random.default_rng(seed)
    shuffled = ratings[rng.permutation(ratings.shape[0])][:, rng.permutation(ratings.shape[1])]
    before, after = of(name, ratings, scale=SCALE), of(name, shuffled, scale=SCALE)
    assert after.value == pytest.approx(before.value, abs=1e-10)
    assert (after.units, after.assessors, after.pairs) == (
        before.units,
        before.assessors,
        before.pairs,
    )


@each
def test_the_value_follows_from_the_disagreements(name: str) -> None:
    result = of(name, labels(name, 1), scale=SCALE)
    if name == "agreement":
        assert result.value == 1 - result.observed
    elif name != "phi" and not name.startswith("light"):
        assert result.value == pytest.approx(1 - result.observed / result.expected)


@each
def test_ratings_are_not_changed(name: str) -> None:
    ratings = labels(name, 2)
    before = ratings.copy()
    of(name, ratings, scale=SCALE)
    assert np.array_equal(ratings, before, equal_nan=True)


@each
@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (np.empty((0, 0)), "there are no labels"),
        (np.empty((3, 0)), "there are no labels"),
        (np.full((3, 4), N), "there are no labels"),
        ([[0, 1, 2]], "there is only one assessor"),
        ([[0, 1, 2], [N, N, N]], "there is only one assessor"),
        ([[0, N], [N, 1]], "no unit has two labels"),
    ],
)
@pytest.mark.parametrize("undefined", ["nan", "one", "zero"])
def test_without_comparable_labels_the_value_is_nan_with_a_reason(
    name: str, ratings: object, reason: str, undefined: str
) -> None:
    result = of(name, ratings, scale=SCALE, undefined=undefined)
    assert math.isnan(result.value)
    assert math.isnan(result.observed)
    assert result.reason == reason
    assert (result.units, result.assessors, result.pairs) == (0, 0, 0)
    assert of(name, ratings).reason == reason  # without a scale too


@each
def test_one_unit_with_two_labels_is_enough(name: str) -> None:
    result = of(name, [[0.0], [3.0]], scale=SCALE)
    assert not math.isnan(result.value)
    assert (result.units, result.assessors, result.pairs) == (1, 2, 1)


@each
@pytest.mark.parametrize(("undefined", "fill"), [("nan", N), ("one", 1), ("zero", 0)])
def test_labels_that_are_all_the_same_are_handled(name: str, undefined: str, fill: float) -> None:
    result = of(name, np.full((rows(name), 3), 2.0), scale=SCALE, undefined=undefined)
    if name in {"agreement", "phi"} or name.startswith("ac"):
        assert result.value == 1
    else:
        assert result.value == pytest.approx(fill, nan_ok=True)
        assert "undefined" in result.flags
        assert result.reason.startswith("no disagreement is expected")


@each
def test_unused_levels_are_handled(name: str) -> None:
    ratings = labels(name, 3)
    below = 0 if name == "alpha-ratio" else -2
    wide = of(name, ratings, scale=range(below, 9))
    short = of(name, ratings, scale=SCALE)
    changes = name == "phi" or name.startswith("ac")
    assert (short.value == pytest.approx(wide.value, abs=1e-12)) != changes
    assert ("levels-seen" in of(name, ratings).flags) == changes


@each
def test_wrong_input_is_refused_with_its_value(name: str) -> None:
    with pytest.raises(UsageError, match=r"ratings\[1, 0\] = 7; expected a level of the scale"):
        of(name, [[0, 1], [7, 1]], scale=SCALE)
    with pytest.raises(UsageError, match="undefined='half'; expected one of nan, one, zero"):
        of(name, [[0, 1], [0, 1]], undefined="half")
    with pytest.raises(ShapeError, match="ratings must have 2 dimensions; found 1"):
        of(name, [0, 1, 2])


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean alpha-ordinal"):
        COEFFICIENTS.get("alpha-ordinl")
