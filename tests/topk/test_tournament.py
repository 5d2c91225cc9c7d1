from __future__ import annotations

import hashlib
import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.topk import Answer, RankedDoc, Tournament, comparisons_bound


def docs_of(count: int) -> list[str]:
    return [f"d{number:03d}" for number in range(count)]


def docs_in(result: tuple[RankedDoc, ...]) -> list[str]:
    return [place.doc for place in result]


# Mean comparisons for k = 5, by counting the comparisons of a winner tree.
@pytest.mark.parametrize(("candidates", "mean"), [(10, 17.8), (55, 73.2), (112, 134.3)])
def test_the_mean_number_of_comparisons_is_as_counted(play, candidates: int, mean: float) -> None:
    docs, counts = docs_of(candidates), []
    for seed in range(25):
        state, _ = play(Tournament(docs, k=5, seed=seed), docs)
        assert docs_in(state.result) == docs[:5]
        assert state.comparisons <= comparisons_bound(candidates, 5)
        counts.append(state.comparisons)
    assert np.mean(counts) == pytest.approx(mean, rel=0.02)


@pytest.mark.parametrize("k", [1, 3, 6])
def test_the_result_is_right_for_every_order_of_six_docs(play, k: int) -> None:
    tournament = Tournament(list("abcdef"), k=k, seed=1)
    for order in itertools.permutations("abcdef"):
        state, _ = play(tournament, order)
        assert state.result == tuple(
            RankedDoc(doc, rank, state.result[rank - 1].wins)
            for rank, doc in enumerate(order[:k], start=1)
        )
        assert state.comparisons <= comparisons_bound(6, k)


@given(st.integers(1, 24), st.integers(1, 8), st.integers(0, 99))
def test_the_best_docs_are_found_within_the_bound(count: int, k: int, seed: int) -> None:
    docs = docs_of(count)
    tournament, answers = Tournament(docs, k=k, seed=seed), []
    state = tournament.replay(answers)
    while not state.done:
        answers += [
            Answer(p.left, p.right, -1 if p.left < p.right else 1) for p in state.open_pairs
        ]
        state = tournament.replay(answers)
    assert docs_in(state.result) == docs[:k]
    assert len(answers) == state.comparisons <= comparisons_bound(count, k)


# topk-preferences 4.2 with ⌈log2⌉; one candidate needs no comparison, though the bound is 1.
@pytest.mark.parametrize(
    ("candidates", "k", "bound"), [(112, 5, 140), (10, 5, 26), (8, 2, 11), (1, 5, 1), (0, 5, 0)]
)
def test_the_bound_equals_the_papers_formula(candidates: int, k: int, bound: int) -> None:
    assert comparisons_bound(candidates, k) == bound


def test_all_first_pairs_are_open_at_once_and_then_one_at_a_time(play) -> None:
    docs = docs_of(16)
    tournament = Tournament(docs, k=3, seed=0)
    state = tournament.replay([])
    assert len(state.open_pairs) == 8
    assert len({doc for pair in state.open_pairs for doc in (pair.left, pair.right)}) == 16
    first, answers = play(tournament, docs)
    assert tournament.replay(answers[:15]).result == (first.result[0],)
    assert len(tournament.replay(answers[:15]).open_pairs) == 1


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_answers_does_not_matter(shuffler: random.Random) -> None:
    docs = docs_of(9)
    tournament = Tournament(docs, k=3, seed=5)
    answers = [Answer(a, b, -1) for a, b in itertools.combinations(docs, 2)]
    expected = tournament.replay(answers)
    shuffler.shuffle(answers)
    assert tournament.replay(answers) == expected


def test_the_seed_matters_but_the_order_of_the_candidates_does_not() -> None:
    docs = docs_of(20)
    one = Tournament(docs, k=2, seed=1, topic="t").replay([])
    assert Tournament(docs[::-1], k=2, seed=1, topic="t").replay([]) == one
    assert Tournament(docs, k=2, seed=2, topic="t").replay([]) != one
    assert Tournament(docs, k=2, seed=1, topic="u").replay([]) != one


def test_the_leaves_follow_from_sha_256_and_never_change() -> None:
    def digest(doc: str) -> bytes:
        keys = f"i:1:7\ns:10:tournament\ns:6:leaves\ns:4:31_1\ns:1:{doc}"
        return hashlib.sha256(keys.encode()).digest()

    leaves = sorted("abcd", key=digest)
    # Leaves 4 … 7 are the children of the nodes 3 and 2, which are decided in this order.
    expected = [{leaves[2], leaves[3]}, {leaves[0], leaves[1]}]
    pairs = Tournament(list("abcd"), k=1, seed=7, topic="31_1").replay([]).open_pairs
    assert [{pair.left, pair.right} for pair in pairs] == expected
    assert [(pair.left, pair.right) for pair in pairs] == [("c", "d"), ("a", "b")]


