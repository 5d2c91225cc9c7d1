"""Topics whose answers follow a known order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from qrelsmith.topk import Answer, Pair, Scheduler, State

Play = Callable[..., tuple[State, list[Answer]]]


@pytest.fixture
def play() -> Play:
    """Play a scheduler to its end, with answers by an order (best first) or a function."""

    def of(
        scheduler: Scheduler,
        order: Sequence[str] = (),
        *,
        outcome: Callable[[Pair], int] | None = None,
    ) -> tuple[State, list[Answer]]:
        place = {doc: number for number, doc in enumerate(order)}

        def by_order(pair: Pair) -> int:
            return -1 if place[pair.left] < place[pair.right] else 1

        answers: list[Answer] = []
        state = scheduler.replay(answers)
        while not state.done:
            answers += [
                Answer(pair.left, pair.right, (outcome or by_order)(pair), "a", pair.round)
                for pair in state.open_pairs
            ]
            state = scheduler.replay(answers)
        return state, answers

    return of
