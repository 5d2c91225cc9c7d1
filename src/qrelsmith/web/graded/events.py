"""The one place where an event is accepted.

A client names its operation (`op_id`) and the revision that it saw. The same operation twice is one
event; an operation on a revision that is no longer the current one is refused together with the
current label, so that a person chooses. The label is changed by an UPDATE that is guarded by the
revision, in one transaction with the event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import IntegrityError
from django.db.models import F
from django.utils.translation import gettext

from qrelsmith.web.core.chain import append
from qrelsmith.web.core.closing import check_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import Accepted, JudgmentSubmission, RefusedError, Timing
from qrelsmith.web.core.timing import points_in_time
from qrelsmith.web.docs.passages import Passage, seen_passages
from qrelsmith.web.graded.assigned import listed_docs
from qrelsmith.web.graded.projection import UNJUDGED, Label, label_at
from qrelsmith.web.graded.scale import current_scale, scale_version
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, Event


def judge(
    submission: JudgmentSubmission, assignment: int, *, assessor: Assessor | None
) -> Accepted:
    """Accept a judgment of a doc of an assignment, which must be this assessor's.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """

    def accept() -> Accepted:
        doc = listed_docs().filter(pk=submission.assigned, assignment=assignment).first()
        if doc is None or assessor is None or doc.assignment.assessor_id != assessor.pk:
            raise RefusedError("unknown", gettext("This doc is not assigned to you."))
        event = _judged(submission, doc, _checked(submission, doc), assessor)
        return Accepted(event, doc, repeated=False)

    def is_same(known: Event) -> bool:
        return (
            known.kind == Event.Kind.JUDGE
            and assessor is not None
            and known.assessor_id == assessor.pk
            and known.assigned_id == submission.assigned
            and known.value == submission.value
        )

    return _once(submission.op_id, accept, is_same)


