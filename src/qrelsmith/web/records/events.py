"""Events as records, out and in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from django.db import IntegrityError

from qrelsmith.errors import quoted
from qrelsmith.web.database import writing
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.models import AssignedDoc, Assignment, Event
from qrelsmith.web.records.lines import Cell, Kind, Record, read_records

EVENTS = Kind(
    "events.jsonl",
    texts=(
        "op_id", "kind", "assessor", "topic", "doc", "hit", "note", "excerpt", "sha256", "undoes",
        "input_kind",
    ),
    numbers=(
        "round", "value", "base_revision", "revision", "topic_version", "scale_version",
        "client_ms", "active_ms", "idle_ms",
    ),
    times=("accepted_at", "judged_at", "shown_at"),
)  # fmt: skip
_PLAIN = (
    "op_id", "kind", "note", "excerpt", "sha256", "input_kind", "value", "base_revision",
    "revision", "topic_version", "scale_version", "client_ms", "active_ms", "idle_ms",
    "accepted_at", "judged_at", "shown_at",
)  # fmt: skip
_BATCH = 1000
_Key = tuple[str, str, str, int]


def event_records() -> Iterator[Mapping[str, Cell]]:
    """All events, in the order in which they were accepted."""
    events = Event.objects.select_related(
        "assessor", "assignment__topic", "assigned__doc", "undoes"
    ).order_by("id")
    for event in events.iterator(chunk_size=_BATCH):
        yield {name: getattr(event, name) for name in _PLAIN} | {
            "assessor": event.assessor.name,
            "topic": event.assignment.topic.name,
            "doc": event.assigned.doc.name,
            "hit": event.assignment.hit,
            "round": event.assignment.round,
            "undoes": event.undoes.op_id if event.undoes else "",
        }


def import_events(folder: Path, *, is_dry: bool) -> Counts:
    """Record the events of a folder; those that are there already are left as they are.

    Raises
    ------
    InputError
        At an event that is of no assignment, or whose revision another event has.
    """
    counts = Counts("events")
    assignments = {
        (each.assessor.name, each.topic.name, each.hit, each.round): each
        for each in Assignment.objects.select_related("assessor", "topic")
    }
    records = read_records(folder, EVENTS)
    while batch := list(islice(records, _BATCH)):
        ids = [record.text("op_id") for record in batch]
        there = set(Event.objects.filter(op_id__in=ids).values_list("op_id", flat=True))
        new = [record for record in batch if record.text("op_id") not in there]
        counts.same += len(batch) - len(new)
        counts.new += len(new)
        if not is_dry:
            with writing():
                _record(new, assignments)
    return counts


def _record(records: list[Record], assignments: Mapping[_Key, Assignment]) -> None:
    docs = _assigned(records, assignments)
    waiting: list[Event] = []
    for record in records:
        event = _event(record, assignments, docs)
        undone = record.text("undoes")
        if undone:
            # What it undoes must be in the table, and events must stay in their order.
            _insert(waiting, record)
            waiting = []
            event.undoes = Event.objects.filter(op_id=undone).first()
            if event.undoes is None:
                raise record.fault(f"it undoes the event {quoted(undone)}, which is not known")
        waiting.append(event)
    if records:
        _insert(waiting, records[-1])


def _insert(events: list[Event], record: Record) -> None:
    try:
        Event.objects.bulk_create(events)
    except IntegrityError as error:
        raise record.fault(f"an event up to here has a revision that is taken: {error}") from None


def _assigned(
    records: Iterable[Record], assignments: Mapping[_Key, Assignment]
) -> dict[tuple[int, str], AssignedDoc]:
    """The assigned docs of some events, by their assignment and name."""
    names: dict[int, set[str]] = {}
    for record in records:
        names.setdefault(_assignment(record, assignments).pk, set()).add(record.text("doc"))
    return {
        (pk, doc.doc.name): doc
        for pk, wanted in names.items()
        for doc in AssignedDoc.objects.filter(
            assignment=pk, doc__name__in=sorted(wanted)
        ).select_related("doc")
    }


def _assignment(record: Record, assignments: Mapping[_Key, Assignment]) -> Assignment:
    round_ = record.need("round")
    key = (record.text("assessor"), record.text("topic"), record.text("hit"), round_)
    if key not in assignments:
        raise record.fault(f"{quoted(key[0])} is not assigned the topic {quoted(key[1])}")
    return assignments[key]


def _event(
    record: Record,
    assignments: Mapping[_Key, Assignment],
    docs: Mapping[tuple[int, str], AssignedDoc],
) -> Event:
    assignment = _assignment(record, assignments)
    name = record.text("doc")
    doc = docs.get((assignment.pk, name))
    if doc is None:
        raise record.fault(f"the doc {quoted(name)} is not in the assignment")
    kind = record.text("kind")
    if kind not in Event.Kind.values:
        raise record.fault(f"kind is {quoted(kind)}; expected {', '.join(Event.Kind.values)}")
    return Event(
        op_id=record.text("op_id"),
        kind=kind,
        assessor=assignment.assessor,
        assignment=assignment,
        assigned=doc,
        value=record.number("value"),
        note=record.text("note"),
        excerpt=record.text("excerpt"),
        sha256=record.text("sha256"),
        topic_version=record.need("topic_version"),
        scale_version=record.need("scale_version"),
        base_revision=record.need("base_revision"),
        revision=record.need("revision"),
        accepted_at=record.need_time("accepted_at"),
        judged_at=record.time("judged_at"),
        shown_at=record.time("shown_at"),
        client_ms=record.whole("client_ms"),
        active_ms=record.whole("active_ms"),
        idle_ms=record.whole("idle_ms"),
        input_kind=record.text("input_kind"),
    )
