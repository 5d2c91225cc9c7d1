"""Closing and reopening of work; accepting and closing take the same lock.

The number of events at closing is stored with the closed item, so that `verify` finds judgments
that were accepted afterwards.
"""

from __future__ import annotations

from django.db.models import QuerySet

from qrelsmith.web.models import AnswerAssignment, Assignment, Hit, PreferenceEvent

Table = type[Assignment] | type[AnswerAssignment]


def close_assignment(pk: int, table: Table = Assignment) -> None:
    """Close an assignment to judgments; only inside a transaction that writes."""
    locked = table.objects.select_for_update(no_key=True).get(pk=pk)
    table.objects.filter(pk=pk).update(is_open=False, events_at_close=locked.events.count())


def reopen_assignment(pk: int, table: Table = Assignment) -> None:
    """Reopen an assignment to judgments; only inside a transaction that writes."""
    table.objects.filter(pk=pk).update(is_open=True, events_at_close=None)


def close_hit(hit: Hit) -> None:
    """Close the items of a HIT to answers; only inside a transaction that writes.

    The caller must have locked the HIT and changes its state.
    """
    if hit.assignment_id is not None:
        close_assignment(hit.assignment_id)
        return
    hit.events_at_close = events_of_pairs(hit).count()
    hit.save(update_fields=["events_at_close"])


def lock_hit(pk: int) -> Hit:
    """Lock a HIT and its contents until the end of the transaction, and return it."""
    hit = Hit.objects.select_for_update(no_key=True).get(pk=pk)
    if hit.assignment_id is not None:
        Assignment.objects.select_for_update(no_key=True).get(pk=hit.assignment_id)
    return hit


def events_of_pairs(hit: Hit) -> QuerySet[PreferenceEvent]:
    """Return the answers to the pairs of a HIT, in order."""
    return PreferenceEvent.objects.filter(pair__hit=hit.key).order_by("id")