def undo(
    op_id: str, assignment: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Take back the newest judgment of an assignment that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the assignment is closed or another assessor's.
    """

    def accept() -> Accepted:
        found = Assignment.objects.filter(pk=assignment, assessor=assessor).first()
        if found is None or assessor is None:
            raise RefusedError("unknown", gettext("This topic is not assigned to you."))
        return _undone(op_id, found, assessor, timing or Timing())

    def is_same(known: Event) -> bool:
        return (
            known.kind == Event.Kind.UNDO
            and assessor is not None
            and known.assessor_id == assessor.pk
            and known.assignment_id == assignment
        )

    return _once(op_id, accept, is_same)


def _once(op_id: str, accept: Callable[[], Accepted], is_same: Callable[[Event], bool]) -> Accepted:
    """What an operation did, whether now or when it came for the first time.

    A repeated operation is found out by its failure: the revision is taken, or the id is.
    """
    try:
        return accept()
    except (IntegrityError, RefusedError):
        known = Event.objects.filter(op_id=op_id).first()
        if known is None:
            raise
    if not is_same(known):
        raise RefusedError("op_id", gettext("This operation id was used for something else."))
    return Accepted(known, listed_docs().get(pk=known.assigned_id), repeated=True)


@dataclass(frozen=True, slots=True)
class _Texts:
    """The versions of the texts that a judgment was made by, and the passages of the doc."""

    topic: int
    scale: int
    passages: list[Passage]


def _checked(submission: JudgmentSubmission, doc: AssignedDoc) -> _Texts:
    """The versions of the texts that were shown; older ones than the current make a stale label."""
    current: str | None = getattr(doc, "current_sha256", None)
    versions = DocVersion.objects.filter(doc=doc.doc_id, sha256=submission.sha256)
    if submission.sha256 != current and not versions.exists():
        raise RefusedError(
            "sha256",
            gettext("What was shown is no version of this doc; load the page again."),
            current=doc,
        )
    latest = doc.assignment.topic.version
    topic = latest if submission.topic_version is None else submission.topic_version
    scale = current_scale()
    if submission.scale_version not in (None, scale.version):
        try:
            scale = scale_version(submission.scale_version)
        except LookupError:
            raise RefusedError(
                "version", gettext("There is no such version of the scale.")
            ) from None
    if not 1 <= topic <= latest:
        raise RefusedError("version", gettext("There is no such version of the topic."))
    given = bool(submission.passages) or bool(submission.excerpt.strip())
    fault = scale.fault(submission.value, note=submission.note, has_passage=given)
    if fault:
        raise RefusedError("value", fault, current=doc)
    return _Texts(topic, scale.version, seen_passages(submission.passages, versions))


def _judged(
    submission: JudgmentSubmission, doc: AssignedDoc, texts: _Texts, assessor: Assessor
) -> Event:
    label = Label(
        value=submission.value,
        note=submission.note,
        excerpt=submission.excerpt,
        passages=texts.passages,
        sha256=submission.sha256,
        topic_version=texts.topic,
        scale_version=texts.scale,
    )
    event = Event(
        op_id=submission.op_id,
        kind=Event.Kind.JUDGE,
        base_revision=submission.base_revision,
        input_kind=submission.input_kind,
        **_when(submission.timing, doc.assignment),
    )
    return _recorded(event, doc, label, assessor)


def _undone(op_id: str, assignment: Assignment, assessor: Assessor, timing: Timing) -> Accepted:
    newest = Event.objects.filter(assignment=assignment, kind=Event.Kind.JUDGE, undo=None)
    last = newest.order_by("-id").first()
    if last is None:
        raise RefusedError("nothing", gettext("There is nothing to undo."))
    doc = listed_docs().get(pk=last.assigned_id)
    label = label_at(doc, last.base_revision)
    event = Event(
        op_id=op_id,
        kind=Event.Kind.UNDO,
        undoes=last,
        base_revision=doc.revision,
        **_when(timing, assignment),
    )
    return Accepted(_recorded(event, doc, label, assessor), doc, repeated=False)


def _recorded(event: Event, doc: AssignedDoc, label: Label, assessor: Assessor) -> Event:
    """The event, complete and in the log, its label current: both or neither.

    What never changes (versions, earlier labels) was looked at before, so that the transaction, for
    which every other writer waits, is short. What may change is looked at in it.
    """
    event.assessor = assessor
    event.assignment = doc.assignment
    event.assigned = doc
    event.revision = event.base_revision + 1
    for name, value in asdict(label).items():
        setattr(event, name, value)
    with writing():
        before = check_assignment(doc, assessor)
        difference = _change(doc, event.base_revision, label)
        if event.undoes is not None:
            _check_newest(event.undoes, doc)
        append(event, before=before, changed={"judged": F("judged") + difference})
    return event


def _check_newest(undone: Event, doc: AssignedDoc) -> None:
    """Refuse to undo a judgment that was undone meanwhile, or after which there is another one."""
    standing = Event.objects.filter(
        assignment=doc.assignment_id, kind=Event.Kind.JUDGE, pk__gte=undone.pk, undo=None
    )
    if standing.order_by("-id").first() != undone:
        raise RefusedError(
            "stale",
            gettext("Something was judged meanwhile; undo again."),
            current=listed_docs().get(pk=doc.pk),
        )


def _change(doc: AssignedDoc, base: int, label: Label) -> int:
    """Give a doc a label if its revision is still `base`; how many more docs are judged then."""
    is_judged = label != UNJUDGED
    values = asdict(label) | {"revision": base + 1, "is_judged": is_judged}
    is_current = doc.revision == base
    if not is_current or not AssignedDoc.objects.filter(pk=doc.pk, revision=base).update(**values):
        raise RefusedError(
            "stale",
            gettext("The label was changed meanwhile; choose which one to keep."),
            current=listed_docs().get(pk=doc.pk),
        )
    difference = int(is_judged) - int(doc.is_judged)
    doc.assignment.judged += difference
    for name, value in values.items():
        setattr(doc, name, value)
    return difference


def _when(timing: Timing, assignment: Assignment) -> dict[str, datetime | int | None]:
    """Points in time from durations, none before the assignment was opened."""
    return points_in_time(timing, since=assignment.opened_at or assignment.created_at)
