"""Events are chained: each holds a digest over itself and all events before it in its stream.

A stream is an assignment or a contest. The digest of an event is the SHA-256 of the digest before
it (nothing before the first), a newline, and the event's line as exports hold it. The last one is
the head of the stream: it is kept with the assignment or contest, and exports carry it. Whoever
changes, removes or adds an event behind our back changes all digests after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any, TypeVar

from django.db.models import QuerySet

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.event_lines import (
    EVENTS,
    PREFERENCE_EVENTS,
    event_record,
    events_of_records,
    preference_event_record,
    preference_events_of_records,
)
from qrelsmith.web.core.lines import Cell, Kind, record_line
from qrelsmith.web.models import Assignment, Contest, Event, PreferenceEvent

_Logged = TypeVar("_Logged", Event, PreferenceEvent)
_CHUNK = 2000


def link(before: str, record: Mapping[str, Cell], kind: Kind = EVENTS) -> str:
    """The digest of an event by its record, after the digest of the event before it."""
    return sha256(f"{before}\n{record_line(kind, record)}".encode()).hexdigest()


def append(
    event: Event | PreferenceEvent,
    *,
    before: str | None = None,
    changed: Mapping[str, Any] | None = None,
) -> None:
    """Write an event at the end of its stream; only inside a transaction that writes.

    Parameters
    ----------
    event : Event or PreferenceEvent
        Complete but for its digest.
    before : str, optional
        The head of its stream, if the caller has locked it; read and locked here otherwise.
    changed : mapping, optional
        What else becomes of the assignment or contest.
    """
    stream = _stream(event)
    if before is None:
        before = stream.select_for_update(no_key=True).values_list("head", flat=True).get()
    event.digest = _digest(event, before)
    event.save(force_insert=True)
    stream.update(**(changed or {}), head=event.digest)


def extend(events: Sequence[_Logged]) -> None:
    """Write events of one kind that come in together; only inside a transaction that writes."""
    heads: dict[int, str] = {}
    streams = {_stream_key(event): _stream(event) for event in events}
    for key, stream in sorted(streams.items()):
        heads[key] = stream.select_for_update(no_key=True).values_list("head", flat=True).get()
    for event in events:
        event.digest = _digest(event, heads[_stream_key(event)])
        heads[_stream_key(event)] = event.digest
    if events:
        type(events[0]).objects.bulk_create(events)
    for key, head in heads.items():
        streams[key].update(head=head)


def campaign_head() -> str:
    """One digest over the heads of all streams, as the manifest of an export has it."""
    assignments = Assignment.objects.exclude(head="").values_list("head", flat=True)
    contests = Contest.objects.exclude(head="").values_list("head", flat=True)
    return sha256(
        "".join(f"{head}\n" for head in sorted([*assignments, *contests])).encode()
    ).hexdigest()


def chain_check() -> Check:
    """Whether every event is as it was accepted; the first that is not, of each stream."""
    check = Check("events are chained")
    for stream, events in _streams():
        before = ""
        for event in events:
            check.rows += 1
            before = _digest(event, before)
            if event.digest != before:
                check.fault(
                    f"event {event.op_id} of {_name(stream)} is not as it was accepted, or one"
                    " before it is missing"
                )
                break
        else:
            if stream.head != before:
                check.fault(f"the last events of {_name(stream)} are missing")
    return check


def _streams() -> Iterator[tuple[Assignment | Contest, Iterable[Event | PreferenceEvent]]]:
    """Every assignment and contest with its events, in the order in which they were accepted."""
    assignments = Assignment.objects.select_related("assessor", "topic")
    yield from _streams_of_events(assignments, events_of_records().order_by("assignment_id", "id"))
    contests = Contest.objects.select_related("topic").defer("candidates", "nonrelevant")
    yield from _streams_of_events(
        contests, preference_events_of_records().order_by("contest_id", "id")
    )


def _streams_of_events(
    streams: QuerySet[Any], events: QuerySet[Any]
) -> Iterator[tuple[Assignment | Contest, Iterable[Event | PreferenceEvent]]]:
    rest = streams.in_bulk()
    for key, group in groupby(events.iterator(chunk_size=_CHUNK), key=_stream_key):
        yield rest.pop(key), group
    for stream in rest.values():
        yield stream, ()


def _stream(event: Event | PreferenceEvent) -> QuerySet[Any]:
    model = Assignment if isinstance(event, Event) else Contest
    return model.objects.filter(pk=_stream_key(event))


def _stream_key(event: Event | PreferenceEvent) -> int:
    return event.assignment_id if isinstance(event, Event) else event.contest_id


def _digest(event: Event | PreferenceEvent, before: str) -> str:
    if isinstance(event, Event):
        return link(before, event_record(event))
    return link(before, preference_event_record(event), PREFERENCE_EVENTS)


def _name(stream: Assignment | Contest) -> str:
    if isinstance(stream, Contest):
        return f"the pairs of topic {stream.topic.name}"
    hit = f", HIT {stream.hit}" if stream.hit else ""
    return f"topic {stream.topic.name} of {stream.assessor.name}{hit}"
