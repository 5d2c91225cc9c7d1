from __future__ import annotations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.topk.answers import Answer, AnswerBook


def book(*answers: Answer, by_round: bool = False) -> AnswerBook:
    return AnswerBook(answers, by_round=by_round)


def test_an_outcome_is_converted_to_the_requested_side() -> None:
    one = book(Answer("a", "b", -1))
    assert one.outcome("a", "b") == -1
    assert book(Answer("b", "a", 1)).outcome("a", "b") == -1
    assert book(Answer("a", "b", -2)).outcome("b", "a") == 1


def test_the_last_answer_of_an_assessor_counts() -> None:
    known = book(Answer("a", "b", -1, "x"), Answer("b", "a", -1, "x"))
    assert known.outcome("a", "b") == 1
    assert known.unused == 0


def test_several_assessors_give_the_sign_of_their_median() -> None:
    # −2, 1, 1 have the median 1; −2 and 1 have −½: the stronger one counts.
    three = [Answer("a", "b", outcome, who) for who, outcome in (("x", -2), ("y", 1), ("z", 1))]
    assert book(*three).outcome("a", "b") == 1
    assert book(*three[:2]).outcome("a", "b") == -1
    assert book(Answer("a", "b", -1, "x"), Answer("a", "b", 1, "y")).outcome("a", "b") == 0


def test_undo_withdraws_only_the_answer_of_that_assessor() -> None:
    known = book(Answer("a", "b", -1, "x"), Answer("a", "b", 1, "y"), Answer("b", "a", None, "x"))
    assert known.outcome("a", "b") == 1
    assert book(Answer("a", "b", -1), Answer("a", "b", None)).outcome("a", "b") is None


def test_an_answer_after_an_undo_counts() -> None:
    known = book(Answer("a", "b", -1), Answer("a", "b", None), Answer("a", "b", 1))
    assert known.outcome("a", "b") == 1


def test_answers_belong_to_the_round_that_they_name() -> None:
    known = book(Answer("a", "b", -1, round=1), Answer("a", "b", 1, round=2), by_round=True)
    assert known.outcome("a", "b", round=2) == 1
    assert known.outcome("a", "b", round=1) == -1
    assert known.outcome("a", "b", round=3) is None


def test_answers_without_a_round_count_for_the_rounds_in_order() -> None:
    known = book(Answer("a", "b", -1), Answer("a", "b", 1), by_round=True)
    assert known.unused == 2
    assert [known.outcome("a", "b", round=number) for number in (1, 2, 3)] == [-1, 1, None]
    assert known.unused == 0


def test_undo_without_a_round_withdraws_the_assessors_last_answer() -> None:
    answers = [Answer("a", "b", -1, "x"), Answer("a", "b", 1, "y"), Answer("a", "b", None, "x")]
    assert book(*answers, by_round=True).outcome("a", "b", round=1) == 1
    assert book(Answer("a", "b", None), by_round=True).outcome("a", "b", round=1) is None


def test_unneeded_answers_are_counted() -> None:
    known = book(Answer("a", "b", -1), Answer("c", "d", -1))
    known.outcome("a", "b")
    assert known.unused == 1


@pytest.mark.parametrize(("left", "right", "outcome"), [("a", "a", 0), ("a", "b", 3)])
def test_an_answer_without_an_outcome_is_refused(left: str, right: str, outcome: int) -> None:
    with pytest.raises(UsageError):
        Answer(left, right, outcome)
