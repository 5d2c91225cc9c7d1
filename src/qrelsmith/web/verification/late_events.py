"""Late events, accepted after their topic or HIT was closed: how to find and undo them.

Late events are no longer accepted (see `closing`), but version 0.1.0 checked whether a topic was
open before its transaction began. If the number of events at closing is unknown, late events are
identified by the time of closing. In a valid HIT, late events are also identified by two conditions
at submission: all items were answered, and the recorded number of attention checks had failed.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count
from django.utils import timezone

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.pair_hits import events_of_pairs
from qrelsmith.web.judging.accepting import restore
from qrelsmith.web.judging.kinds import KINDS, kind_of
from qrelsmith.web.models import Assignment, Batch, Contest, Event, Hit, OrganiserAction

# An input kind that no page sends; it marks the restoring events.
_MENDED = "mended"


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed topic or HIT, with its events.

    Attributes
    ----------
    name : str
        Its name for messages.
    subject : Assignment or Hit
        The assignment or HIT.
    events : sequence of Event or of PreferenceEvent
        All its events, in order.
    kept : int
        Number of its events at closing; greater than the current number if events are lost.
    is_known : bool
        Whether it is known that nothing happened after closing; nothing else is loaded then.
    """

    name: str
    subject: Assignment | Hit
    events: Sequence[Any]
    kept: int
    is_known: bool = False


def late_check() -> Check:
    """Check that no closed topic or HIT has changed; requires a snapshot."""
    check = Check("closed work is unchanged")
    for closed in (*_assignments(), *_pair_hits(), *_of_further_kinds()):
        check.rows += 1
        for event in closed.events[closed.kept :]:
            check.fault(f"event {event.op_id} came after {closed.name} was closed")
        if closed.kept > len(closed.events):
            there, then = len(closed.events), closed.kept
            check.fault(f"{closed.name} had {then} events when it was closed, but has {there} now")
    return check


def take_back_late_events() -> list[str]:
    """Restore the labels at closing; return one sentence per closed topic or HIT.

    Events never change: a further event restores the label before the first late event. The caller
    must rebuild the labels afterwards.
    """
    sentences = []
    with writing():
        for closed in (*_assignments(), *_pair_hits()):
            if closed.is_known:
                continue
            restored = sum(_restore_label(history, closed.kept) for history in _histories(closed))
            if restored:
                labels = "label is" if restored == 1 else "labels are"
                sentences.append(f"{closed.name}: {restored} {labels} again as at closing")
            count = max(closed.kept, len(closed.events) + restored)
            kind = type(closed.subject)
            kind.objects.filter(pk=closed.subject.pk).update(events_at_close=count)
    return sentences


def _assignments() -> Iterator[Closed]:
    """Yield closed assignments; if an older version closed them, some facts are unknown."""
    closed = Assignment.objects.filter(is_open=False).select_related(
        "topic", "assessor", "crowd_hit__batch"
    )
    counts = dict(
        Event.objects.filter(assignment__is_open=False)
        .values_list("assignment")
        .annotate(Count("id"))
    )
    for assignment in list(closed.order_by("pk")):
        if assignment.events_at_close == counts.get(assignment.pk, 0):
            yield Closed("", assignment, (), 0, is_known=True)
            continue
        name = f"topic {assignment.topic.name} of {assignment.assessor.name}"
        events = (
            Event.objects.filter(assignment=assignment.pk).select_related("assigned").order_by("id")
        )
        hit: Hit | None = getattr(assignment, "crowd_hit", None)
        if hit is not None:
            name = f"HIT {hit.key} of {assignment.assessor.name}"
        history = list(events)
        kept = assignment.events_at_close
        if kept is None:
            at = hit.finished_at if hit is not None else _closed_at(assignment)
            kept = _count_at_close(history, at, None if hit is None else _HandedIn(hit))
        yield Closed(name, assignment, history, kept)


