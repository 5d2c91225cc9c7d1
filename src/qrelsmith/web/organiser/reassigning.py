"""Closing, reopening and reassigning the work of many cells of the matrix at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext

from qrelsmith.web.accounts.assessors import is_model
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.closing import close_assignment, reopen_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment
from qrelsmith.web.organiser.matrix import work

_BATCH = 400


@dataclass(frozen=True, slots=True)
class Handed:
    """Numbers of changed and unchanged assignments.

    Attributes
    ----------
    done : int
        Number of changed assignments.
    left : int
        Number of unchanged assignments: without open docs, or already held by the other assessor.
    """

    done: int
    left: int


def assignments_of(assessors: Collection[int], topics: Collection[int]) -> list[Assignment]:
    """Return the assignments of assessors in topics."""
    found: list[Assignment] = []
    listed = sorted(topics)
    for start in range(0, len(listed), _BATCH):
        some = work().filter(assessor__in=assessors, topic__in=listed[start : start + _BATCH])
        found += some.select_related("assessor", "topic").order_by("pk")
    return found


def switch_all(assignments: Collection[Assignment], *, is_open: bool) -> Handed:
    """Close or reopen assignments; must run in a write transaction."""
    change = reopen_assignment if is_open else close_assignment
    wanted = [each for each in assignments if each.is_open != is_open]
    for each in wanted:
        change(each.pk)
    return Handed(len(wanted), len(assignments) - len(wanted))


def reassign(assignments: Collection[Assignment], to: Assessor) -> Handed:
    """Reassign unjudged docs to another assessor; judged docs stay with their assessor.

    Each assignment is closed, and the other assessor gets its unjudged docs in the same order.
    A topic or HIT that the other assessor already has is not assigned again.

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


def _hand_on(old: Assignment, to: Assessor) -> bool:
    own = {"assessor": to, "topic": old.topic_id, "round": old.round, "hit": old.hit}
    if not old.is_open or old.assessor_id == to.pk or Assignment.objects.filter(**own).exists():
        return False
    # Close first: this prevents further judgments, so that no doc is judged twice.
    close_assignment(old.pk)
    docs = AssignedDoc.objects.filter(assignment=old).order_by("position")
    left = list(docs.filter(is_judged=False).values_list("doc", flat=True))
    if not left:
        reopen_assignment(old.pk)
        return False
    is_whole = len(left) == old.total
    new = Assignment(
        assessor=to,
        topic_id=old.topic_id,
        hit=old.hit,
        round=old.round,
        # Part of an ordering is not the same ordering.
        ordering=old.ordering if is_whole else "",
        seed=old.seed if is_whole else None,
    )
    record_assignment(new, left)
    return True
