from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.topk.thinning import thin


def by_the_paper(grades: list[float], k: int) -> set[int]:
    """The algorithm of topk-preferences 4.1, line by line, for whole grades."""
    levels: dict[int, set[int]] = {}
    for doc, grade in enumerate(grades):
        levels.setdefault(int(grade), set()).add(doc)
    level, candidates = max(levels, default=0), set[int]()
    while len(candidates) < k and level > 0:
        candidates |= levels.get(level, set())
        level -= 1
    return candidates


def test_whole_grades_are_added_until_there_are_enough() -> None:
    found = thin([4, 4, 3, 3, 3, 2, 1, 0], k=3)
    assert found.kept.tolist() == [True] * 5 + [False] * 3
    assert float(found.lowest) == 3
    assert int(found.sizes) == 5


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.integers(1, 12))
def test_candidates_equal_those_of_the_papers_algorithm(grades: list[int], k: int) -> None:
    kept = thin(grades, k=k).kept
    assert set(np.flatnonzero(kept).tolist()) == by_the_paper(list(map(float, grades)), k)


def test_several_topics_are_thinned_at_once() -> None:
    grades = np.array([[3, 2, 1, np.nan], [1, 0, -2, -1]])
    found = thin(grades, k=2)
    assert found.kept.tolist() == [[True, True, False, False], [True, False, False, False]]
    assert found.lowest.tolist() == [2, 1]


def test_codes_unjudged_and_nonrelevant_docs_are_never_candidates() -> None:
    found = thin([0, -1, -2, np.nan], k=5)
    assert not found.kept.any()
    assert math.isnan(found.lowest)


def test_without_docs_there_are_no_candidates() -> None:
    found = thin(np.empty((2, 0)), k=5)
    assert found.sizes.tolist() == [0, 0]
    assert np.isnan(found.lowest).all()


def test_fewer_than_k_docs_above_0_are_all_candidates() -> None:
    assert int(thin([1, 2, 0], k=5).sizes) == 2


def test_k_below_1_is_an_error() -> None:
    with pytest.raises(UsageError, match="k is 0"):
        thin([1], k=0)