def _pair_hits() -> Iterator[Closed]:
    """Yield the valid HITs of pairs; the pairs of other HITs are withdrawn."""
    found = Hit.objects.filter(state=Hit.State.FINISHED, batch__kind=Batch.Kind.PAIRS)
    for hit in list(found.select_related("worker__assessor", "batch").order_by("pk")):
        events = events_of_pairs(hit)
        if hit.events_at_close == events.count():
            yield Closed("", hit, (), 0, is_known=True)
            continue
        history = list(events.select_related("pair"))
        kept = hit.events_at_close
        if kept is None:
            kept = _count_at_close(history, hit.finished_at, _HandedIn(hit))
        name = hit.worker.assessor.name if hit.worker else "nobody"
        yield Closed(f"HIT {hit.key} of {name}", hit, history, kept)


def _of_further_kinds() -> Iterator[Closed]:
    """Return closed assignments of all kinds except graded docs and pairs."""
    for kind in KINDS:
        if kind.streams in (Assignment, Contest):
            continue
        for stream in kind.streams_with_names().filter(is_open=False).order_by("pk"):
            events = kind.events.objects.filter(**{kind.stream: stream}).order_by("id")
            kept = getattr(stream, "events_at_close", None)
            if kept not in (None, events.count()):
                yield Closed(kind.stream_name(stream), stream, list(events), kept)


class _HandedIn:
    """The conditions met by a valid HIT at its submission."""

    def __init__(self, hit: Hit) -> None:
        self._hit = hit
        self._keys = frozenset(hit_kind(hit).items(hit).values_list("pk", flat=True))

    def holds(self, events: Sequence[Any]) -> bool:
        """Return whether events answer all items and fail as many attention checks as recorded."""
        said = {_unit(event): getattr(event, kind_of(event).value) for event in events}
        given = {pk: value for pk, value in said.items() if value is not None}
        if not self._keys <= given.keys():
            return False
        return hit_kind(self._hit).count_missed(self._hit, given) == self._hit.missed


def _count_at_close(
    events: Sequence[Any], closed_at: datetime | None, handed_in: _HandedIn | None
) -> int:
    """Return the number of events at a closing without a count; if unknown, that of all events."""
    if closed_at is None:
        return len(events)
    in_time = len(events)
    while in_time and events[in_time - 1].accepted_at > closed_at:
        in_time -= 1
    if handed_in is None:
        return in_time
    # A late event may have a time before the close.
    sound = (count for count in range(in_time, -1, -1) if handed_in.holds(events[:count]))
    return next(sound, in_time)


def _closed_at(assignment: Assignment) -> datetime | None:
    """Return the time at which an organiser closed an assignment, from the log of actions."""
    target = f"{assignment.topic.name} {assignment.assessor.name}"
    actions = OrganiserAction.objects.filter(action="close", target=target)
    return actions.order_by("-at").values_list("at", flat=True).first()


def _histories(closed: Closed) -> Iterator[list[tuple[int, Any]]]:
    """Yield the events of each doc or pair with a late event, each with its position."""
    late = {_unit(event) for event in closed.events[closed.kept :]}
    for unit in sorted(late):
        yield [(place, event) for place, event in enumerate(closed.events) if _unit(event) == unit]


def _restore_label(history: list[tuple[int, Any]], before_close: int) -> bool:
    """Restore the label that a doc or pair had at closing, after `before_close` events.

    Return whether an event was needed.
    """
    before = [event for place, event in history if place < before_close]
    late = [event for place, event in history if place >= before_close]
    last = late[-1]
    kind = kind_of(last)
    wanted = kind.label_after(before[-1]) if before else kind.blank
    if kind.label_after(last) == wanted:
        return False
    # Undo the last event that changed away from that label; this event was not undone before.
    earlier = [wanted, *(kind.label_after(event) for event in late[:-1])]
    undone = next(
        event
        for label, event in zip(reversed(earlier), reversed(late), strict=True)
        if label == wanted
    )
    restore(
        kind,
        undone,
        last,
        wanted,
        op_id=f"mended-{secrets.token_hex(16)}",
        input_kind=_MENDED,
        accepted_at=timezone.now(),
        judged_at=timezone.now(),
    )
    return True


def _unit(event: Any) -> int:
    return kind_of(event).unit_key(event)
