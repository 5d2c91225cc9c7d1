"""Open or closed to judging: whoever accepts looks under the lock under which it is closed.

How many events there were at the close is kept with what was closed, so that `verify` notices
whatever was accepted afterwards.
"""

from __future__ import annotations

from django.db.models import QuerySet

from qrelsmith.web.models import Assignment, Event, Hit, PreferenceEvent


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
    """Return a HIT as it is until the transaction is over, and what it holds with it."""
    hit = Hit.objects.select_for_update(no_key=True).get(pk=pk)
    if hit.assignment_id is not None:
        Assignment.objects.select_for_update(no_key=True).get(pk=hit.assignment_id)
    return hit


def events_of_pairs(hit: Hit) -> QuerySet[PreferenceEvent]:
    """Return the answers to the pairs of a HIT, in their order."""
    return PreferenceEvent.objects.filter(pair__hit=hit.key).order_by("id")
