"""Export and import of assessors and assignments as records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Cell, Kind, Record
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Doc
from qrelsmith.web.records.parts import Coming, Part
from qrelsmith.web.records.rows import Rows, part

_CHUNK = 2000
ASSIGNMENTS = Rows(
    Kind(
        "assignments.jsonl",
        texts=("assessor", "topic", "hit", "ordering", "docs", "head"),
        numbers=("round", "seed", "is_open", "events_at_close"),
        times=("opened_at",),
    ),
    Assignment,
    key=("assessor", "topic", "hit", "round"),
    names={"assessor": {"assessor": "name"}, "topic": {"topic": "name"}},
    order=("topic__name", "assessor__name", "round", "hit"),
)


def _records() -> Iterator[Mapping[str, Cell]]:
    """Yield all assignments with their docs in order; doc ids contain no blanks."""
    for assignment in ASSIGNMENTS.in_order():
        docs = AssignedDoc.objects.filter(assignment=assignment).order_by("position")
        yield {
            **ASSIGNMENTS.record(assignment),
            "docs": " ".join(docs.values_list("doc__name", flat=True)),
        }


def _import_assignments(coming: Coming) -> Counts:
    """Record assignments; unknown docs are recorded by name, without content."""
    counts = Counts("assignments")
    for record in ASSIGNMENTS.new(coming.folder, counts):
        with writing():
            _record(record)
    return counts


def _record(record: Record) -> None:
    names = record.text("docs").split()
    docs: dict[str, int] = {}
    for start in range(0, len(names), _CHUNK):
        chunk = names[start : start + _CHUNK]
        Doc.objects.bulk_create((Doc(name=name) for name in chunk), ignore_conflicts=True)
        docs |= dict(Doc.objects.filter(name__in=chunk).values_list("name", "id"))
    (columns,) = ASSIGNMENTS.read([record])
    record_assignment(Assignment(**columns), [docs[name] for name in names])


ASSESSOR_PART = part(
    "assessors",
    Rows(
        Kind("assessors.jsonl", texts=("name", "group")),
        Assessor,
        key=("name",),
        order=("name",),
        fixed=("group",),
    ),
)
PART = Part(((ASSIGNMENTS.kind, _records),), _import_assignments)
