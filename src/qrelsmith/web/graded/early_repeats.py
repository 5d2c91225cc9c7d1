"""Repeats that are hidden until the assessor has judged the docs for the first time."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, QuerySet

from qrelsmith.web.graded.earlier_labels import FIRST_ROUND
from qrelsmith.web.models import AnswerAssignment, AssignedDoc, Assignment, RejudgingRound

Work = TypeVar("Work", Assignment, AnswerAssignment)


def repeat_rounds() -> set[int]:
    """Return the numbers of the rounds in which assessors judge their own docs again, blind."""
    found = RejudgingRound.objects.filter(reason=RejudgingRound.Reason.REPEAT)
    return set(found.values_list("number", flat=True))


def without_early(
    assignments: QuerySet[Work], items: QuerySet[Any] | None = None
) -> QuerySet[Work]:
    """Return the assignments, without repeats of items that the assessor has not judged yet.

    Repeats of a topic wait until the assessor has judged all items (by default, docs) of the topic
    that were assigned in the first round. Items of a closed assignment do not delay repeats.
    """
    rounds = repeat_rounds()
    if not rounds:
        return assignments
    open_items = (AssignedDoc.objects if items is None else items).filter(
        assignment__assessor=OuterRef("assessor"),
        assignment__topic=OuterRef("topic"),
        assignment__round=FIRST_ROUND,
        assignment__is_open=True,
        is_judged=False,
    )
    early = assignments.model._default_manager.filter(
        Exists(open_items), pk=OuterRef("pk"), round__in=rounds
    )
    return assignments.exclude(Exists(early))
