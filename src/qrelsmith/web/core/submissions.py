"""Submissions of clients, to be accepted as events, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrelsmith.web.core.fields import CLOCK, DURATION
from qrelsmith.web.openapi.declared import declare


@dataclass(frozen=True, slots=True)
class Timing:
    """When and how long, as the client measured; nothing of it is needed.

    Attributes
    ----------
    delay_ms : int
        How long ago the judgment was made when it was sent: it may have waited for a connection.
    shown_for_ms : int or None
        From when the doc was shown to when it was judged.
    client_ms : int or None
        The client's monotonic clock at the judgment.
    active_ms, idle_ms : int or None
        The parts of `shown_for_ms` in which the assessor did something and did nothing.
    """

    delay_ms: int = declare(DURATION, 0)
    shown_for_ms: int | None = declare(DURATION, None)
    client_ms: int | None = declare(CLOCK, None)
    active_ms: int | None = declare(DURATION, None)
    idle_ms: int | None = declare(DURATION, None)


class Submission:
    """A judgment as a client sends it, of whatever kind.

    Attributes
    ----------
    op_id : str
        The client's name of the operation.
    base_revision : int
        The revision of the label that the client saw.
    topic_version : int or None
        The text of the topic that was shown; None: the current one.
    passages : list of dict
        The passages that support the judgment; of a pair each with its side.
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
        """Which doc or pair."""
        raise NotImplementedError

    @property
    def said(self) -> float:
        """The grade or outcome."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event that is in the log.

    Attributes
    ----------
    event : Event or PreferenceEvent
        It.
    unit : AssignedDoc or PairTask
        What was judged, with its current label, as its acceptor's `units` gives it.
    repeated : bool
        Whether it was there already: a retry.
    """

    event: Any
    unit: Any
    repeated: bool


class RefusedError(Exception):
    """A submission that is not accepted.

    Parameters
    ----------
    reason : str
        One of `stale`, `op_id`, `sha256`, `value`, `version`, `closed`, `unknown`, `nothing`,
        `withdrawn`, `account`, `passage`, `twice`.
    message : str
        The same for a person.
    current : item, optional
        The judged item with its current label, where that helps to choose.
    field, found, expected : str
        The same for a program: the field at fault, its value, and what it should be.
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
