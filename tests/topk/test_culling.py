from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.topk.culling import check_sizes, survivors


def two_left_out(docs: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Return all ways in which each of some docs does not meet two others: sets of rings."""
    if not docs:
        yield []
        return
    first, *others = docs
    for size in range(2, len(others) + 1):
        for chosen in combinations(others, size):
            rest = [doc for doc in others if doc not in chosen]
            if len(rest) in (1, 2):
                continue
            for order in permutations(chosen):
                if order[0] < order[-1]:
                    ring = [(first, order[0]), *pairwise(order), (order[-1], first)]
                    for more in two_left_out(rest):
                        yield ring + more


@pytest.fixture(scope="module")
def wins_of_ten() -> np.ndarray:
    """Return wins [pairing, doc] of ten docs, best first, with 7 opponents, for all pairings."""
    rows = []
    for left_out in two_left_out(range(10)):
        wins = [9 - doc for doc in range(10)]
        for one, two in left_out:
            wins[min(one, two)] -= 1
        rows.append(wins)
    return np.array(rows)


# Counted, instead of the paper's "more than a 12 % chance" (section 5).
def test_the_fifth_best_of_ten_fails_its_majority_in_10_of_36(wins_of_ten: np.ndarray) -> None:
    assert len(wins_of_ten) == 286_884
    fails = int((2 * wins_of_ten[:, 4] <= 7).sum())
    assert Fraction(fails, 286_884) == Fraction(10, 36)


@pytest.mark.parametrize("keep", ["majority", "half"])
def test_the_fifth_best_of_ten_is_lost_after_the_floor_rule_in_31300_of_286884(
    wins_of_ten: np.ndarray, keep
) -> None:
    stays = survivors(wins_of_ten, np.full(wins_of_ten.shape, 7), k=5, keep=keep)
    assert int((~stays[:, 4]).sum()) == 31_300
    assert (stays.sum(axis=1) >= 5).all()


def test_exactly_k_winners_stay_alone() -> None:
    # The third doc has as many wins as the second, but in more pairings: no minimum is needed.
    stays = survivors([5, 3, 3], [7, 5, 7], k=2)
    assert stays.tolist() == [True, True, False]


def test_four_of_eight_wins_are_enough_in_the_authors_program_only() -> None:
    wins, pairings = [4, 4, 3, 5], [7, 8, 7, 8]
    assert survivors(wins, pairings, k=1).tolist() == [True, False, False, True]
    assert survivors(wins, pairings, k=1, keep="half").tolist() == [True, True, False, True]


def test_a_round_that_leaves_too_few_is_topped_up_with_ties() -> None:
    wins, pairings = [6, 3, 3, 2, 1], [7] * 5
    assert survivors(wins, pairings, k=2).tolist() == [True, True, True, False, False]
    assert survivors(wins, pairings, k=1).tolist() == [True, False, False, False, False]


def test_all_tied_docs_stay() -> None:
    assert survivors([3.5] * 8, [7] * 8, k=5).all()


def test_docs_without_pairs_are_not_candidates() -> None:
    assert survivors([1, 0, 0], [1, 1, 0], k=3).tolist() == [True, True, False]


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(UsageError, match="majority, half"):
        survivors([1], [1], k=1, keep="most")  # type: ignore[arg-type]


@pytest.mark.parametrize(("finalists", "pairings"), [(9, 5), (7, 7), (5, 7)])
def test_f_above_p_above_k_is_required_unless_forced(finalists: int, pairings: int) -> None:
    with pytest.raises(UsageError, match="F > P > k"):
        check_sizes(5, finalists=finalists, pairings=pairings)
    check_sizes(5, finalists=finalists, pairings=pairings, forced=True)
    with pytest.raises(UsageError, match="1 or more"):
        check_sizes(0, finalists=finalists, pairings=pairings, forced=True)