def test_a_changed_answer_and_an_undo_lead_to_the_right_next_pair(play) -> None:
    docs = docs_of(8)
    tournament = Tournament(docs, k=1, seed=3)
    state, answers = play(tournament, docs)
    last = answers[-1]
    undone = tournament.replay([*answers, Answer(last.left, last.right, None, "a")])
    assert [(pair.left, pair.right) for pair in undone.open_pairs] == [(last.left, last.right)]
    # The best doc loses its first comparison: it is eliminated, and its later answers are not used.
    lost = next(one for one in answers if state.result[0].doc in (one.left, one.right))
    other = lost.right if lost.left == state.result[0].doc else lost.left
    changed = tournament.replay([*answers, Answer(other, state.result[0].doc, -1, "a")])
    assert not changed.done
    assert changed.result == ()
    assert changed.unused == 2
    assert any(other in (pair.left, pair.right) for pair in changed.open_pairs)
    again = tournament.replay([*answers, Answer(other, "d000", -1, "a"), lost])
    assert again == state


def test_an_answer_to_a_closed_pair_is_not_used(play) -> None:
    docs = docs_of(4)
    tournament = Tournament(docs, k=1, seed=0)
    state, answers = play(tournament, docs)
    known = {frozenset((one.left, one.right)) for one in answers}
    closed = next(p for p in itertools.combinations(docs, 2) if frozenset(p) not in known)
    after = tournament.replay([*answers, Answer(*closed, 1)])
    assert (after.result, after.unused) == (state.result, 1)


def test_cyclic_answers_end_and_the_requested_pairs_decide() -> None:
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    tournament, answers = Tournament(list("abc"), k=3, seed=0), []
    state = tournament.replay(answers)
    while not state.done:
        answers += [
            Answer(p.left, p.right, -1 if (p.left, p.right) in beats else 1)
            for p in state.open_pairs
        ]
        state = tournament.replay(answers)
    assert sorted(docs_in(state.result)) == ["a", "b", "c"]
    assert [place.rank for place in state.result] == [1, 2, 3]
    assert (docs_in(state.result)[0], docs_in(state.result)[1]) in beats
    # The doc without a first pair beats the winner of that pair; the third pair is never requested.
    assert state.comparisons == 2


def test_all_tied_candidates_share_the_first_rank(play) -> None:
    state, _ = play(Tournament(docs_of(7), k=3, seed=0), outcome=lambda _: 0)
    assert [place.rank for place in state.result] == [1, 1, 1]
    assert sum(place.wins for place in state.result) <= state.comparisons


def test_a_tie_in_the_middle_shares_a_rank(play) -> None:
    docs = docs_of(6)
    tied = {"d001", "d002"}
    state, _ = play(
        Tournament(docs, k=4, seed=2),
        outcome=lambda p: 0 if {p.left, p.right} == tied else -1 if p.left < p.right else 1,
    )
    assert [place.rank for place in state.result] == [1, 2, 2, 4]
    assert {place.doc for place in state.result[1:3]} == tied


def test_one_candidate_and_none_need_no_comparison() -> None:
    one = Tournament(["a"], k=5, seed=0).replay([])
    assert (one.done, one.result, one.comparisons) == (True, (RankedDoc("a", 1, 0.0),), 0)
    none = Tournament([], k=5, seed=0).replay([])
    assert (none.done, none.result) == (True, ())


def test_fewer_than_k_candidates_are_all_ranked(play) -> None:
    state, _ = play(Tournament(list("cab"), k=5, seed=0), "abc")
    assert docs_in(state.result) == ["a", "b", "c"]


def test_sides_follow_the_seed_and_are_approximately_balanced() -> None:
    docs = docs_of(64)
    pairs = Tournament(docs, k=1, seed=0).replay([]).open_pairs
    turned = sum(pair.left > pair.right for pair in pairs)
    assert 8 <= turned <= 24


def test_invalid_input_is_refused() -> None:
    with pytest.raises(UsageError, match="appears twice"):
        Tournament(["a", "a"], k=1, seed=0)
    with pytest.raises(UsageError, match="k is 0"):
        Tournament(["a"], k=0, seed=0)
    with pytest.raises(UsageError, match="expected a list"):
        Tournament("abc", k=1, seed=0)
