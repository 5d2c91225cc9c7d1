"""Answers to pairs as events, and the current answers derived from them.

Only answers are stored. Open pairs, ranks and results are derived from the list of answers on
demand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.pairs.standing import standing


@dataclass(frozen=True, slots=True)
class Pair:
    """Two docs of a topic to be compared.

    Attributes
    ----------
    left, right : str
        The docs to show on the left and on the right.
    round : int
        The round of judging, from 1; a pair may be asked in several rounds.
    """

    left: str
    right: str
    round: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """An event: an assessor compares two docs of a topic, or withdraws an answer.

    Attributes
    ----------
    left, right : str
        The docs.
    outcome : int or None
        From −2 (left much better) over 0 (tie) to 2 (right much better); None withdraws the
        assessor's answer to this pair in this round (undo).
    assessor : str
        The assessor; empty if unknown.
    round : int
        The round of judging; 0 if unknown.
    """

    left: str
    right: str
    outcome: int | None
    assessor: str = ""
    round: int = 0

    def __post_init__(self) -> None:
        if self.left == self.right:
            raise UsageError(f"the doc {quoted(self.left)} is compared with itself")
        if self.outcome not in (-2, -1, 0, 1, 2, None):
            raise UsageError(f"the outcome is {quoted(self.outcome)}; expected -2 to 2, or None")


def standing_answers(answers: Iterable[Answer]) -> list[Answer]:
    """Return the current answers of a topic, in order; see `standing`."""
    given = list(answers)
    places = standing(("", a.left, a.right, a.outcome, a.assessor, a.round) for a in given)
    return [given[place] for place in places]


class AnswerBook:
    """The current answers, indexed by round and pair.

    The answers of several assessors to a pair are combined into the sign of the median, as in
    preference tests (pdp 3.4.2).

    Parameters
    ----------
    answers : iterable of Answer
        The answers in the order given.
    by_round : bool
        Whether a pair may be asked in several rounds, so that each answer belongs to one round.
        Otherwise rounds are ignored.
    """

    def __init__(self, answers: Iterable[Answer], *, by_round: bool) -> None:
        self._by_round = by_round
        self._known: dict[tuple[int, str, str], dict[str, int]] = {}
        # Answers without a known round are used, in turn, by the rounds that ask their pair.
        self._waiting: dict[tuple[str, str], list[int]] = {}
        self._used = 0
        for answer in standing_answers(answers):
            self._add(answer)
        self._total = sum(map(len, self._known.values())) + sum(map(len, self._waiting.values()))

    @property
    def unused(self) -> int:
        """Return the number of current answers to pairs that the scheduler did not ask for."""
        return self._total - self._used

    def outcome(self, first: str, second: str, *, round: int = 1) -> int | None:  # noqa: A002
        """Return −1 if the first doc is better, 1 if the second doc is better, 0 for a tie.

        None means that there is no answer. Each pair is asked once per round.
        """
        low, high = sorted((first, second))
        answers = list(self._known.get((round if self._by_round else 0, low, high), {}).values())
        waiting = self._waiting.get((low, high))
        if not answers and waiting:
            answers = [waiting.pop(0)]
        if not answers:
            return None
        self._used += len(answers)
        middle = median(answers)
        sign = (middle > 0) - (middle < 0)
        return sign if low == first else -sign

    def _add(self, answer: Answer) -> None:
        low, high = sorted((answer.left, answer.right))
        outcome = answer.outcome or 0
        if low != answer.left:
            outcome = -outcome
        if self._by_round and not answer.round:
            self._waiting.setdefault((low, high), []).append(outcome)
            return
        given = self._known.setdefault((answer.round if self._by_round else 0, low, high), {})
        given.pop(answer.assessor, None)
        given[answer.assessor] = outcome
