"""Rules for every scheduler, including new ones."""

from __future__ import annotations

import random

import pytest

from qrelsmith.topk import SCHEDULERS, Answer, Scheduler, State

SIZES = (0, 1, 2, 3, 7, 20)


def scheduler(name: str, count: int, *, k: int = 3, seed: int = 4, topic: str = "t") -> Scheduler:
    docs = [f"d{number:02d}" for number in range(count)]
    return SCHEDULERS.get(name)(
        docs, k=k, seed=seed, topic=topic, finalists=9, pairings=7, keep="majority", forced=False
    )


def played(one: Scheduler, outcome) -> tuple[State, list[Answer]]:
    answers: list[Answer] = []
    state = one.replay(answers)
    while not state.done:
        answers += [
            Answer(p.left, p.right, outcome(p.left, p.right), "", p.round) for p in state.open_pairs
        ]
        state = one.replay(answers)
    return state, answers


def right(left: str, other: str) -> int:
    return -1 if left < other else 1


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("name", SCHEDULERS.names())
def test_the_best_doc_is_found_if_answers_are_right(name: str, count: int) -> None:
    state, _ = played(scheduler(name, count), right)
    assert [place.doc for place in state.result][:1] == ["d00"][:count]
    assert len(state.result) >= min(3, count)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("name", SCHEDULERS.names())
def test_every_search_ends_whatever_the_answers(name: str, count: int) -> None:
    rng = random.Random(count)
    for _ in range(3):
        state, answers = played(scheduler(name, count), lambda *_: rng.choice((-2, -1, 0, 1, 2)))
        assert len(answers) <= count * count * 4
        assert (state.comparisons, state.unused) == (len(answers), 0)


@pytest.mark.parametrize("name", SCHEDULERS.names())
def test_repeated_answers_and_the_order_of_answers_do_not_matter(name: str) -> None:
    one = scheduler(name, 20)
    state, answers = played(one, right)
    assert one.replay(answers[::-1]) == state
    assert one.replay([*answers, *answers]) == state


@pytest.mark.parametrize("name", SCHEDULERS.names())
def test_after_every_answer_the_open_pairs_are_unanswered(name: str) -> None:
    one = scheduler(name, 12)
    _, answers = played(one, right)
    for stop in range(0, len(answers), 7):
        known = {(a.round, frozenset((a.left, a.right))) for a in answers[:stop]}
        state = one.replay(answers[:stop])
        pairs = [(p.round, frozenset((p.left, p.right))) for p in state.open_pairs]
        assert len(set(pairs)) == len(pairs)
        assert not known.intersection(pairs)


@pytest.mark.parametrize("name", SCHEDULERS.names())
def test_undoing_everything_leads_back_to_the_beginning(name: str) -> None:
    one = scheduler(name, 7)
    begun = one.replay([])
    _, answers = played(one, right)
    undone = [*answers, *(Answer(a.left, a.right, None, "", a.round) for a in answers[::-1])]
    assert one.replay(undone) == begun


@pytest.mark.parametrize("name", SCHEDULERS.names())
def test_every_scheduler_documents_its_method_and_its_source(name: str) -> None:
    entry = SCHEDULERS.get(name).entry
    assert entry.formula
    assert entry.source
    assert entry.summary
