"""JSONL files of flat records: equal records always give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.io.json_lines import json_line, json_objects
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.times import microseconds, time_array, time_texts
from qrelsmith.io.writing import replacing

T = TypeVar("T", bound=dict[str, Any] | list[Any])
_START = datetime(1970, 1, 1, tzinfo=UTC)
Cell = str | int | float | bool | datetime | None


@dataclass(frozen=True)
class Kind:
    """A kind of records.

    Attributes
    ----------
    file : str
        The file's name.
    texts, numbers, times : tuple of str
        The keys of its records, by type; a missing string is empty, other missing values are None.
    is_since_0_1 : bool
        Whether exports of 0.1.0 lack this file.
    """

    file: str
    texts: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    is_since_0_1: bool = False

    @property
    def name(self) -> str:
        """The name of the kind in the counts of manifests."""
        return self.file.removesuffix(".jsonl")

    @cached_property
    def bare(self) -> frozenset[str]:
        """The keys whose values are written without quotes."""
        return frozenset(self.numbers)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """All keys, in the order of writing."""
        return (*self.texts, *self.numbers, *self.times)


class Record:
    """A record from a file, with its file and line for error messages."""

    def __init__(self, fields: Mapping[str, str | None], *, path: Path, line: int) -> None:
        self._fields = fields
        self._path = path
        self._line = line

    @property
    def line(self) -> int:
        """The line number in the file, from 1."""
        return self._line

    def fault(self, problem: str) -> InputError:
        """Return the error to raise for a problem with this record."""
        return InputError(problem, path=self._path, line=self._line)

    def text(self, key: str) -> str:
        """Return a string; an empty string if the key is missing."""
        return self._fields.get(key) or ""

    def number(self, key: str) -> float | None:
        """Return a number, or None if the key is missing."""
        text = self._fields.get(key)
        if text is None:
            return None
        try:
            return float(text)
        except ValueError:
            raise self.fault(f"{key} is {quoted(text)}; expected a number") from None

    def whole(self, key: str) -> int | None:
        """Return a whole number, or None if the key is missing."""
        text = self._fields.get(key)
        if text is None:
            return None
        try:
            return int(text)
        except ValueError:
            raise self.fault(f"{key} is {quoted(text)}; expected a whole number") from None

    def need(self, key: str) -> int:
        """Return a required whole number."""
        value = self.whole(key)
        if value is None:
            raise self.fault(f"the key {key} is missing")
        return value

    def time(self, key: str) -> datetime | None:
        """Return a point in time, or None if the key is missing."""
        text = self._fields.get(key)
        if text is None:
            return None
        stamp = microseconds(text)
        if stamp is None:
            raise self.fault(f"{key} is {quoted(text)}; expected a time")
        return _START + timedelta(microseconds=stamp)

    def need_time(self, key: str) -> datetime:
        """Return a required point in time."""
        moment = self.time(key)
        if moment is None:
            raise self.fault(f"the key {key} is missing")
        return moment

    def json(self, key: str, kind: type[T]) -> T:
        """Return the JSON object or array in a string."""
        text = self.text(key)
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, kind):
            what = "object" if issubclass(kind, dict) else "array"
            raise self.fault(f"{key} is {quoted(text)}; expected a JSON {what} as text")
        return content


def read_records(folder: Path, kind: Kind) -> Iterator[Record]:
    """Yield the records of a kind.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is not a record of that kind.
    """
    path = folder / kind.file
    if kind.is_since_0_1 and not path.exists():
        return
    for line, fields in json_objects(decoded_text(read_bytes(path), path=path), path=path):
        record = Record(fields, path=path, line=line)
        for key in fields:
            if key not in kind.keys:
                raise record.fault(f"unknown key {quoted(key)}; expected {', '.join(kind.keys)}")
        yield record


def write_records(folder: Path, kind: Kind, records: Iterable[Mapping[str, Cell]]) -> int:
    """Write records, and return their number."""
    count = 0
    path: FilePath = folder / kind.file
    with replacing(path) as out:
        for record in records:
            out.write(record_line(kind, record).encode("utf-8"))
            count += 1
    return count


def record_line(kind: Kind, record: Mapping[str, Cell]) -> str:
    """Return a record as a line with its newline; empty values are omitted."""
    cells = {key: _cell(record.get(key)) for key in kind.keys}
    return json_line({key: cell for key, cell in cells.items() if cell}, bare=kind.bare)


def link(before: str, record: Mapping[str, Cell], kind: Kind) -> str:
    """Return the digest of a chained record, given the digest of the previous record."""
    return sha256(f"{before}\n{record_line(kind, record)}".encode()).hexdigest()


def time_text(moment: datetime) -> str:
    """Return a point in time as written in files, to the microsecond."""
    stamp = (moment.astimezone(UTC) - _START) // timedelta(microseconds=1)
    return time_texts(time_array([stamp]))[0]


def json_text(value: object) -> str:
    """Return an object or array as JSON text, which is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, (int, float)):
        return grade_text(float(value)) if isinstance(value, float) else str(int(value))
    return value
