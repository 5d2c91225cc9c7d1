"""The one place where an event is accepted.

A client names its operation (`op_id`) and the revision that it saw. The same operation twice is one
event; an operation on a revision that is no longer the current one is refused together with the
current label, so that a person chooses. The label is changed by an UPDATE that is guarded by the
revision, in one transaction with the event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import F
from django.utils import timezone

from qrelsmith.web.database import writing
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, Event
from qrelsmith.web.projection import UNJUDGED, Label, label_at
from qrelsmith.web.scale import current_scale, scale_version


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

    delay_ms: int = 0
    shown_for_ms: int | None = None
    client_ms: int | None = None
    active_ms: int | None = None
    idle_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A judgment as a client sends it.

    Attributes
    ----------
    op_id : str
        The client's name of the operation.
    assigned : int
        Which assigned doc.
    value : float
        A grade, or an error code below 0.
    sha256 : str
        The digest of the doc that was shown.
    base_revision : int
        The revision of the label that the client saw.
    topic_version, scale_version : int or None
        The texts that were shown; None: the current ones.
    """

    op_id: str
    assigned: int
    value: float
    sha256: str
    base_revision: int
    topic_version: int | None = None
    scale_version: int | None = None
    note: str = ""
    excerpt: str = ""
    input_kind: str = ""
    timing: Timing = field(default_factory=Timing)


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event that is in the log.

    Attributes
    ----------
    event : Event
        It.
    repeated : bool
        Whether it was there already: a retry.
    """

    event: Event
    repeated: bool


class RefusedError(Exception):
    """A submission that is not accepted.

    Parameters
    ----------
    reason : str
        One of `stale`, `op_id`, `sha256`, `value`, `version`, `closed`, `unknown`, `nothing`.
    message : str
        The same for a person.
    current : AssignedDoc, optional
        The doc with its current label, where that helps to choose.
    """

    def __init__(self, reason: str, message: str, *, current: AssignedDoc | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.current = current


def judge(submission: Submission, *, assessor: Assessor) -> Accepted:
    """Accept a judgment.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """

    def accept() -> Event:
        doc = _assigned(submission.assigned, assessor)
        return _judged(submission, doc, _checked(submission, doc), assessor)

    def is_same(known: Event) -> bool:
        return (
            known.kind == Event.Kind.JUDGE
            and known.assessor_id == assessor.pk
            and known.assigned_id == submission.assigned
            and known.value == submission.value
        )

    return _once(submission.op_id, accept, is_same)


def undo(
    op_id: str, assignment: Assignment, *, assessor: Assessor, timing: Timing | None = None
) -> Accepted:
    """Take back the newest judgment of an assignment that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the assignment is closed.
    """

    def accept() -> Event:
        return _undone(op_id, assignment, assessor, timing or Timing())

    def is_same(known: Event) -> bool:
        return known.kind == Event.Kind.UNDO and known.assignment_id == assignment.pk

    return _once(op_id, accept, is_same)


def _once(op_id: str, accept: Callable[[], Event], is_same: Callable[[Event], bool]) -> Accepted:
    """What an operation did, whether now or when it came for the first time."""
    known: Event | None
    try:
        with writing():
            known = _known(op_id)
            if known is None:
                return Accepted(accept(), repeated=False)
    except (IntegrityError, RefusedError):
        # The same operation may have come twice at once, and the other one was faster.
        known = _known(op_id)
        if known is None:
            raise
    if not is_same(known):
        raise RefusedError("op_id", "This operation id was used for something else.")
    return Accepted(known, repeated=True)


def _known(op_id: str) -> Event | None:
    found = Event.objects.filter(op_id=op_id)
    return found.select_related("assigned__assignment__topic", "assigned__doc").first()


def _assigned(pk: int, assessor: Assessor) -> AssignedDoc:
    """The assigned doc, if it is this assessor's and open."""
    found = AssignedDoc.objects.select_related("assignment__topic", "doc")
    doc = found.filter(pk=pk, assignment__assessor=assessor).first()
    if doc is None:
        raise RefusedError("unknown", "This doc is not assigned to you.")
    if not doc.assignment.is_open:
        raise RefusedError("closed", "This topic is closed.", current=doc)
    return doc


@dataclass(frozen=True, slots=True)
class _Texts:
    """The versions of the texts that a judgment was made by."""

    topic: int
    scale: int


