"""Declarative export and import of the rows of a table as records.

The columns of a record are those of its table. Rows of other tables are named by the keys that
identify them. Derived columns are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import IntegrityError, models

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import in_byte_order, writing
from qrelsmith.web.core.event_lines import at
from qrelsmith.web.core.lines import Cell, Kind, Record, json_text, read_records
from qrelsmith.web.models import Doc
from qrelsmith.web.records.parts import Coming, File, Part

Key = tuple[str, ...]
Columns = dict[str, Any]
_CHUNK = 1000


def _as_read(record: Record, columns: Columns) -> None:
    """Leave the columns of a row unchanged."""


@dataclass(frozen=True)
class Rows:
    """Conversion between the rows of a table and records.

    Attributes
    ----------
    kind : Kind
        File name and keys of the records.
    table : type
        The table.
    key : tuple of str
        The keys that identify a row.
    names : mapping of str to mapping
        For each column that refers to another table, the keys that name the row there, each with
        its path from that row.
    order : tuple of str
        The paths by which records are sorted; if empty, by number.
    fixed : tuple of str
        The columns that must be equal in an existing row.
    full : tuple of str
        The columns whose empty objects and arrays are written.
    adds_docs : bool
        Whether unknown docs are recorded by name, without content.
    parent : str
        The column that refers to a parent row; if the parent already exists, the row is not
        imported.
    finish : callable
        A function that checks a record, and adds or replaces columns of its row.
    """

    kind: Kind
    table: Any
    key: Key
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    adds_docs: bool = False
    parent: str = ""
    finish: Callable[[Record, Columns], None] = _as_read

    @property
    def file(self) -> File:
        """The file and the function that yields its records, for a part."""
        return self.kind, self.records

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """The path from a row to each key that is not a column."""
        return {
            key: f"{column}__{path}"
            for column, own in reversed(tuple(self.names.items()))
            for key, path in own.items()
        }

    @cached_property
    def columns(self) -> Mapping[str, Any]:
        """The columns of the table to read, without the head of a chain, which is computed."""
        fields = {each.name: each for each in self.table._meta.concrete_fields}
        wanted = (*self.names, *(key for key in self.kind.keys if key not in self.paths))
        return {name: fields[name] for name in wanted if name in fields and name != "head"}

    def records(self) -> Iterator[Mapping[str, Cell]]:
        """Iterate over all rows as records."""
        return map(self.record, self.in_order())

    def in_order(self) -> Iterator[Any]:
        """Iterate over all rows in the order of their records."""
        texts = {*self.kind.texts}
        order = [
            in_byte_order(path) if path.endswith("name") or path in texts else path
            for path in self.order
        ]
        related = {path.rpartition("__")[0] for path in self.paths.values()}
        rows = self.table.objects.order_by(*order or ["id"])
        rows = rows.select_related(*sorted(related)) if related else rows
        return iter(rows.iterator(chunk_size=_CHUNK))

    def record(self, row: Any) -> dict[str, Cell]:
        """Return a row as its record."""
        cells = {key: at(row, self.paths.get(key, key)) for key in self.kind.keys}
        return {
            key: (json_text(cell) if cell or key in self.full else "")
            if isinstance(cell, (dict, list)) else cell
            for key, cell in cells.items()
        }  # fmt: skip

    def take_in(
        self, folder: Path, counts: Counts, *, parents: Mapping[Key, bool] | None = None
    ) -> dict[Key, bool]:
        """Add the missing rows of a folder; return all keys, and whether each is new.

        Parameters
        ----------
        folder : path
            The folder of the records.
        counts : Counts
            The numbers of new and known rows; rows with a parent are not counted.
        parents : mapping of keys to bool, optional
            The rows of the parents' table, as returned by this method.

        Raises
        ------
        InputError
            If a record is invalid, occurs twice, names a missing row, or differs from its existing
            row in a fixed column.
        """
        keys = dict.fromkeys(self._here(), False)
        new = self.new(folder, counts, parents=parents)
        index = _Index(self)
        # A row may refer to an earlier row in the file.
        size = 1 if self.table in index.tables else _CHUNK
        with writing():
            while batch := list(islice(new, size)):
                rows = [self.table(**columns) for columns in index.read(batch)]
                try:
                    self.table.objects.bulk_create(rows)
                except IntegrityError:
                    raise batch[-1].fault(
                        "this record or one above it has values that are already stored; "
                        "expected only new rows"
                    ) from None
                keys.update({self._key(record): True for record in batch})
                index.add(rows)
        return keys

    def new(
        self, folder: Path, counts: Counts, *, parents: Mapping[Key, bool] | None = None
    ) -> Iterator[Record]:
        """Yield the records of missing rows, as used by `take_in`."""
        here, lines = self._here(), dict[Key, int]()
        for record in read_records(folder, self.kind):
            if parents is not None and not self._has_new_parent(record, parents):
                continue
            key = self._key(record)
            line = lines.setdefault(key, record.line)
            if line != record.line:
                raise record.fault(
                    f"{self._words(record)} is already on line {line}; expected it once"
                )
            if key not in here:
                counts.new += parents is None
                yield record
                continue
            counts.same += 1
            for name, held in zip(self.fixed, here[key], strict=True):
                if value_of(self.columns[name], record) != held:
                    raise record.fault(
                        f"{self._words(record)} differs from the existing record in {name}; "
                        "expected the same value"
                    )

    def read(self, records: list[Record]) -> list[Columns]:
        """Read the columns of some rows."""
        return list(_Index(self).read(records))

    def _here(self) -> dict[Key, tuple[Any, ...]]:
        """Return the keys of the existing rows, each with its fixed columns."""
        paths = [self.paths.get(key, key) for key in self.key]
        rows = self.table.objects.values_list(*paths, *self.fixed).iterator()
        return {tuple(map(str, row[: len(paths)])): row[len(paths) :] for row in rows}

    def _key(self, record: Record) -> Key:
        for key in self.key:
            if not record.text(key) and not self._may_be_empty(key):
                raise record.fault(f"the key {key} is missing")
        return tuple(record.text(key) for key in self.key)

    def _may_be_empty(self, key: str) -> bool:
        """Return whether the column of a key, in this or another table, can be empty."""
        column, table = None, self.table
        for name in self.paths.get(key, key).split("__"):
            column = table._meta.get_field(name)
            table = column.related_model
        return column is not None and bool(column.blank)

    def _words(self, record: Record) -> str:
        return ", ".join(f"{key} {quoted(record.text(key))}" for key in self.key)

    def _has_new_parent(self, record: Record, parents: Mapping[Key, bool]) -> bool:
        key = tuple(record.text(each) for each in self.names[self.parent])
        if key not in parents:
            raise record.fault(f"there is no {self.parent} {' '.join(map(quoted, key))}")
        return parents[key]


class _Index:
    """Index of the rows of other tables, by the keys used in the records of a table."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.tables = {rows.columns[name].related_model for name in rows.names}
        self._found: dict[str, dict[Key, Any]] = {}

    def read(self, records: list[Record]) -> Iterator[Columns]:
        """Read the columns of some rows."""
        for name in self._rows.names:
            if self._rows.columns[name].related_model is Doc:
                self._found[name] = self._docs(name, records)
        for record in records:
            columns = {
                name: self._row(name, record) if name in self._rows.names
                else value_of(column, record)
                for name, column in self._rows.columns.items()
            }  # fmt: skip
            self._rows.finish(record, columns)
            yield columns

    def add(self, rows: list[Any]) -> None:
        """Add new rows, which later records may refer to."""
        for name, own in self._rows.names.items():
            if name in self._found and self._rows.columns[name].related_model is self._rows.table:
                self._found[name] |= {tuple(str(at(row, path)) for path in own.values()): row
                                      for row in rows}  # fmt: skip

    def _docs(self, name: str, records: list[Record]) -> dict[Key, Any]:
        (key,) = self._rows.names[name]
        names = sorted({record.text(key) for record in records} - {""})
        if self._rows.adds_docs:
            Doc.objects.bulk_create((Doc(name=each) for each in names), ignore_conflicts=True)
        return {(doc.name,): doc for doc in Doc.objects.filter(name__in=names)}

    def _row(self, name: str, record: Record) -> Any:
        """Return the row that a record names; None if an optional name is missing."""
        own = self._rows.names[name]
        key, *further = own
        if not record.text(key) and self._rows.columns[name].null:
            return None
        if name not in self._found:
            self._found[name] = self._all(name)
        row = self._found[name].get(tuple(record.text(each) for each in own))
        if row is None and further:
            last = further[-1]
            raise record.fault(
                f"{last} is {record.text(last) or 'missing'}; expected an existing {last}"
                f" of {quoted(record.text(key))}"
            )
        if row is None:
            raise record.fault(f"the {key} {quoted(record.text(key))} is unknown")
        return row

    def _all(self, name: str) -> dict[Key, Any]:
        paths = self._rows.names[name].values()
        related = {path.rpartition("__")[0] for path in paths} - {""}
        rows = self._rows.columns[name].related_model.objects
        rows = rows.select_related(*related) if related else rows.all()
        return {tuple(str(at(row, path)) for path in paths): row for row in rows}


def value_of(column: Any, record: Record) -> Any:
    """Convert a cell to the type of its column."""
    name, text = column.name, record.text(column.name)
    if isinstance(column, models.DateTimeField):
        return record.time(name) if column.null else record.need_time(name)
    if isinstance(column, models.JSONField):
        if not text and column.has_default():
            return column.get_default()
        return record.json(name, list if column.default is list else dict)
    if column.get_internal_type() not in ("CharField", "TextField"):
        if not text and not column.null:
            raise record.fault(f"the key {name} is missing")
        if isinstance(column, models.FloatField):
            return record.number(name)
        number = record.whole(name)
        return bool(number) if isinstance(column, models.BooleanField) else number
    values = [value for value, _ in column.choices or ()]
    if values and text not in values and (text or not column.blank):
        also = ", or nothing" if column.blank else ""
        raise record.fault(f"{name} is {quoted(text)}; expected one of {', '.join(values)}{also}")
    return text


def part(what: str, *tables: Rows) -> Part:
    """Return a part with the records of some tables, which are imported in this order."""

    def take_in(coming: Coming) -> Counts:
        counts = Counts(what)
        for rows in tables:
            rows.take_in(coming.folder, counts)
        return counts

    return Part(tuple(rows.file for rows in tables), take_in)
