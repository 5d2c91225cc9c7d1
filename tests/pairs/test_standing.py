"""Current answers after later answers and undos."""

from __future__ import annotations

from qrelsmith.pairs.standing import standing

FIRST = ("t", "a", "b", -1, "ann", 1)


def undo(number: int, assessor: str = "ann") -> tuple[str, str, str, None, str, int]:
    return ("t", "b", "a", None, assessor, number)


def test_an_undo_withdraws_only_in_the_round_that_it_names() -> None:
    second = ("t", "a", "b", 1, "ann", 2)
    assert standing([FIRST, second, undo(1)]) == [1]
    assert standing([FIRST, undo(2)]) == [0]
    assert standing([FIRST, undo(1, "bob")]) == [0]


def test_an_undo_without_a_round_withdraws_the_last_answer() -> None:
    second = ("t", "a", "b", 1, "ann", 2)
    assert standing([FIRST, second, undo(0)]) == [0]
    # An answer without a round is the withdrawn one.
    assert standing([("t", "a", "b", 0, "ann", 0), second, undo(0)]) == [1]
