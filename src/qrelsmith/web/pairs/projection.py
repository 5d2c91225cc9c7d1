"""The current answer to every pair, as its events leave it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from qrelsmith.web.models import PairTask, PreferenceEvent


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer to a pair at some revision.

    Attributes
    ----------
    outcome : int or None
        From −2 (left much better) to 2, or None: unjudged.
    left_sha256, right_sha256 : str
        The digests of the docs that were shown; empty if it is unjudged.
    passages : list of dict
        The passages of both docs that support it, each with its side.
    topic_version, settings_version : int
        The texts by which it was judged; 0 if it is unjudged.
    """

    outcome: int | None = None
    left_sha256: str = ""
    right_sha256: str = ""
    topic_version: int = 0
    settings_version: int = 0
    passages: list[dict[str, Any]] = field(default_factory=list)


UNANSWERED = PairAnswer()


def answer_after(event: PreferenceEvent) -> PairAnswer:
    """The answer that an event leaves; an event says all of it."""
    return UNANSWERED if event.outcome is None else _answer(event)


def answer_of(task: PairTask) -> PairAnswer:
    """The answer that the projection holds."""
    return _answer(task)


def answer_at(task: PairTask, revision: int) -> PairAnswer:
    """The answer that a pair had at an earlier revision."""
    if revision == 0:
        return UNANSWERED
    return answer_after(PreferenceEvent.objects.get(pair=task, revision=revision))


def _answer(row: PairTask | PreferenceEvent) -> PairAnswer:
    return PairAnswer(
        outcome=row.outcome,
        left_sha256=row.left_sha256,
        right_sha256=row.right_sha256,
        topic_version=row.topic_version,
        settings_version=row.settings_version,
        passages=row.passages,
    )
