"""Events are chained: each holds a digest over itself and all events before it in its stream.

A stream is an assignment or a contest. The digest of an event is the SHA-256 of the digest before
it (nothing before the first), a newline, and the event's line as exports hold it. The last one is
the head of the stream: it is kept with the assignment or contest, and exports carry it. Whoever
changes, removes or adds an event behind our back changes all digests after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, groupby
from typing import Any

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.event_lines import EVENTS
from qrelsmith.web.core.lines import Cell, Kind, record_line
from qrelsmith.web.core.subjects import DOCS, SUBJECTS, AnyEvent, Subject, subject_of
from qrelsmith.web.models import Assignment, Contest

_CHUNK = 2000


def link(before: str, record: Mapping[str, Cell], kind: Kind = EVENTS) -> str:
    """The digest of an event by its record, after the digest of the event before it."""
    return sha256(f"{before}\n{record_line(kind, record)}".encode()).hexdigest()


def append(
    event: AnyEvent,
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
    subject = subject_of(event)
    stream = subject.streams.objects.filter(pk=subject.stream_key(event))
    if before is None:
        before = stream.select_for_update(no_key=True).values_list("head", flat=True).get()
    event.digest = _digest(event, before)
    event.save(force_insert=True)
    stream.update(**(changed or {}), head=event.digest)


def extend(events: Sequence[AnyEvent], heads: Mapping[int, str] | None = None) -> dict[int, str]:
    """The new heads of streams at whose ends events of one kind are written together.

    Only inside a transaction that writes.

    Parameters
    ----------
    events : sequence of Event or of PreferenceEvent
        Complete but for their digests, in their order.
    heads : mapping of int to str, optional
        The heads of their streams, if the caller has locked them and writes the new ones; read,
        locked and written here otherwise.
    """
    if not events:
        return {}
    subject = subject_of(events[0])
    streams = subject.streams.objects
    keys = sorted({subject.stream_key(event) for event in events})
    if heads is None:
        locked = streams.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
        open_heads = dict(locked.values_list("pk", "head"))
    else:
        open_heads = {key: heads[key] for key in keys}
    for event in events:
        key = subject.stream_key(event)
        event.digest = open_heads[key] = _digest(event, open_heads[key])
    subject.events.objects.bulk_create(events)
    if heads is None:
        for key, head in open_heads.items():
            streams.filter(pk=key).update(head=head)
    return open_heads


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
    for stream, events in chain.from_iterable(map(_streams, SUBJECTS)):
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


def _streams(
    subject: Subject[Any],
) -> Iterator[tuple[Assignment | Contest, Iterable[AnyEvent]]]:
    """Every assignment or contest with its events, in the order in which they were accepted."""
    related = ("assessor", "topic") if subject is DOCS else ("topic",)
    rest = subject.streams.objects.select_related(*related).in_bulk()
    events = subject.read().order_by(f"{subject.stream}_id", "id").iterator(chunk_size=_CHUNK)
    for key, group in groupby(events, key=subject.stream_key):
        yield rest.pop(key), group
    for stream in rest.values():
        yield stream, ()


def _digest(event: AnyEvent, before: str) -> str:
    subject = subject_of(event)
    return link(before, subject.record(event), subject.kind)


def _name(stream: Assignment | Contest) -> str:
    if isinstance(stream, Contest):
        return f"the pairs of topic {stream.topic.name}"
    hit = f", HIT {stream.hit}" if stream.hit else ""
    return f"topic {stream.topic.name} of {stream.assessor.name}{hit}"
