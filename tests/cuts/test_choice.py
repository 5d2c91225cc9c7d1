from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.cuts import TIE_RULES, CutSets, best_cuts, closeness, cut_groups

NAN = np.nan


def test_the_middle_of_the_tied_cuts_is_taken_and_all_are_kept() -> None:
    sets = CutSets.of(range(8), targets=2)
    choice = best_cuts([0.1, 0.5, 0.5, 0.5 - 5e-10, 0.5, 0.5, NAN], sets)
    assert (choice.place, choice.tied.tolist()) == (3, [1, 2, 3, 4, 5])
    assert choice.value == 0.5 - 5e-10
    assert best_cuts([0.1, 0.5, 0.5 - 2e-9, 0, 0, 0, 0], sets).tied.tolist() == [1]


def test_of_two_middle_cuts_the_lower_is_chosen() -> None:
    sets = CutSets.of(range(5), targets=2)
    assert best_cuts([0, 1, 1, 0], sets).place == 1
    assert best_cuts([1, 1, 1, 1], sets).place == 1


def test_the_middle_of_a_box_of_cuts_is_its_centre() -> None:
    # Gaps between the docs' grades tie all cuts inside them: 1 … 3 and 6 … 8.
    sets = CutSets.of(range(11), targets=3)
    tied = ((sets.places >= [1, 6]) & (sets.places <= [3, 8])).all(axis=1)
    choice = best_cuts(tied.astype(float), sets)
    assert sets.cuts(choice.place).values == (2.0, 7.0)
    assert choice.tied.size == 9
    assert sets.cuts(best_cuts(tied, sets, ties="lowest").place).values == (1.0, 6.0)
    assert sets.cuts(best_cuts(tied, sets, ties="highest").place).values == (3.0, 8.0)


def test_without_any_value_no_cut_is_chosen() -> None:
    choice = best_cuts([NAN, NAN], CutSets.of(range(3), targets=2))
    assert choice.place == -1
    assert np.isnan(choice.value)
    assert choice.tied.size == 0


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, NAN]), min_size=10, max_size=10))
def test_the_chosen_set_is_one_of_the_best_under_every_rule(values: list[float]) -> None:
    sets = CutSets.of(range(6), targets=3)
    for rule in TIE_RULES:
        choice = best_cuts(values, sets, ties=rule)
        if choice.place >= 0:
            assert values[choice.place] == np.nanmax(values)
            assert choice.place in choice.tied
            assert choice.tied.size == values.count(float(np.nanmax(values)))


def test_closeness_is_the_negative_distance() -> None:
    np.testing.assert_allclose(closeness([0.2, 0.5, NAN], 0.4), [-0.2, -0.1, NAN])


def test_groups_contain_the_best_the_median_and_the_worst() -> None:
    groups = cut_groups([0.3, NAN, 0.9, 0.1, 0.5, 0.7], size=1)
    assert {name: places.tolist() for name, places in groups.items()} == {
        "best": [2],
        "median": [4],
        "worst": [3],
    }
    groups = cut_groups([0.3, NAN, 0.9], size=1000)
    assert all(places.tolist() == [2, 0] for places in groups.values())


def test_the_width_is_the_distance_from_the_first_cut_to_the_last() -> None:
    assert CutSets.of([0, 1, 5, 9], targets=3).widths.tolist() == [1, 5, 4]
    assert CutSets.of(range(3), targets=2).widths.tolist() == [0, 0]


def test_mismatched_input_is_an_error() -> None:
    sets = CutSets.of(range(3), targets=2)
    with pytest.raises(ShapeError, match="3 values for 2 sets"):
        best_cuts([1, 2, 3], sets)
    with pytest.raises(UnknownNameError, match="middle, lowest, highest"):
        best_cuts([1, 2], sets, ties="random")
