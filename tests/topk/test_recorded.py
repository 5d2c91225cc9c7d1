from __future__ import annotations

from itertools import combinations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.topk import Answer, RankedDoc, Rounds, Tournament
from qrelsmith.topk.recorded import recorded_final, tournament_order


def docs_of(count: int) -> list[str]:
    return [f"d{number:03d}" for number in range(count)]


def bare(answers: list[Answer]) -> list[Answer]:
    """Return answers as in released files: sorted, without rounds and assessors."""
    rows = sorted((one.left, one.right, one.outcome) for one in answers)
    return [Answer(*row) for row in rows]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [5, 9, 10, 23, 40])
def test_the_final_of_consistent_answers_is_found_without_their_rounds(
    play, count: int, seed: int
) -> None:
    docs = docs_of(count)
    state, answers = play(Rounds(docs, k=5, seed=seed), docs)
    found = recorded_final(docs, bare(answers), k=5)
    assert found is not None
    assert found.finalists == state.remaining
    assert found.rounds == state.round - 1
    assert found.places == state.result
    assert found.set_settled
    assert found.ranks_settled


def test_a_pair_with_two_answers_can_leave_ranks_or_docs_undetermined() -> None:
    docs = list("abcd")
    answers = [Answer(one, two, -1) for one, two in combinations(docs, 2)]
    # b over a may have been the answer of the final: then a and b tie, and both share the first
    # rank.
    within = recorded_final(docs, [*answers, Answer("b", "a", -1)], k=2)
    assert within is not None
    assert (within.set_settled, within.ranks_settled) == (True, False)
    assert within.places == (RankedDoc("a", 1, 2.5), RankedDoc("b", 1, 2.5))
    # c over b would make c second.
    across = recorded_final(docs, [*answers, Answer("c", "b", -1)], k=2)
    assert across is not None
    assert not across.set_settled


def test_the_same_answer_twice_leaves_nothing_undetermined() -> None:
    docs = list("abc")
    answers = [Answer(one, two, -1) for one, two in combinations(docs, 2)]
    found = recorded_final(docs, [*answers, *answers], k=5)
    assert found is not None
    assert found.ranks_settled


def test_a_withdrawn_answer_does_not_count() -> None:
    docs = list("ab")
    given = [Answer("a", "b", -1, "x"), Answer("a", "b", 1, "y"), Answer("a", "b", None, "x")]
    found = recorded_final(docs, given, k=5)
    assert found is not None
    assert [place.doc for place in found.places] == ["b", "a"]
    assert recorded_final(docs, [given[0], given[2]], k=5) is None


def test_a_final_with_a_missing_pair_is_not_a_final(play) -> None:
    docs = docs_of(12)
    _, answers = play(Rounds(docs, k=5, seed=0), docs)
    last = max(answers, key=lambda answer: answer.round)
    assert recorded_final(docs, [one for one in answers if one != last], k=5) is None
    assert recorded_final(docs, [], k=5) is None


def test_docs_that_are_not_candidates_are_ignored() -> None:
    found = recorded_final(["a", "b"], [Answer("a", "b", -1), Answer("z", "a", -1)], k=5)
    assert found is not None
    assert found.places == (RankedDoc("a", 1, 1.0), RankedDoc("b", 2, 0.0))


def test_one_candidate_is_its_own_final() -> None:
    found = recorded_final(["a"], [], k=5)
    assert found is not None
    assert found.places == (RankedDoc("a", 1, 0.0),)


def test_with_too_many_combinations_nothing_is_called_determined() -> None:
    docs = docs_of(9)
    both = [Answer(*pair, outcome) for pair in combinations(docs, 2) for outcome in (-1, 1)]
    found = recorded_final(docs, both, k=5)
    assert found is not None
    assert not found.set_settled
    assert [place.wins for place in found.places] == [4.0] * 9


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(UsageError, match="F > P > k"):
        recorded_final(["a"], [], k=9)


@pytest.mark.parametrize("k", [1, 4])
def test_the_order_of_a_tournament_is_found_without_its_tree(play, k: int) -> None:
    docs = docs_of(20)
    state, answers = play(Tournament(docs, k=k, seed=3), docs)
    assert tournament_order(docs, bare(answers), k=k) == state.result


def test_the_order_ends_at_missing_pairs() -> None:
    answers = [Answer("a", "b", -1), Answer("b", "c", -1), Answer("b", "d", -1)]
    assert [place.doc for place in tournament_order(list("abcd"), answers, k=4)] == ["a", "b"]
    assert tournament_order(list("abcde"), answers, k=4) == ()


def test_contradictions_and_ties_determine_nothing() -> None:
    ring = [Answer("a", "b", -1), Answer("b", "c", -1), Answer("c", "a", -1)]
    assert tournament_order(list("abc"), ring, k=1) == ()
    assert tournament_order(list("ab"), [Answer("a", "b", 0)], k=1) == ()
    above = [*ring, *(Answer("x", doc, -1) for doc in "abc")]
    assert [place.doc for place in tournament_order(list("abcx"), above, k=4)] == ["x"]


def test_the_last_of_two_answers_counts_for_the_order() -> None:
    answers = [Answer("a", "b", -1), Answer("a", "b", 1)]
    assert tournament_order(list("ab"), answers, k=1) == (RankedDoc("b", 1, 1.0),)
