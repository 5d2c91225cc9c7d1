"""Graded docs, a kind of judgment: an assessor gives a doc of an assignment a grade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext

from qrelsmith.base.scales import grade_text
from qrelsmith.web.core.event_lines import EVENTS, event_record, events_of_records
from qrelsmith.web.core.fields import (
    EXCERPT,
    GRADE,
    INPUT,
    NOTE,
    NUMBER,
    OP_ID,
    PASSAGES,
    REVISION,
    SHA256,
    VERSION,
)
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import Accepted, RefusedError, Submission, Timing
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.graded.scale import ShownScale, current_scale, scale_versions
from qrelsmith.web.judging.accepting import judge as accept_one
from qrelsmith.web.judging.accepting import person
from qrelsmith.web.judging.accepting import undo as undo_last
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, Event
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.openapi.schemas import listed, shown

_CHUNK = 500
_OPEN = Prepared[str](
    lambda pk: (
        Assignment.objects.select_for_update(no_key=True)
        .filter(pk=pk, is_open=True)
        .values_list("head", flat=True)
    )
)
_OPEN_WITH_ACCOUNT = Prepared[str](
    lambda pk: (
        Assignment.objects.select_for_update(no_key=True)
        .filter(pk=pk, is_open=True, assessor__account__is_active=True)
        .values_list("head", flat=True)
    )
)


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an assigned doc at some revision.

    Attributes
    ----------
    value : float or None
        A grade, a code below 0, or None: unjudged.
    note, excerpt : str
        The reasons in words.
    passages : list of dict
        The passages of the doc that support it.
    sha256 : str
        The digest of the doc that was shown; empty if it is unjudged.
    topic_version, scale_version : int
        The texts by which it was judged; 0 if it is unjudged.
    """

    value: float | None = None
    note: str = ""
    excerpt: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)
    sha256: str = ""
    topic_version: int = 0
    scale_version: int = 0


