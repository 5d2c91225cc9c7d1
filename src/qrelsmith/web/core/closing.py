"""Open or closed to judging: whoever accepts looks under the lock under which it is closed.

How many events there were at the close is kept with what was closed, so that `verify` notices
whatever was accepted afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import (
    Account,
    AssignedDoc,
    Assignment,
    Contest,
    Event,
    Hit,
    PairTask,
    PreferenceEvent,
)

_OPEN_ASSIGNMENT = Prepared[str](
    lambda pk: (
        Assignment.objects.select_for_update(no_key=True)
        .filter(pk=pk, is_open=True, assessor__account__is_active=True)
        .values_list("head", flat=True)
    )
)
_OPEN_CONTEST = Prepared[str](
    lambda pk: (
        Contest.objects.select_for_update(no_key=True)
        .filter(pk=pk, is_open=True)
        .values_list("head", flat=True)
    )
)
_ACTIVE_ACCOUNT = Prepared[int](
    lambda assessor: (
        Account.objects.select_for_update(no_key=True)
        .filter(assessor=assessor, is_active=True)
        .values_list("pk", flat=True)
    )
)


def check_assignment(doc: AssignedDoc) -> str:
    """The head of an assignment that is open and whose assessor may judge; it stays so for as long.

    Only inside a transaction that writes. On PostgreSQL assignment and account are locked until it
    is over; on SQLite nobody else writes.

    Raises
    ------
    RefusedError
        If either is closed.
    """
    head = _OPEN_ASSIGNMENT.first(doc.assignment_id)
    if head is not None:
        return head
    if Assignment.objects.filter(pk=doc.assignment_id, is_open=True).exists():
        raise _shut_out()
    raise RefusedError("closed", gettext("This topic is closed."), current=doc)


def check_pair(task: PairTask, *, is_model: bool = False) -> str:
    """The head of the contest of a pair, if it is open; its HIT, if it has one, not handed in.

    The account is locked first and the HIT before its contest, as by those who take it away; a
    model has none.
    """
    mine = task.assessor_id
    if not is_model and (mine is None or _ACTIVE_ACCOUNT.first(mine) is None):
        raise _shut_out()
    # What was taken away is withdrawn, which is said when the answer would be written.
    if task.hit and not PairTask.objects.filter(pk=task.pk, withdrawn=True).exists():
        hits = Hit.objects.select_for_update(no_key=True).filter(key=task.hit)
        if hits.filter(state=Hit.State.TAKEN).values_list("pk", flat=True).first() is None:
            raise RefusedError("closed", gettext("This task is handed in."), current=task)
    head = _OPEN_CONTEST.first(task.contest_id)
    if head is None:
        raise RefusedError("closed", gettext("This topic is closed."), current=task)
    return head


def open_heads(assignments: Iterable[int]) -> dict[int, str] | None:
    """The heads of assignments that are all open, and stay so until the transaction is over.

    None if one of them is closed. Rows are locked in the order of their numbers, so that no two
    wait for each other.
    """
    locked = Assignment.objects.select_for_update(no_key=True).filter(pk__in=assignments)
    found = list(locked.order_by("pk").values_list("pk", "head", "is_open"))
    return {pk: head for pk, head, _ in found} if all(each[2] for each in found) else None


def hold_all() -> None:
    """Accept nothing anywhere until the transaction is over, once all that is under way is done.

    Only inside a transaction that writes. Rows are locked in the order of their numbers, so that no
    two wait for each other.
    """
    for streams in (Assignment, Contest):
        locked = streams._default_manager.select_for_update(no_key=True).order_by("pk")
        list(locked.values_list("pk"))


def close_assignment(pk: int) -> None:
    """Take no judgment of an assignment any more; only inside a transaction that writes."""
    Assignment.objects.select_for_update(no_key=True).get(pk=pk)
    events = Event.objects.filter(assignment=pk).count()
    Assignment.objects.filter(pk=pk).update(is_open=False, events_at_close=events)


def reopen_assignment(pk: int) -> None:
    """Take judgments of an assignment again; only inside a transaction that writes."""
    Assignment.objects.filter(pk=pk).update(is_open=True, events_at_close=None)


def close_hit(hit: Hit) -> None:
    """Take no answer to what a HIT holds any more; only inside a transaction that writes.

    The HIT must be locked; its state is its caller's to change.
    """
    if hit.assignment_id is not None:
        close_assignment(hit.assignment_id)
        return
    hit.events_at_close = events_of_pairs(hit).count()
    hit.save(update_fields=["events_at_close"])


def lock_hit(pk: int) -> Hit:
    """A HIT as it is until the transaction is over, and what it holds with it."""
    hit = Hit.objects.select_for_update(no_key=True).get(pk=pk)
    if hit.assignment_id is not None:
        Assignment.objects.select_for_update(no_key=True).get(pk=hit.assignment_id)
    return hit


def events_of_pairs(hit: Hit) -> QuerySet[PreferenceEvent]:
    """The answers to the pairs of a HIT, in their order."""
    return PreferenceEvent.objects.filter(pair__hit=hit.key).order_by("id")


def _shut_out() -> RefusedError:
    return RefusedError("account", gettext("Your account is closed."))
