from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.cuts import CutSets


@pytest.mark.parametrize(
    ("levels", "targets", "count"), [(4, 2, 3), (101, 2, 100), (101, 4, 161_700)]
)
def test_the_number_of_ways_to_cut_a_scale_is_that_of_the_paper(
    levels: int, targets: int, count: int
) -> None:
    # Han et al. 2019, 3.3.3
    assert len(CutSets.of(range(levels), targets=targets)) == count


def test_sets_ascend_in_lexicographic_order() -> None:
    sets = CutSets.of(range(5), targets=3)
    assert [tuple(row) for row in sets.places.tolist()] == list(combinations(range(4), 2))
    assert sets.targets == 3
    assert sets.cuts(1).values == (0.0, 2.0)


def test_a_real_valued_scale_is_cut_at_every_value_except_the_largest() -> None:
    sets = CutSets.of([0.1, 0.25, 0.7], targets=2)
    assert sets.candidates.tolist() == [0.1, 0.25]
    # A label above a cut moves up; a label at the cut does not.
    assert sets.positions([0.1, 0.2, 0.25, 0.3, 0.7]).tolist() == [0, 1, 1, 2, 2]


def test_as_many_levels_as_the_source_leave_one_way() -> None:
    assert CutSets.of([0, 1, 2], targets=3).places.tolist() == [[0, 1]]


def test_pairs_give_the_place_of_two_cuts_in_a_table() -> None:
    sets = CutSets.of(range(6), targets=4)
    table = np.arange(25).reshape(5, 5)
    for (i, j), places in sets.pairs.items():
        np.testing.assert_array_equal(
            table.ravel()[places], table[sets.places[:, i], sets.places[:, j]]
        )
    assert set(sets.pairs) == {(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)}


def test_more_target_levels_than_source_levels_is_an_error() -> None:
    with pytest.raises(UsageError, match="3 levels cannot give 4 levels"):
        CutSets.of(range(3), targets=4)
    with pytest.raises(UsageError, match="1 candidate cuts cannot give 4 levels"):
        CutSets.of(range(10), targets=4, candidates=[5])


@pytest.mark.parametrize(
    ("levels", "targets", "message"),
    [
        ([0, 1], 1, "at least two"),
        ([1, 0], 2, "strictly ascending"),
        ([0, np.nan], 2, "finite"),
        ([], 2, "0 levels cannot give"),
        (range(3002), 2, "at most 3,000 candidates"),
        (range(400), 4, "10,507,399 sets of 3"),
    ],
)
def test_the_error_for_an_impossible_cut_gives_the_reason(
    levels: list[float], targets: int, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        CutSets.of(levels, targets=targets)
