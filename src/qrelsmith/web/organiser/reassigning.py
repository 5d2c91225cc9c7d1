"""Closing, opening and handing on the work of many cells of the matrix at once."""

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
    """Counts of assignments that were changed, and that were not.

    Attributes
    ----------
    done : int
        How many were changed.
    left : int
        How many were left as they are: nothing was open in them, or the other one has them.
    """

    done: int
    left: int


def assignments_of(assessors: Collection[int], topics: Collection[int]) -> list[Assignment]:
    """Return the assignments of some assessors in some topics."""
    found: list[Assignment] = []
    listed = sorted(topics)
    for start in range(0, len(listed), _BATCH):
        some = work().filter(assessor__in=assessors, topic__in=listed[start : start + _BATCH])
        found += some.select_related("assessor", "topic").order_by("pk")
    return found


def switch_all(assignments: Collection[Assignment], *, is_open: bool) -> Handed:
    """Close assignments to judging, or open them again; only inside a transaction that writes."""
    change = reopen_assignment if is_open else close_assignment
    wanted = [each for each in assignments if each.is_open != is_open]
    for each in wanted:
        change(each.pk)
    return Handed(len(wanted), len(assignments) - len(wanted))


def reassign(assignments: Collection[Assignment], to: Assessor) -> Handed:
    """Hand what is not judged yet to another assessor; what was judged stays with its assessor.

    The assignment is closed, and the other one gets its unjudged docs, in their order. One who has
    the topic, or the HIT, already does not get it again.

    Raises
    ------
    RefusedError
        If the other one is a model, or works for a crowd platform.
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
    # Closed first: under this lock nothing is judged any more, so that no doc is judged twice.
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
        # A part of an order is no longer that order.
        ordering=old.ordering if is_whole else "",
        seed=old.seed if is_whole else None,
    )
    record_assignment(new, left)
    return True
