from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.topk import Answer, Pair, RankedDoc, Rounds, round_robin


def docs_of(count: int) -> list[str]:
    return [f"d{number:03d}" for number in range(count)]


def the_first(pair: Pair) -> int:
    return -1 if pair.left < pair.right else 1


def test_few_candidates_meet_in_the_final_immediately(play) -> None:
    state, answers = play(Rounds(docs_of(9), k=5, seed=0), docs_of(9))
    assert (state.round, state.comparisons, len(answers)) == (1, 36, 36)
    assert state.result == tuple(RankedDoc(f"d{n:03d}", n + 1, 8.0 - n) for n in range(5))


def test_rounds_continue_until_few_candidates_are_left(play) -> None:
    state, answers = play(Rounds(docs_of(40), k=5, seed=0), docs_of(40))
    by_round = Counter(answer.round for answer in answers)
    assert by_round[1] == 140  # 40 · 7 / 2
    assert state.round == max(by_round) >= 3
    assert 5 <= len(state.remaining) <= 9
    assert by_round[state.round] == len(state.remaining) * (len(state.remaining) - 1) // 2


def test_each_candidate_of_a_round_has_seven_or_eight_opponents() -> None:
    pairs = Rounds(docs_of(23), k=5, seed=0).replay([]).open_pairs
    met = Counter(doc for pair in pairs for doc in (pair.left, pair.right))
    assert sorted(met.values()) == [7] * 22 + [8]
    assert len({frozenset((pair.left, pair.right)) for pair in pairs}) == len(pairs) == 81


@given(st.integers(1, 40), st.integers(0, 30))
def test_the_best_is_always_first_if_answers_are_right(count: int, seed: int) -> None:
    docs = docs_of(count)
    rounds, answers = Rounds(docs, k=5, seed=seed), []
    state = rounds.replay(answers)
    while not state.done:
        answers += [Answer(p.left, p.right, the_first(p), "", p.round) for p in state.open_pairs]
        state = rounds.replay(answers)
    assert state.result[0].doc == "d000"
    assert len(state.result) >= min(5, count)
    assert state.unused == 0


def test_a_round_begins_when_the_previous_round_is_finished(play) -> None:
    rounds = Rounds(docs_of(12), k=5, seed=0)
    _, answers = play(rounds, docs_of(12))
    first = [answer for answer in answers if answer.round == 1]
    for missing in (first[0], first[-1]):
        state = rounds.replay([answer for answer in answers if answer != missing])
        assert (state.round, len(state.open_pairs), state.result) == (1, 1, ())
        assert state.unused == len(answers) - len(first)
    assert rounds.replay(first).round == 2


def test_answers_count_in_any_order(play) -> None:
    rounds = Rounds(docs_of(14), k=5, seed=0)
    state, answers = play(rounds, docs_of(14))
    assert rounds.replay(answers[::-1]) == state


def test_answers_without_rounds_count_for_the_rounds_in_order(play) -> None:
    rounds = Rounds(docs_of(14), k=5, seed=0)
    state, answers = play(rounds, docs_of(14))
    bare = [Answer(one.left, one.right, one.outcome) for one in answers]
    assert rounds.replay(bare) == state


def test_a_changed_answer_changes_later_pairs(play) -> None:
    docs = docs_of(12)
    rounds = Rounds(docs, k=5, seed=0)
    state, answers = play(rounds, docs)
    in_final = set(state.remaining)
    lost = [one for one in answers if one.round == 1 and "d011" in (one.left, one.right)]
    won = [
        Answer(one.left, one.right, -1 if one.left == "d011" else 1, one.assessor, 1)
        for one in lost
    ]
    after = rounds.replay([*answers, *won])
    assert "d011" in after.remaining
    assert not after.done
    assert all("d011" in (pair.left, pair.right) or not {pair.left, pair.right} <= in_final
               for pair in after.open_pairs)  # fmt: skip
    # After the undo, everything is as before.
    assert rounds.replay([*answers, *won, *lost]) == state


def test_undo_reopens_the_pair(play) -> None:
    docs = docs_of(7)
    rounds = Rounds(docs, k=5, seed=0)
    _, answers = play(rounds, docs)
    last = answers[-1]
    state = rounds.replay([*answers, Answer(last.left, last.right, None, "a", 1)])
    assert [{pair.left, pair.right} for pair in state.open_pairs] == [{last.left, last.right}]


