"""Closing, reopening and reassigning the work of many cells of the matrix at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext

from qrelsmith.web.accounts.assessors import is_model
from qrelsmith.web.answers.copies import copy_items
from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.closing import close_assignment, reopen_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import AnswerAssignment, Assessor, AssignedDoc, Assignment
from qrelsmith.web.organiser.matrix import Work, work_of

_BATCH = 400


@dataclass(frozen=True, slots=True)
class Handed:
    """Numbers of changed and unchanged assignments.

    Attributes
    ----------
    done : int
        Number of changed assignments.
    left : int
        Number of unchanged assignments: without open items, or already held by the other assessor.
    """

    done: int
    left: int


def assignments_of(assessors: Collection[int], topics: Collection[int]) -> list[Work]:
    """Return the assignments of assessors in topics."""
    found: list[Work] = []
    listed = sorted(topics)
    for start in range(0, len(listed), _BATCH):
        found += work_of(assessor__in=assessors, topic__in=listed[start : start + _BATCH])
    return found


def switch_all(assignments: Collection[Work], *, is_open: bool) -> Handed:
    """Close or reopen assignments; requires a write transaction."""
    change = reopen_assignment if is_open else close_assignment
    wanted = [each for each in assignments if each.is_open != is_open]
    for each in wanted:
        change(each.pk, type(each))
    return Handed(len(wanted), len(assignments) - len(wanted))


def reassign(assignments: Collection[Work], to: Assessor) -> Handed:
    """Reassign unjudged items to another assessor; judged items stay with their assessor.

    Items are docs, or aspects of answers. Each assignment is closed, and the other assessor gets
    its unjudged items in the same order. A topic or HIT that the other assessor already has is not
    assigned again.

    Raises
    ------
    RefusedError
        If the other assessor is a model or a crowd worker.
    """
    if is_model(to) or hasattr(to, "crowd_worker"):
        raise RefusedError("unknown", gettext("Only assessors with an account can take over work."))
    done = 0
    with writing():
        for old in assignments:
            done += _hand_on(old, to)
    return Handed(done, len(assignments) - done)


def _hand_on(old: Work, to: Assessor) -> bool:
    table = type(old)
    own = {"assessor": to, "topic": old.topic_id, "round": old.round}
    own |= {"hit": old.hit} if isinstance(old, Assignment) else {}
    if not old.is_open or old.assessor_id == to.pk or table.objects.filter(**own).exists():
        return False
    # Close first: this prevents further judgments, so that no item is judged twice.
    close_assignment(old.pk, table)
    is_done = _copy_docs(old, to) if isinstance(old, Assignment) else _copy_aspects(old, to)
    if not is_done:
        reopen_assignment(old.pk, table)
    return is_done


def _copy_aspects(old: AnswerAssignment, to: Assessor) -> bool:
    left = judged_items().filter(assignment=old, is_judged=False).select_related("assignment")
    items = list(left.order_by("position"))
    if items:
        copy_items(items, assessor=to.pk, topic=old.topic_id, round_=old.round)
    return bool(items)


def _copy_docs(old: Assignment, to: Assessor) -> bool:
    docs = AssignedDoc.objects.filter(assignment=old).order_by("position")
    left = list(docs.filter(is_judged=False).values_list("doc", flat=True))
    if not left:
        return False
    is_whole = len(left) == old.total
    new = Assignment(
        assessor=to,
        topic_id=old.topic_id,
        hit=old.hit,
        round=old.round,
        # A part of an ordering is a different ordering.
        ordering=old.ordering if is_whole else "",
        seed=old.seed if is_whole else None,
    )
    record_assignment(new, left)
    return True
