"""Krippendorff's α: published numbers, a direct implementation, properties, edge cases."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from qrelsmith.agreement import (
    alpha_of_coincidences,
    coincidences,
    fleiss_kappa,
    krippendorff_alpha,
)
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError, UnknownNameError, UsageError

LEVELS = ("nominal", "ordinal", "interval", "ratio")

RATINGS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 5), st.integers(1, 12)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, 5.5, math.nan]),
)


def alpha_direct(ratings: FloatArray, level: str) -> float:
    """α exactly as in Krippendorff (2011): a matrix of counted pairs, then double sums."""
    units = [[x for x in column if not math.isnan(x)] for column in ratings.T]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({x for unit in units for x in unit})
    if not values:
        return math.nan
    o = {(c, k): 0.0 for c in values for k in values}
    for unit in units:
        for i, c in enumerate(unit):
            for j, k in enumerate(unit):
                if i != j:
                    o[c, k] += 1 / (len(unit) - 1)
    n = {c: sum(o[c, k] for k in values) for c in values}
    total = sum(n.values())

    def delta(c: float, k: float) -> float:
        if level == "nominal":
            return float(c != k)
        if level == "ordinal":
            low, high = min(c, k), max(c, k)
            return (sum(n[g] for g in values if low <= g <= high) - (n[c] + n[k]) / 2) ** 2
        if level == "interval":
            return (c - k) ** 2
        return ((c - k) / (c + k)) ** 2 if c + k else 0.0

    observed = sum(o[c, k] * delta(c, k) for c in values for k in values)
    expected = sum(n[c] * n[k] * delta(c, k) for c in values for k in values)
    return 1 - (total - 1) * observed / expected if expected else math.nan


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_the_example_of_krippendorff_has_its_published_alpha(
    krippendorff: FloatArray, level: str, published: float
) -> None:
    result = krippendorff_alpha(krippendorff, level=level)
    assert result.value == pytest.approx(published, abs=0.0005)
    assert (result.units, result.assessors) == (11, 4)
    assert result.coefficient == f"alpha-{level}"


def test_the_example_of_krippendorff_has_its_published_sums(krippendorff: FloatArray) -> None:
    # Section C: n = 40, of which 33.33 sum on the diagonal; margins 9, 13, 10, 5, 3.
    counts = coincidences(krippendorff).counts
    assert counts.sum(axis=0) == pytest.approx([9, 13, 10, 5, 3])
    assert np.diag(counts) == pytest.approx([7, 10, 8, 4, 3])
    assert krippendorff_alpha(krippendorff, level="nominal").observed == pytest.approx(8 / 40)


def test_figure_1_of_the_paper_on_pdp_has_its_published_alpha(
    figure1: tuple[FloatArray, FloatArray],
) -> None:
    four, seven = figure1
    assert krippendorff_alpha(four, scale=range(4)).value == pytest.approx(0.6818, abs=5e-5)
    assert krippendorff_alpha(seven, scale=range(7)).value == pytest.approx(0.5713, abs=5e-5)


NIST, GPT4, GPT4O = "nist.qrels", "umbrela.gpt-4.qrels.gz", "umbrela.gpt-4o.qrels.gz"


@pytest.mark.parametrize(
    ("names", "recomputed"),
    [
        ((NIST, GPT4), 0.6240),
        ((NIST, GPT4O), 0.6604),
        ((GPT4, GPT4O), 0.8683),
        ((NIST, GPT4, GPT4O), 0.7180),
        (tuple(f"umbrela.llama3.2.run{n}.qrels.gz" for n in (1, 2, 3, 4)), 0.3984),
    ],
)
def test_dl_2021_has_its_published_alpha(
    dl21: Callable[..., FloatArray], names: tuple[str, ...], recomputed: float
) -> None:
    result = krippendorff_alpha(dl21(*names), scale=range(4))
    assert result.value == pytest.approx(recomputed, abs=5e-5)
    assert result.units == 10_828


@settings(deadline=None)
@given(ratings=RATINGS, level=st.sampled_from(LEVELS))
def test_alpha_equals_the_direct_implementation(ratings: FloatArray, level: str) -> None:
    direct = alpha_direct(ratings, level)
    assert krippendorff_alpha(ratings, level=level).value == pytest.approx(
        direct, abs=1e-12, nan_ok=True
    )


@settings(deadline=None)
@given(ratings=RATINGS, level=st.sampled_from(LEVELS))
def test_alpha_equals_alpha_of_its_coincidences(ratings: FloatArray, level: str) -> None:
    found = coincidences(ratings)
    value = float(alpha_of_coincidences(found.counts, found.values, level=level))
    assert krippendorff_alpha(ratings, level=level).value == pytest.approx(
        value, abs=1e-12, nan_ok=True
    )


@settings(deadline=None)
@given(ratings=RATINGS, slope=st.sampled_from([0.1, 2.0, -3.0]), shift=st.floats(-100, 100))
def test_interval_alpha_ignores_a_linear_relabelling(
    ratings: FloatArray, slope: float, shift: float
) -> None:
    before = krippendorff_alpha(ratings, level="interval").value
    after = krippendorff_alpha(slope * ratings + shift, level="interval").value
    assert after == pytest.approx(before, abs=1e-9, nan_ok=True)


@settings(deadline=None)
@given(ratings=RATINGS)
def test_ordinal_alpha_ignores_a_monotone_relabelling(ratings: FloatArray) -> None:
    before = krippendorff_alpha(ratings).value
    assert krippendorff_alpha(np.exp(ratings)).value == pytest.approx(before, nan_ok=True)
    assert krippendorff_alpha(-ratings).value == pytest.approx(before, nan_ok=True)


@settings(deadline=None)
@given(
    ratings=arrays.arrays(
        np.float64, st.tuples(st.just(2), st.integers(1, 20)), elements=st.sampled_from([0.0, 1, 2])
    )
)
def test_nominal_alpha_of_two_assessors_is_scotts_pi_with_small_sample_correction(
    ratings: FloatArray,
) -> None:
    # (1 − α) = (1 − π)·(n − 1)/n with n labels, and π is Fleiss' κ of two.
    n = ratings.size
    pi = fleiss_kappa(ratings).value
    alpha = krippendorff_alpha(ratings, level="nominal").value
    assert alpha == pytest.approx(1 - (1 - pi) * (n - 1) / n, nan_ok=True)


@settings(deadline=None)
@given(ratings=RATINGS)
def test_binary_labels_have_the_same_alpha_on_nominal_ordinal_and_interval_level(
    ratings: FloatArray,
) -> None:
    binary = np.where(np.isnan(ratings), np.nan, ratings > 1)
    values = [krippendorff_alpha(binary, level=level).value for level in LEVELS[:3]]
    assert values[1:] == pytest.approx([values[0]] * 2, nan_ok=True)


def test_real_valued_grades_have_an_alpha() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.random(40) + rng.normal(0, 0.3, size=(5, 40)) + 1
    for level in LEVELS:
        value = krippendorff_alpha(ratings, level=level).value
        assert value == pytest.approx(alpha_direct(ratings, level), abs=1e-12)


def test_many_distinct_values_need_little_memory_and_time() -> None:
    # A matrix over these 60,000 values would need 29 GB.
    rng = np.random.default_rng(2)
    ratings = rng.random(20_000) + rng.normal(0, 0.1, size=(3, 20_000))
    expected = {"nominal": 0.0, "ordinal": 0.89, "interval": 0.89}
    for level, value in expected.items():
        assert krippendorff_alpha(ratings, level=level).value == pytest.approx(value, abs=0.02)


def test_unused_levels_of_the_scale_change_nothing(krippendorff: FloatArray) -> None:
    for level in LEVELS:
        plain = krippendorff_alpha(krippendorff, level=level)
        assert krippendorff_alpha(krippendorff, level=level, scale=range(10)).value == plain.value


def test_labels_of_units_with_one_label_do_not_count(krippendorff: FloatArray) -> None:
    lonely = krippendorff.copy()
    lonely[2, 11] = 1
    assert krippendorff_alpha(lonely).value == krippendorff_alpha(krippendorff).value


def test_the_ratio_level_refuses_values_below_zero() -> None:
    with pytest.raises(
        UsageError, match="level -1: a ratio scale has no levels below 0; expected 0 or more"
    ):
        krippendorff_alpha([[0, -1], [0, 1]], level="ratio")


def test_two_zeros_are_equal_on_the_ratio_level() -> None:
    assert krippendorff_alpha([[0, 0, 1], [0, 0, 1]], level="ratio").value == 1


def test_an_unknown_level_names_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="did you mean ordinal"):
        krippendorff_alpha([[0], [0]], level="ordnal")
    with pytest.raises(UnknownNameError, match="choices: nominal"):
        alpha_of_coincidences([[1.0]], [0.0], level="cardinal")


def test_coincidences_of_merged_levels_are_sums(krippendorff: FloatArray) -> None:
    whole = coincidences(krippendorff, scale=[1, 2, 3, 4, 5]).counts
    merged = coincidences(np.where(krippendorff > 2, 1.0, np.where(krippendorff <= 2, 0.0, np.nan)))
    blocks = np.add.reduceat(np.add.reduceat(whole, [0, 2], axis=0), [0, 2], axis=1)
    assert merged.counts == pytest.approx(blocks)


def test_a_stack_of_coincidences_has_an_alpha_each(krippendorff: FloatArray) -> None:
    found = coincidences(krippendorff)
    empty = np.zeros_like(found.counts)
    same = np.diag([4.0, 0, 0, 0, 0])
    stack = np.stack([found.counts, empty, same])
    values = alpha_of_coincidences(stack, found.values, undefined="one")
    assert values == pytest.approx([0.8154, math.nan, 1], abs=5e-4, nan_ok=True)


def test_coincidences_must_be_square_with_one_row_per_value() -> None:
    with pytest.raises(ShapeError, match=r"counts must have the shape \[..., 2, 2\]"):
        alpha_of_coincidences(np.zeros((3, 3)), [0, 1])


def test_coincidences_without_a_pair_are_zero() -> None:
    found = coincidences([[1, math.nan], [math.nan, 2]])
    assert found.counts.tolist() == [[0, 0], [0, 0]]
    assert coincidences(np.empty((0, 0))).counts.shape == (0, 0)
