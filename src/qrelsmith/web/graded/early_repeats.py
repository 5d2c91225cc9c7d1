"""Repeats that are hidden until the assessor has judged the docs for the first time."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from qrelsmith.web.graded.earlier_labels import FIRST_ROUND
from qrelsmith.web.models import AssignedDoc, Assignment, RejudgingRound


def repeat_rounds() -> set[int]:
    """Return the numbers of the rounds in which assessors judge their own docs again, blind."""
    found = RejudgingRound.objects.filter(reason=RejudgingRound.Reason.REPEAT)
    return set(found.values_list("number", flat=True))


def without_early(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the assignments, without repeats of docs that the assessor has not judged yet.

    Repeats of a topic wait until the assessor has judged all docs of the topic that were assigned
    in the first round. Unjudged docs of a closed assignment do not block them.
    """
    rounds = repeat_rounds()
    if not rounds:
        return assignments
    open_docs = AssignedDoc.objects.filter(
        assignment__assessor=OuterRef("assessor"),
        assignment__topic=OuterRef("topic"),
        assignment__round=FIRST_ROUND,
        assignment__is_open=True,
        is_judged=False,
    )
    early = Assignment.objects.filter(Exists(open_docs), pk=OuterRef("pk"), round__in=rounds)
    return assignments.exclude(Exists(early))