def test_several_answers_of_workers_to_a_pair_give_their_median() -> None:
    rounds = Rounds(["a", "b"], k=1, seed=0, finalists=3, pairings=2)
    answers = [
        Answer("a", "b", outcome, who, 1) for who, outcome in (("x", -1), ("y", 1), ("z", 1))
    ]
    assert rounds.replay(answers).result == (RankedDoc("b", 1, 1.0),)
    assert rounds.replay(answers[:2]).result == (RankedDoc("a", 1, 0.5), RankedDoc("b", 1, 0.5))
    assert rounds.replay([*answers, *answers]).result == (RankedDoc("b", 1, 1.0),)


def test_an_answer_to_a_closed_pair_is_not_used(play) -> None:
    docs = docs_of(6)
    rounds = Rounds(docs, k=5, seed=0)
    state, answers = play(rounds, docs)
    late = [Answer("d000", "d001", 1, "a", 2), Answer("d000", "stranger", 1, "a", 1)]
    after = rounds.replay([*answers, *late])
    assert (after.result, after.unused) == (state.result, 2)


def test_cyclic_answers_tie() -> None:
    beats = [("a", "b"), ("b", "c"), ("c", "a")]
    rounds = Rounds(list("abc"), k=1, seed=0, finalists=3, pairings=2)
    state = rounds.replay([Answer(*pair, -1, round=1) for pair in beats])
    assert state.result == tuple(RankedDoc(doc, 1, 1.0) for doc in "abc")


def test_ties_at_rank_k_are_kept() -> None:
    # a beats all; b, c and d beat each other in a ring.
    beats = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("c", "d"), ("d", "b")]
    state = round_robin(list("abcd"), k=2, seed=0).replay(
        [Answer(*pair, -1, round=1) for pair in beats]
    )
    assert [(place.doc, place.rank) for place in state.result] == [
        ("a", 1), ("b", 2), ("c", 2), ("d", 2),
    ]  # fmt: skip


def test_all_tied_candidates_meet_in_the_final_and_are_all_first(play) -> None:
    state, _ = play(Rounds(docs_of(12), k=5, seed=0), outcome=lambda _: 0)
    assert state.round == 2
    assert state.comparisons == 42 + 66
    assert [place.rank for place in state.result] == [1] * 12


def test_one_candidate_none_and_fewer_than_k_are_handled(play) -> None:
    assert Rounds(["a"], k=5, seed=0).replay([]).result == (RankedDoc("a", 1, 0.0),)
    none = Rounds([], k=5, seed=0).replay([])
    assert (none.done, none.result) == (True, ())
    state, _ = play(Rounds(list("bca"), k=5, seed=0), "abc")
    assert [place.doc for place in state.result] == ["a", "b", "c"]


def test_f_up_to_k_is_refused_and_if_forced_never_leaves_fewer_than_k(play) -> None:
    with pytest.raises(UsageError, match="F > P > k"):
        Rounds(docs_of(20), k=5, seed=0, finalists=5)
    forced = Rounds(docs_of(20), k=5, seed=0, finalists=2, pairings=3, forced=True)
    state, _ = play(forced, docs_of(20))
    assert len(state.remaining) >= 5
    assert len(state.result) >= 5
    assert state.result[0].doc == "d000"


def test_more_pairings_than_other_docs_are_all_pairs(play) -> None:
    forced = Rounds(docs_of(6), k=1, seed=0, finalists=2, pairings=9, forced=True)
    state, answers = play(forced, docs_of(6))
    assert len([answer for answer in answers if answer.round == 1]) == 15
    assert state.result == (RankedDoc("d000", 1, state.result[0].wins),)


def test_a_tie_counts_as_half_a_win_for_both() -> None:
    answers = [Answer("a", "b", 0, round=1), Answer("a", "c", -1, round=1),
               Answer("b", "c", -1, round=1)]  # fmt: skip
    state = round_robin(list("abc"), k=3, seed=0).replay(answers)
    assert [(place.doc, place.wins) for place in state.result] == [("a", 1.5), ("b", 1.5), ("c", 0)]


def test_round_robin_consists_of_the_final(play) -> None:
    state, answers = play(round_robin(docs_of(13), k=5, seed=0), docs_of(13))
    asked = {frozenset((answer.left, answer.right)) for answer in answers}
    assert asked == {frozenset(pair) for pair in combinations(docs_of(13), 2)}
    assert [place.wins for place in state.result] == [12, 11, 10, 9, 8]


def test_the_seed_matters_but_the_order_of_the_candidates_does_not() -> None:
    docs = docs_of(15)
    one = Rounds(docs, k=5, seed=1, topic="t").replay([])
    assert Rounds(docs[::-1], k=5, seed=1, topic="t").replay([]) == one
    assert Rounds(docs, k=5, seed=2, topic="t").replay([]) != one
    assert Rounds(docs, k=5, seed=1, topic="u").replay([]) != one
