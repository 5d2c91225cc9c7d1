"""Submissions of clients, which are accepted as events, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrelsmith.web.core.fields import CLOCK, DURATION
from qrelsmith.web.openapi.declared import declare


@dataclass(frozen=True, slots=True)
class Timing:
    """The times and durations that a client has measured; all values are optional.

    Attributes
    ----------
    delay_ms : int
        Time from the judgment until it was sent: it may have waited for a connection.
    shown_for_ms : int or None
        Time from showing the doc to the judgment.
    client_ms : int or None
        The client's monotonic clock at the judgment.
    active_ms, idle_ms : int or None
        The parts of `shown_for_ms` with and without activity of the assessor.
    """

    delay_ms: int = declare(DURATION, 0)
    shown_for_ms: int | None = declare(DURATION, None)
    client_ms: int | None = declare(CLOCK, None)
    active_ms: int | None = declare(DURATION, None)
    idle_ms: int | None = declare(DURATION, None)


class Submission:
    """A judgment of any kind as sent by a client.

    Attributes
    ----------
    op_id : str
        The client's name for the operation.
    base_revision : int
        The revision of the label shown by the client.
    topic_version : int or None
        The version of the topic's text that was shown; None: the current one.
    passages : list of dict
        The passages that support the judgment; for a pair, each with its side.
    """

    __slots__ = ()
    op_id: str
    base_revision: int
    topic_version: int | None
    passages: list[dict[str, Any]]
    input_kind: str
    timing: Timing

    @property
    def unit(self) -> int:
        """The number of the judged doc or pair."""
        raise NotImplementedError

    @property
    def said(self) -> float:
        """The grade or outcome."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event in the log.

    Attributes
    ----------
    event : Event or PreferenceEvent
        The event.
    unit : AssignedDoc or PairTask
        The judged item with its current label, as returned by `units` of its kind.
    repeated : bool
        Whether the event was already in the log, because the submission is a retry.
    """

    event: Any
    unit: Any
    repeated: bool


class RefusedError(Exception):
    """A refused submission.

    Parameters
    ----------
    reason : str
        One of `stale`, `op_id`, `sha256`, `value`, `version`, `closed`, `unknown`, `nothing`,
        `withdrawn`, `account`, `passage`, `twice`.
    message : str
        The reason as a sentence for a person.
    current : item, optional
        The judged item with its current label, if the client needs it for a decision.
    field, found, expected : str
        The reason for a program: the invalid field, its value, and the expected value.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        current: Any = None,
        field: str = "",
        found: str = "",
        expected: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = str(message)
        self.current = current
        self.field = field
        self.found = found
        self.expected = expected or self.message
