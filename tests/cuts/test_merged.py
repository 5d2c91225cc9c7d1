from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.agreement import alpha_of_coincidences, coincidences
from qrelsmith.base.errors import UsageError
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.merged import is_collapsed, merged_alpha
from qrelsmith.cuts.topicwide import straddling_table

NAN = np.nan
# Krippendorff (2011), section C: 4 observers, 12 units, missing labels, values 1 to 5.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, NAN],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


def alpha_under_all_cuts(counts: np.ndarray, targets: int, level: str, undefined: str = "nan"):
    sets = CutSets.of(range(len(counts)), targets=targets)
    table = straddling_table(counts)
    straddling = {pair: table[places] for pair, places in sets.pairs.items()}
    below = [counts.sum(axis=1).cumsum()[column] for column in sets.columns]
    return sets, merged_alpha(below, straddling, counts.sum(), level=level, undefined=undefined)


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815)])
def test_all_cuts_of_all_levels_leave_alpha_unchanged(level: str, alpha: float) -> None:
    # Krippendorff (2011), sections C and D, prints .743 and .815; interval with levels 1 … 5: .849.
    counts = coincidences(KRIPPENDORFF, scale=range(1, 6)).counts
    _, found = alpha_under_all_cuts(counts, 5, level)
    assert found == pytest.approx([alpha], abs=5e-4)
    _, found = alpha_under_all_cuts(counts, 5, "interval")
    assert found == pytest.approx([0.849], abs=5e-4)


@given(
    seed=st.integers(0, 10_000),
    targets=st.integers(2, 5),
    level=st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_merged_levels_have_the_alpha_of_the_merged_matrix(
    seed: int, targets: int, level: str
) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 6, (4, 9)).astype(float)
    ratings[rng.random(ratings.shape) < 0.2] = NAN
    counts = coincidences(ratings, scale=range(6)).counts
    sets, found = alpha_under_all_cuts(counts, targets, level)
    for place in range(len(sets)):
        group = np.searchsorted(sets.places[place], np.arange(6), side="left")
        merged = np.zeros((targets, targets))
        np.add.at(merged, (group[:, None], group[None, :]), counts)
        expected = alpha_of_coincidences(merged, np.arange(targets), level=level)
        np.testing.assert_allclose(found[place], expected, atol=1e-12)


def test_a_single_level_is_0_over_0_whatever_the_rounding() -> None:
    below = [np.array([0.0, 3.0, 5.0, 7.0])]
    straddling = {(0, 0): np.array([0.0, 1.0, 1 / 3, 0.0])}
    for undefined, value in (("nan", NAN), ("one", 1.0), ("zero", 0.0)):
        for level in ("nominal", "ordinal", "interval"):
            found = merged_alpha(below, straddling, 7.0, level=level, undefined=undefined)
            np.testing.assert_array_equal(found[[0, 3]], [value, value])
            assert np.isfinite(found[[1, 2]]).all()
    assert is_collapsed(below, 7.0).tolist() == [True, False, False, True]


def test_without_labels_there_is_no_alpha_even_with_a_value_for_0_over_0() -> None:
    found = merged_alpha([np.zeros(2)], {(0, 0): np.zeros(2)}, 0.0, undefined="one")
    assert np.isnan(found).all()


def test_an_unknown_level_of_measurement_names_the_choices() -> None:
    with pytest.raises(UsageError, match="nominal, ordinal, interval"):
        merged_alpha([np.zeros(1)], {(0, 0): np.zeros(1)}, 1.0, level="ratio")
