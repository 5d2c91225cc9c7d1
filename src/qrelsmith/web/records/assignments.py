"""Assessors and assignments as records, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import in_byte_order, writing
from qrelsmith.web.core.lines import Cell, Kind, Record, read_records
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Doc, Topic
from qrelsmith.web.records.parts import Part

ASSESSORS = Kind("assessors.jsonl", texts=("name", "group"))
ASSIGNMENTS = Kind(
    "assignments.jsonl",
    texts=("assessor", "topic", "hit", "ordering", "docs", "head"),
    numbers=("round", "seed", "is_open", "events_at_close"),
    times=("opened_at",),
)
_CHUNK = 2000


def assessor_records() -> Iterator[Mapping[str, Cell]]:
    """All assessors, by name."""
    for assessor in Assessor.objects.order_by(in_byte_order("name")):
        yield {"name": assessor.name, "group": assessor.group}


def assignment_records() -> Iterator[Mapping[str, Cell]]:
    """All assignments with their docs in order; doc ids hold no blanks."""
    found = Assignment.objects.select_related("assessor", "topic")
    ordered = found.order_by(
        in_byte_order("topic__name"), in_byte_order("assessor__name"), "round", in_byte_order("hit")
    )
    for assignment in ordered:
        docs = AssignedDoc.objects.filter(assignment=assignment).order_by("position")
        yield {
            "assessor": assignment.assessor.name,
            "topic": assignment.topic.name,
            "hit": assignment.hit,
            "ordering": assignment.ordering,
            "docs": " ".join(docs.values_list("doc__name", flat=True)),
            "round": assignment.round,
            "seed": assignment.seed,
            "is_open": int(assignment.is_open),
            "events_at_close": assignment.events_at_close,
            "opened_at": assignment.opened_at,
            "head": assignment.head,
        }


def import_assessors(folder: Path) -> Counts:
    """Record the assessors of a folder.

    Raises
    ------
    InputError
        At one who is in another group here.
    """
    counts = Counts("assessors")
    known = dict(Assessor.objects.values_list("name", "group"))
    for record in read_records(folder, ASSESSORS):
        name, group = record.text("name"), record.text("group")
        if name in known:
            if known[name] != group:
                raise record.fault(f"{quoted(name)} is in the group {quoted(known[name])} here")
            counts.same += 1
            continue
        counts.new += 1
        Assessor.objects.create(name=name, group=group)
    return counts


def import_assignments(folder: Path) -> Counts:
    """Record the assignments of a folder; those that are there already are left as they are.

    Docs that are not in the database come in as names without content.

    Raises
    ------
    InputError
        At an assignment of an assessor or a topic that is not known.
    """
    counts = Counts("assignments")
    there = set(Assignment.objects.values_list("assessor__name", "topic__name", "hit", "round"))
    assessors = {assessor.name: assessor for assessor in Assessor.objects.all()}
    topics = {topic.name: topic for topic in Topic.objects.all()}
    for record in read_records(folder, ASSIGNMENTS):
        key = (record.text("assessor"), record.text("topic"), record.text("hit"))
        if (*key, record.need("round")) in there:
            counts.same += 1
            continue
        counts.new += 1
        if key[0] not in assessors or key[1] not in topics:
            raise record.fault(
                f"the assessor {quoted(key[0])} or topic {quoted(key[1])} is unknown"
            )
        with writing():
            _record(record, assessors[key[0]], topics[key[1]])
    return counts


def _record(record: Record, assessor: Assessor, topic: Topic) -> None:
    names = record.text("docs").split()
    docs: dict[str, int] = {}
    for start in range(0, len(names), _CHUNK):
        part = names[start : start + _CHUNK]
        Doc.objects.bulk_create((Doc(name=name) for name in part), ignore_conflicts=True)
        docs |= dict(Doc.objects.filter(name__in=part).values_list("name", "id"))
    assignment = Assignment(
        assessor=assessor,
        topic=topic,
        hit=record.text("hit"),
        round=record.need("round"),
        ordering=record.text("ordering"),
        seed=record.whole("seed"),
        is_open=bool(record.need("is_open")),
        events_at_close=record.whole("events_at_close"),
        opened_at=record.time("opened_at"),
    )
    record_assignment(assignment, [docs[name] for name in names])


ASSESSOR_PART = Part(
    ((ASSESSORS, assessor_records),), lambda coming: import_assessors(coming.folder)
)
PART = Part(((ASSIGNMENTS, assignment_records),), lambda coming: import_assignments(coming.folder))