@dataclass(frozen=True, slots=True)
class JudgmentSubmission(Submission):
    """A judgment of a doc as a client sends it.

    Attributes
    ----------
    assigned : int
        The assigned doc.
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
        """The assigned doc."""
        return self.assigned

    @property
    def said(self) -> float:
        """The grade."""
        return self.value


@dataclass(frozen=True, slots=True)
class Texts:
    """The versions of scales and docs that judgments are checked against.

    Attributes
    ----------
    scale : ShownScale
        The current scale.
    scales : dict of int to ShownScale
        All versions of it, where judgments name others.
    digests : dict of int to set of str
        The digests of all versions of docs of which another than the current one was shown.
    """

    scale: ShownScale
    scales: dict[int, ShownScale]
    digests: dict[int, set[str]]

    def scale_of(self, version: int | None) -> ShownScale | None:
        """Return a version of the scale, the current one for None."""
        return self.scale if version is None else self.scales.get(version)


class GradedDocs(JudgmentKind[Any]):
    """Docs of assignments, each with a grade."""

    blank = Label()
    events, units, streams = Event, AssignedDoc, Assignment
    unit, stream = "assigned", "assignment"
    lines, record, read = EVENTS, staticmethod(event_record), staticmethod(events_of_records)
    submission = JudgmentSubmission
    named_by = ("assessor", "topic")
    prepared_unit = Prepared[AssignedDoc](
        lambda pk, assignment: docs_of_lists().filter(pk=pk, assignment=assignment)
    )

    def items(self) -> QuerySet[AssignedDoc]:
        """Return assigned docs as lists show them."""
        return docs_of_lists()

    def owner(self, unit: AssignedDoc) -> int:
        """Return the assessor of the assignment."""
        return unit.assignment.assessor_id

    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether the assignment is the assessor's."""
        own = Assignment.objects.filter(pk=stream, assessor=assessor)
        return assessor is not None and own.exists()

    def unknown(self, *, has_unit: bool) -> RefusedError:
        """Return the refusal of another assessor's doc or topic."""
        if has_unit:
            return RefusedError("unknown", gettext("This doc is not assigned to you."))
        return RefusedError("unknown", gettext("This topic is not assigned to you."))

    def repeated(self, unit: AssignedDoc) -> RefusedError:
        """Return the refusal of a doc that occurs twice in a batch."""
        return RefusedError(
            "twice",
            gettext("This doc is judged twice at once."),
            field="doc",
            found=shown(unit.doc.name),
            expected="a doc once in a batch",
        )

    def texts(self, given: Sequence[tuple[Any, AssignedDoc]]) -> Texts:
        """Read the versions of the scale and of docs that judgments name."""
        scale = current_scale()
        is_other = any(each.scale_version not in (None, scale.version) for each, _ in given)
        docs = {unit.doc_id for each, unit in given if each.sha256 not in ("", _current(unit))}
        digests: dict[int, set[str]] = {doc: set() for doc in docs}
        wanted = sorted(docs)
        for start in range(0, len(wanted), _CHUNK):
            versions = DocVersion.objects.filter(doc__in=wanted[start : start + _CHUNK])
            for doc, digest in versions.values_list("doc_id", "sha256"):
                digests[doc].add(digest)
        scales = scale_versions() if is_other else {scale.version: scale}
        return Texts(scale, scales, digests)

    def faults(self, given: Any, unit: AssignedDoc, texts: Texts) -> Iterator[RefusedError]:
        """Find versions that are not there, a grade off the scale, and missing evidence."""
        name = shown(unit.doc.name)
        if not given.sha256 and not _current(unit):
            yield RefusedError(
                "sha256",
                gettext("This doc's content is not in the app."),
                field="doc",
                found=name,
                expected="a doc whose content is in the app (qrelsmith import)",
            )
        elif given.sha256 not in ("", _current(unit), *texts.digests.get(unit.doc_id, ())):
            yield RefusedError(
                "sha256",
                gettext("What was shown is no version of this doc; load the page again."),
                current=unit,
                field="sha256",
                found=shown(given.sha256),
                expected=f"the digest of a version of doc {name}",
            )
        yield from self.topic_faults(given, unit.assignment.topic)
        scale = texts.scale_of(given.scale_version)
        if scale is None:
            yield RefusedError(
                "version",
                gettext("There is no such version of the scale."),
                field="scale_version",
                found=str(given.scale_version),
                expected=f"a version of the scale ({listed(list(texts.scales))})",
            )
        else:
            yield from _value_faults(given, unit, scale)

    def label(self, given: Any, unit: AssignedDoc, texts: Texts) -> Label:
        """Return the label; passages must be in the version that was shown."""
        sha256 = given.sha256 or _current(unit)
        scale = texts.scale_of(given.scale_version)
        return Label(
            value=given.said,
            note=given.note,
            excerpt=given.excerpt,
            passages=seen_passages(
                given.passages, DocVersion.objects.filter(doc=unit.doc_id, sha256=sha256)
            ),
            sha256=sha256,
            topic_version=given.topic_version or unit.assignment.topic.version,
            scale_version=scale.version if scale else 0,
        )

    def lock_head(self, unit: AssignedDoc, *, has_account: bool) -> str:
        """Return the head of the assignment, if it is open and its assessor may judge.

        On PostgreSQL assignment and account are locked until the transaction is over; on SQLite
        nobody else writes.
        """
        key = unit.assignment_id
        head = (_OPEN_WITH_ACCOUNT if has_account else _OPEN).first(key)
        if head is not None:
            return head
        if has_account and Assignment.objects.filter(pk=key, is_open=True).exists():
            raise RefusedError("account", gettext("Your account is closed."))
        raise RefusedError(
            "closed",
            gettext("This topic is closed."),
            current=unit,
            field="topic",
            found=shown(unit.assignment.topic.name),
            expected="a topic that is not closed",
        )

    def stream_name(self, stream: Assignment) -> str:
        """Name an assignment in a sentence."""
        hit = f", HIT {stream.hit}" if stream.hit else ""
        return f"topic {stream.topic.name} of {stream.assessor.name}{hit}"

    def start_time(self, unit: AssignedDoc) -> datetime:
        """Return when the assignment was opened."""
        return unit.assignment.opened_at or unit.assignment.created_at

    def stream_changes(self, units: Iterable[tuple[AssignedDoc, bool]]) -> dict[str, Any]:
        """Return the number of judged docs of the assignment then."""
        difference = 0
        for unit, is_judged in units:
            difference += int(is_judged) - int(unit.is_judged)
            unit.assignment.judged += difference
        return {"judged": F("judged") + difference}

    def refusal(self, current: AssignedDoc, *, base: int) -> RefusedError:
        """Return a conflict: the label changed since the client read it."""
        label = "none" if current.value is None else current_scale().label(current.value)
        return RefusedError(
            "stale",
            gettext("The label was changed meanwhile; choose which one to keep."),
            current=current,
            field="base_revision",
            found=str(base),
            expected=f"{current.revision}, the revision of the current label ({label})",
        )


DOCS = GradedDocs()
KINDS.append(DOCS)


def judge(
    submission: JudgmentSubmission, assignment: int, *, assessor: Assessor | None
) -> Accepted:
    """Accept a judgment of a doc of an assignment, which must be this assessor's.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """
    return accept_one(DOCS, submission, person(assessor, assignment))


def undo(
    op_id: str, assignment: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Take back the newest judgment of an assignment that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the assignment is closed or another assessor's.
    """
    return undo_last(DOCS, op_id, assignment, assessor=assessor, timing=timing)


def _current(unit: AssignedDoc) -> str:
    """Return the digest of the doc's current version; empty without content."""
    return getattr(unit, "current_sha256", None) or ""


def _value_faults(given: Any, unit: AssignedDoc, scale: ShownScale) -> Iterator[RefusedError]:
    value = given.said
    if value in scale.errors:
        return
    if not scale.has(value):
        message = (
            gettext("{value} is no positive number.")
            if scale.control == "number"
            else gettext("{value} is no level of the scale.")
        )
        yield RefusedError(
            "value",
            message.format(value=f"{value:g}"),
            current=unit,
            field="value",
            found=grade_text(value),
            expected=scale.expected,
        )
        return
    if scale.wish("note", value) == "required" and not given.note.strip():
        yield RefusedError(
            "value",
            gettext("This level needs a note."),
            current=unit,
            field="note",
            found="nothing",
            expected="a text: this level needs the note",
        )
    has_passage = bool(given.passages) or bool(given.excerpt.strip())
    if scale.wish("excerpt", value) == "required" and not has_passage:
        yield RefusedError(
            "value",
            gettext("This level needs a passage of the doc."),
            current=unit,
            field="excerpt",
            found="nothing",
            expected="a text: this level needs the excerpt",
        )