def _checked(submission: Submission, doc: AssignedDoc) -> _Texts:
    """The versions of the texts that were shown; older ones than the current make a stale label."""
    if not DocVersion.objects.filter(doc=doc.doc_id, sha256=submission.sha256).exists():
        raise RefusedError(
            "sha256", "What was shown is no version of this doc; load the page again.", current=doc
        )
    latest = doc.assignment.topic.version
    topic = latest if submission.topic_version is None else submission.topic_version
    try:
        scale = (
            current_scale()
            if submission.scale_version is None
            else scale_version(submission.scale_version)
        )
    except LookupError:
        raise RefusedError("version", "There is no such version of the scale.") from None
    if not 1 <= topic <= latest:
        raise RefusedError("version", "There is no such version of the topic.")
    fault = scale.fault(submission.value, note=submission.note, excerpt=submission.excerpt)
    if fault:
        raise RefusedError("value", fault, current=doc)
    return _Texts(topic, scale.version)


def _judged(submission: Submission, doc: AssignedDoc, texts: _Texts, assessor: Assessor) -> Event:
    label = Label(
        value=submission.value,
        note=submission.note,
        excerpt=submission.excerpt,
        sha256=submission.sha256,
        topic_version=texts.topic,
        scale_version=texts.scale,
    )
    _change(doc, submission.base_revision, label)
    return _recorded(
        Event(
            op_id=submission.op_id,
            kind=Event.Kind.JUDGE,
            base_revision=submission.base_revision,
            input_kind=submission.input_kind,
            **_when(submission.timing, doc.assignment),
        ),
        doc,
        label,
        assessor,
    )


def _undone(op_id: str, assignment: Assignment, assessor: Assessor, timing: Timing) -> Event:
    if not assignment.is_open:
        raise RefusedError("closed", "This topic is closed.")
    last = (
        Event.objects.filter(assignment=assignment, kind=Event.Kind.JUDGE, undo=None)
        .select_related("assigned__assignment", "assigned__doc")
        .order_by("-id")
        .first()
    )
    if last is None:
        raise RefusedError("nothing", "There is nothing to undo.")
    doc = last.assigned
    base = doc.revision
    label = label_at(doc, last.base_revision)
    _change(doc, base, label)
    return _recorded(
        Event(
            op_id=op_id,
            kind=Event.Kind.UNDO,
            undoes=last,
            base_revision=base,
            **_when(timing, assignment),
        ),
        doc,
        label,
        assessor,
    )


def _change(doc: AssignedDoc, base: int, label: Label) -> None:
    """Give a doc a label if its revision is still `base`."""
    is_judged = label != UNJUDGED
    changed = doc.revision == base and AssignedDoc.objects.filter(pk=doc.pk, revision=base).update(
        revision=base + 1, is_judged=is_judged, **asdict(label)
    )
    if not changed:
        current = AssignedDoc.objects.select_related("assignment__topic", "doc").get(pk=doc.pk)
        raise RefusedError(
            "stale", "The label was changed meanwhile; choose which one to keep.", current=current
        )
    difference = int(is_judged) - int(doc.is_judged)
    if difference:
        Assignment.objects.filter(pk=doc.assignment_id).update(judged=F("judged") + difference)
        doc.assignment.judged += difference
    doc.revision, doc.is_judged = base + 1, is_judged
    for name, value in asdict(label).items():
        setattr(doc, name, value)


def _recorded(event: Event, doc: AssignedDoc, label: Label, assessor: Assessor) -> Event:
    """The event, complete and in the log."""
    event.assessor = assessor
    event.assignment = doc.assignment
    event.assigned = doc
    event.revision = event.base_revision + 1
    for name, value in asdict(label).items():
        setattr(event, name, value)
    event.save(force_insert=True)
    return event


def _when(timing: Timing, assignment: Assignment) -> dict[str, datetime | int | None]:
    """Points in time from durations, none before the assignment was opened."""
    now = timezone.now()
    earliest = assignment.opened_at or assignment.created_at
    judged_at = max(now - timedelta(milliseconds=timing.delay_ms), min(earliest, now))
    shown_at = None
    if timing.shown_for_ms is not None:
        shown_at = max(judged_at - timedelta(milliseconds=timing.shown_for_ms), min(earliest, now))
    return {
        "accepted_at": now,
        "judged_at": judged_at,
        "shown_at": shown_at,
        "client_ms": timing.client_ms,
        "active_ms": timing.active_ms,
        "idle_ms": timing.idle_ms,
    }
