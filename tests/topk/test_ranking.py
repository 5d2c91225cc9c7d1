from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from qrelsmith.topk.ranking import RankedDoc, best_places, competition_ranks


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_ranks_equal_those_of_scipy_from_the_other_end(wins: list[int]) -> None:
    expected = rankdata([-value for value in wins], method="min")
    assert competition_ranks(wins).tolist() == expected.astype(int).tolist()


def test_ties_at_rank_k_are_kept() -> None:
    found = best_places(["d", "c", "b", "a"], [3, 1, 1, 0], k=2)
    assert found == (RankedDoc("d", 1, 3), RankedDoc("b", 2, 1), RankedDoc("c", 2, 1))


def test_a_tie_at_the_top_can_leave_no_room_below() -> None:
    found = best_places(list("abc"), [2, 2, 1], k=2)
    assert [(place.doc, place.rank) for place in found] == [("a", 1), ("b", 1)]


def test_sums_of_thirds_tie() -> None:
    assert competition_ranks([1 / 3 + 1 / 3 + 1 / 3, 1.0]).tolist() == [1, 1]


def test_batches_are_ranked_row_by_row() -> None:
    assert competition_ranks(np.array([[1, 2], [2, 2]])).tolist() == [[2, 1], [1, 1]]


def test_without_docs_there_are_no_ranks() -> None:
    assert best_places([], [], k=3) == ()
