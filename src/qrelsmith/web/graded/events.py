"""Judgments of graded docs, as `core.accepting` accepts them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.accepting import Acceptor
from qrelsmith.web.core.closing import check_assignment
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.subjects import DOCS, Label
from qrelsmith.web.core.submissions import Accepted, JudgmentSubmission, RefusedError, Timing
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.graded.scale import current_scale, scale_version
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion


def judge(
    submission: JudgmentSubmission, assignment: int, *, assessor: Assessor | None
) -> Accepted:
    """Accept a judgment of a doc of an assignment, which must be this assessor's.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """
    return DocAcceptor(assignment, assessor).judge(submission)


def undo(
    op_id: str, assignment: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Take back the newest judgment of an assignment that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the assignment is closed or another assessor's.
    """
    return DocAcceptor(assignment, assessor).undo(op_id, timing)


class DocAcceptor(Acceptor[JudgmentSubmission, Label]):
    """Accepts judgments of the docs of an assignment."""

    subject = DOCS
    prepared_unit = Prepared[AssignedDoc](
        lambda pk, assignment: docs_of_lists().filter(pk=pk, assignment=assignment)
    )

    def units(self) -> QuerySet[AssignedDoc]:
        """Assigned docs as lists show them."""
        return docs_of_lists()

    def owner(self, unit: AssignedDoc) -> int:
        """The assessor of the assignment."""
        return unit.assignment.assessor_id

    def is_mine(self) -> bool:
        """Whether the assignment is the assessor's."""
        own = Assignment.objects.filter(pk=self._stream, assessor=self._assessor)
        return self._assessor is not None and own.exists()

    def unknown(self, *, has_unit: bool) -> RefusedError:
        """The refusal of a doc or topic that is another assessor's."""
        if has_unit:
            return RefusedError("unknown", gettext("This doc is not assigned to you."))
        return RefusedError("unknown", gettext("This topic is not assigned to you."))

    def label_from(self, submission: JudgmentSubmission, unit: AssignedDoc) -> Label:
        """The label, if the versions that were shown are there and the value is on its scale."""
        current: str | None = getattr(unit, "current_sha256", None)
        versions = DocVersion.objects.filter(doc=unit.doc_id, sha256=submission.sha256)
        if submission.sha256 != current and not versions.exists():
            raise RefusedError(
                "sha256",
                gettext("What was shown is no version of this doc; load the page again."),
                current=unit,
            )
        scale = current_scale()
        if submission.scale_version not in (None, scale.version):
            try:
                scale = scale_version(submission.scale_version)
            except LookupError:
                raise RefusedError(
                    "version", gettext("There is no such version of the scale.")
                ) from None
        topic = self.topic_version(submission, unit.assignment.topic)
        given = bool(submission.passages) or bool(submission.excerpt.strip())
        fault = scale.fault(submission.value, note=submission.note, has_passage=given)
        if fault:
            raise RefusedError("value", fault, current=unit)
        return Label(
            value=submission.value,
            note=submission.note,
            excerpt=submission.excerpt,
            passages=seen_passages(submission.passages, versions),
            sha256=submission.sha256,
            topic_version=topic,
            scale_version=scale.version,
        )

    def lock_head(self, unit: AssignedDoc) -> str:
        """The head of the assignment, if it is open and its assessor may judge."""
        return check_assignment(unit)

    def start_time(self, unit: AssignedDoc) -> datetime:
        """When the assignment was opened."""
        return unit.assignment.opened_at or unit.assignment.created_at

    def stream_changes(self, unit: AssignedDoc, *, is_judged: bool) -> dict[str, Any]:
        """How many docs of the assignment are judged then."""
        difference = int(is_judged) - int(unit.is_judged)
        unit.assignment.judged += difference
        return {"judged": F("judged") + difference}

    def refusal(self, current: AssignedDoc) -> RefusedError:
        """The refusal of a judgment that another one came before."""
        return RefusedError(
            "stale",
            gettext("The label was changed meanwhile; choose which one to keep."),
            current=current,
        )
