"""Assignments and items of a kind of judgment as records, out and in.

Their columns are those of the tables: of another table's row the name, of a label nothing, since it
follows from the events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import models

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Cell, Kind, Record, json_text, read_records
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Doc
from qrelsmith.web.records.parts import Coming, Part

_CHUNK = 1000
_NUMBERS = (models.IntegerField, models.FloatField, models.BooleanField)
# What follows from the events of an assignment.
_COUNTED = ("judged", "revision")


def items_part(kind: JudgmentKind) -> Part:
    """Return the records of a kind's assignments and of their items."""
    files = [file_of(kind, table) for table in (kind.streams, kind.units)]
    return Part(
        tuple(
            (file, partial(_records, kind, table, file))
            for file, table in zip(files, (kind.streams, kind.units), strict=True)
        ),
        lambda coming: _take_in(kind, coming, files),
        decides_labels=True,
    )


def _fields(kind: JudgmentKind, table: Any) -> list[Any]:
    """The columns that records hold."""
    derived = set(kind.unjudged) if table is kind.units else set(_COUNTED)
    return [
        each
        for each in table._meta.concrete_fields
        if not each.primary_key and each.name not in derived
    ]


def file_of(kind: JudgmentKind, table: Any) -> Kind:
    """Return the form of the records of a kind's assignments, or of its items."""
    fields = _fields(kind, table)
    own = [each.name for each in fields if each.name != kind.stream]
    is_number = {each.name: isinstance(each, _NUMBERS) for each in fields}
    is_time = {each.name: isinstance(each, models.DateTimeField) for each in fields}
    names = tuple(kind.stream_names) if table is kind.units else ()
    return Kind(
        f"{table._meta.model_name}.jsonl",
        texts=(*names, *(name for name in own if not is_number[name] and not is_time[name])),
        numbers=tuple(name for name in own if is_number[name]),
        times=tuple(name for name in own if is_time[name]),
        is_since_0_1=True,
    )


def _records(kind: JudgmentKind, table: Any, file: Kind) -> Iterator[Mapping[str, Cell]]:
    fields = [column for column in _fields(kind, table) if column.name != kind.stream]
    related = [column.name for column in _fields(kind, table) if column.is_relation]
    streams = {stream.pk: kind.names_of(stream) for stream in kind.streams_with_names()}
    rows = table.objects.select_related(*related).order_by("id")
    for row in rows.iterator(chunk_size=_CHUNK):
        names = streams[kind.stream_key(row)] if table is kind.units else {}
        yield {**names, **{column.name: _cell(getattr(row, column.name)) for column in fields}}


def _cell(value: Any) -> Cell:
    if isinstance(value, models.Model):
        return str(value)
    return json_text(value) if isinstance(value, (dict, list)) else value


def _take_in(kind: JudgmentKind, coming: Coming, files: Sequence[Kind]) -> Counts:
    """Record assignments and items; an assignment that is there already is left as it is."""
    counts = Counts(f"{files[0].name} records")
    there = {tuple(kind.names_of(stream).values()) for stream in kind.streams_with_names()}
    new: dict[tuple[str, ...], Any] = {}
    with writing():
        for record in read_records(coming.folder, files[0]):
            key = tuple(record.text(name) for name in kind.stream_names)
            if key in there:
                counts.same += 1
                continue
            counts.new += 1
            new[key] = kind.streams.objects.create(**_columns(kind, kind.streams, record))
        units = []
        for record in read_records(coming.folder, files[1]):
            key = tuple(record.text(name) for name in kind.stream_names)
            if key in new:
                columns = _columns(kind, kind.units, record)
                units.append(kind.units(**{kind.stream: new[key]}, **columns))
            elif key not in there:
                raise record.fault(f"there is no {kind.stream} {' '.join(map(quoted, key))}")
        kind.units.objects.bulk_create(units, batch_size=_CHUNK)
    return counts


def _columns(kind: JudgmentKind, table: Any, record: Record) -> dict[str, Any]:
    """Read the columns of a row; the head of an assignment follows from its events."""
    own = (each for each in _fields(kind, table) if each.name not in (kind.stream, "head"))
    return {each.name: _value(each, record) for each in own}


def _value(field: Any, record: Record) -> Any:
    """Read a cell as its column wants it."""
    name = field.name
    if field.is_relation:
        return _row_by_name(field, record)
    if isinstance(field, models.DateTimeField):
        return record.time(name)
    if isinstance(field, models.BooleanField):
        return bool(record.whole(name))
    if isinstance(field, models.FloatField):
        return record.number(name)
    if isinstance(field, models.IntegerField):
        return record.whole(name)
    return record.json(name, field.default) if isinstance(field, models.JSONField) else (
        record.text(name)
    )  # fmt: skip


def _row_by_name(field: Any, record: Record) -> Any:
    """Find a row of another table by its name; a doc without content comes in as a name."""
    table, name = field.related_model, record.text(field.name)
    if not name and field.null:
        return None
    if table is Doc:
        return Doc.objects.get_or_create(name=name)[0]
    found = table.objects.filter(name=name).first()
    if found is None:
        raise record.fault(f"{field.name} is {quoted(name)}, which is not known here")
    return found
