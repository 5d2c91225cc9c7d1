"""Export and import of the assignments and items of a kind of judgment as records.

The columns of these records are those of the tables, with names instead of keys of other tables,
and without labels, which are rebuilt from the events.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Kind
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.records.parts import Coming, Part
from qrelsmith.web.records.rows import Rows

_NUMBERS = (models.IntegerField, models.FloatField, models.BooleanField)
# Columns derived from the events of an assignment.
_COUNTED = ("judged", "revision")


def items_part(kind: JudgmentKind) -> Part:
    """Return the part for a kind's assignments and their items."""
    streams, units = rows_of(kind, kind.streams), rows_of(kind, kind.units)

    def take_in(coming: Coming) -> Counts:
        counts = Counts(f"{streams.kind.name} records")
        with writing():
            new = streams.take_in(coming.folder, counts)
            units.take_in(coming.folder, counts, parents=new)
        return counts

    return Part((streams.file, units.file), take_in, decides_labels=True)


def rows_of(kind: JudgmentKind, table: Any) -> Rows:
    """Return the conversion of a kind's assignments, or of its items, to and from records."""
    is_item = table is kind.units
    derived = (*kind.unjudged, kind.stream) if is_item else _COUNTED
    fields = [
        column
        for column in table._meta.concrete_fields
        if not column.primary_key and column.name not in derived
    ]
    numbers = tuple(column.name for column in fields if isinstance(column, _NUMBERS))
    times = tuple(column.name for column in fields if isinstance(column, models.DateTimeField))
    texts = tuple(column.name for column in fields if column.name not in (*numbers, *times))
    stream = {kind.stream: kind.stream_names} if is_item else {}
    return Rows(
        Kind(
            f"{table._meta.model_name}.jsonl",
            texts=(*(kind.stream_names if is_item else ()), *texts),
            numbers=numbers,
            times=times,
            is_since_0_1=True,
        ),
        table,
        key=(*kind.stream_names, "position") if is_item else tuple(kind.stream_names),
        names={
            **stream,
            **{column.name: {column.name: "name"} for column in fields if column.is_relation},
        },
        full=tuple(column.name for column in fields),
        adds_docs=True,
        parent=kind.stream if is_item else "",
    )
