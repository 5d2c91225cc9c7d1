"""Graded docs, a kind of judgment: an assessor grades a doc of an assignment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy

from qrelsmith.web.core.event_lines import EVENTS
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
from qrelsmith.web.core.submissions import Accepted, RefusedError, Submission, Timing
from qrelsmith.web.graded.assigned import doc_row_json, docs_of_lists, next_open
from qrelsmith.web.graded.scale import ShownScale, current_scale, scale_versions
from qrelsmith.web.judging.accepting import judge as accept_one
from qrelsmith.web.judging.accepting import person
from qrelsmith.web.judging.accepting import undo as undo_last
from qrelsmith.web.judging.kind_words import KindWords
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.judging.own_streams import OwnStreamKind
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Event
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.sampling.waves import follow_sample


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an assigned doc at a revision.

    Attributes
    ----------
    value : float or None
        A grade, a code below 0, or None: unjudged.
    note, excerpt : str
        The reasons in words.
    passages : list of dict
        The supporting passages of the doc.
    sha256 : str
        The digest of the doc that was shown; empty if unjudged.
    topic_version, scale_version : int
        The versions shown to the assessor; 0 if unjudged.
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
    """A judgment of a doc as sent by a client.

    Attributes
    ----------
    assigned : int
        The number of the assigned doc.
    value : float
        A grade, or an error code below 0.
    sha256 : str
        The digest of the doc that was shown.
    scale_version : int or None
        The version of the scale that was shown; None: the current one.
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
        """The number of the assigned doc."""
        return self.assigned

    @property
    def said(self) -> float:
        """The grade."""
        return self.value


class GradedDocKind(OwnStreamKind):
    """Docs of assignments, each with a grade."""

    name, api = "doc", "assignments"
    words = KindWords(
        not_yours=gettext_lazy("This doc is not assigned to you."),
        twice=gettext_lazy("This doc occurs twice in one request."),
        no_scale=gettext_lazy("This version of the scale does not exist."),
        stale=gettext_lazy(
            "The label has been changed in the meantime. Choose which label to keep."
        ),
        event="event",
        unit="assigned doc",
        stream="topic {topic} of {assessor}",
    )
    submission = JudgmentSubmission
    blank = Label()
    events, units, streams = Event, AssignedDoc, Assignment
    unit, stream = "assigned", "assignment"
    shown = MappingProxyType({"sha256": "doc"})
    scale = "scale_version"
    lines = EVENTS
    stream_names = MappingProxyType(
        {"assessor": "assessor__name", "topic": "topic__name", "hit": "hit", "round": "round"}
    )
    unit_names = MappingProxyType({"doc": "doc__name"})

    def items(self) -> QuerySet[AssignedDoc]:
        """Return the assigned docs with the fields shown in lists."""
        return docs_of_lists()

    def stream_changes(self, units: Iterable[tuple[AssignedDoc, bool]]) -> dict[str, Any]:
        """Return the new number of judged docs of the assignment."""
        changes = list(units)
        for unit, is_judged in changes:
            unit.assignment.judged += int(is_judged) - int(unit.is_judged)
        return super().stream_changes(changes)

    def current_scale(self) -> ShownScale:
        """Return the current version of the scale."""
        return current_scale()

    def scales(self) -> dict[int, ShownScale]:
        """Return all versions of the scale."""
        return scale_versions()

    def lacks(self, label: Label, unit: AssignedDoc, scale: ShownScale) -> Iterator[RefusedError]:
        """Yield a refusal for each note or passage that the level requires and the label lacks."""
        value = label.value
        if value is None or value in scale.errors:
            return
        wanted = {
            "note": (bool(label.note.strip()), gettext("This grade needs a note.")),
            # A program may send the words of a passage without a position.
            "excerpt": (
                bool(label.passages) or bool(label.excerpt.strip()),
                gettext("This grade needs a passage from the doc."),
            ),
        }
        for name, (is_there, message) in wanted.items():
            if scale.wish(name, value) == "required" and not is_there:
                yield RefusedError(
                    "value",
                    message,
                    current=unit,
                    field=name,
                    found="nothing",
                    expected=f"a string, because this grade needs the {name}",
                )

    def label_text(self, value: float) -> str:
        """Return the label of a level."""
        return current_scale().label(value)

    def row_json(self, unit: AssignedDoc) -> dict[str, Any]:
        """Return an assigned doc with its label."""
        return doc_row_json(unit, current_scale())

    def progress_json(self, unit: AssignedDoc, assessor: Assessor) -> dict[str, Any]:
        """Return the progress of the assignment, and the next position."""
        assignment = unit.assignment
        follow_sample(assignment)
        following = next_open(assignment, after=unit.position)
        return {"next": following, "judged": assignment.judged, "total": assignment.total}


DOCS = GradedDocKind()
KINDS.append(DOCS)


def judge(
    submission: JudgmentSubmission, assignment: int, *, assessor: Assessor | None
) -> Accepted:
    """Accept a judgment of a doc in one of the assessor's assignments.

    Raises
    ------
    RefusedError
        If the judgment cannot be accepted; nothing has changed in this case.
    """
    return accept_one(DOCS, submission, person(assessor, assignment))


def undo(
    op_id: str, assignment: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Undo the latest judgment of an assignment that was not undone yet.

    Raises
    ------
    RefusedError
        If there is no such judgment, or the assignment is closed or another assessor's.
    """
    return undo_last(DOCS, op_id, assignment, assessor=assessor, timing=timing)
