"""Submissions of clients, to be accepted as events, and their results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qrelsmith.web.core.fields import (
    CLOCK,
    DURATION,
    EXCERPT,
    GRADE,
    INPUT,
    NOTE,
    NUMBER,
    OP_ID,
    OUTCOME,
    PAIR_PASSAGES,
    PASSAGES,
    REVISION,
    SHA256,
    VERSION,
)
from qrelsmith.web.openapi.declared import declare

if TYPE_CHECKING:
    # What is sent is read without a database, too: for the reference of the docs.
    from qrelsmith.web.models import AssignedDoc, PairTask


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
class JudgmentSubmission(Submission):
    """A judgment of a doc as a client sends it.

    Attributes
    ----------
    assigned : int
        Which assigned doc.
    value : float
        A grade, or an error code below 0.
    sha256 : str
        The digest of the doc that was shown.
    scale_version : int or None
        The text of the scale that was shown; None: the current one.
    """

    op_id: str = declare(OP_ID)
    assigned: int = declare(NUMBER, name="doc")
    value: float = declare(GRADE)
    sha256: str = declare(SHA256)
    base_revision: int = declare(REVISION)
    topic_version: int | None = declare(VERSION, None)
    scale_version: int | None = declare(VERSION, None)
    note: str = declare(NOTE, "")
    excerpt: str = declare(EXCERPT, "")
    passages: list[dict[str, Any]] = declare(PASSAGES, default_factory=list)  # noqa: RUF009
    input_kind: str = declare(INPUT, "")
    timing: Timing = field(default_factory=Timing)

    @property
    def unit(self) -> int:
        """Which assigned doc."""
        return self.assigned

    @property
    def said(self) -> float:
        """The grade."""
        return self.value


@dataclass(frozen=True, slots=True)
class PairSubmission(Submission):
    """An answer to a pair as a client sends it.

    Attributes
    ----------
    pair : int
        Which task.
    outcome : int
        From −2 (left much better) to 2.
    left_sha256, right_sha256 : str
        The digests of the docs that were shown.
    settings_version : int or None
        The choices that were shown; None: the current ones.
    """

    op_id: str = declare(OP_ID)
    pair: int = declare(NUMBER)
    outcome: int = declare(OUTCOME)
    left_sha256: str = declare(SHA256)
    right_sha256: str = declare(SHA256)
    base_revision: int = declare(REVISION)
    topic_version: int | None = declare(VERSION, None)
    settings_version: int | None = declare(VERSION, None)
    passages: list[dict[str, Any]] = declare(PAIR_PASSAGES, default_factory=list)  # noqa: RUF009
    input_kind: str = declare(INPUT, "")
    timing: Timing = field(default_factory=Timing)

    @property
    def unit(self) -> int:
        """Which task."""
        return self.pair

    @property
    def said(self) -> float:
        """The outcome."""
        return self.outcome


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
        `withdrawn`, `account`.
    message : str
        The same for a person.
    current : AssignedDoc or PairTask, optional
        The doc with its current label, or the pair with its current answer, where that helps to
        choose.
    """

    def __init__(
        self, reason: str, message: str, *, current: AssignedDoc | PairTask | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.current = current
