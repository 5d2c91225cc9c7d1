"""Records of a file: rows under a header (CSV, TSV, Parquet) or objects (JSONL, a JSON list)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from qrelsmith.base.errors import InputError, printable, quoted
from qrelsmith.forms.column_names import TOPIC_NAMES, WRAPPERS, plain
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.json_lines import json_records, json_value
from qrelsmith.io.parquet import is_parquet, parquet_records
from qrelsmith.io.text import FilePath


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, by column.

    Attributes
    ----------
    form : str
        csv, tsv, jsonl, json or parquet.
    cells : mapping of str to sequence [record]
        Text; in JSON also lists and objects, with numbers as text. A missing value is empty.
    lines : sequence of int [record]
        The line on which each record begins; in Parquet and JSON lists, the record number.
    inner : mapping of str to str
        The columns that are fields of an object such as `meta`, and their names in it if no other
        column has the same name.
    """

    form: str
    cells: Mapping[str, Sequence[object]]
    lines: Sequence[int]
    inner: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def unit(self) -> str:
        """The word before a record's number in messages: `record` or `line`."""
        return "record" if self.form == "json" else "line"

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.cells)

    def texts(self, name: str) -> list[str]:
        """Return the cells of a column as text; a list of one value becomes that value."""
        return [cell_text(cell) for cell in self.cells[name]]

    def column(self, *names: str) -> Sequence[object] | None:
        """Return the first of the named columns that exists, even inside an object."""
        by_name = {plain(name): name for name in reversed(self.names)}
        found = next((by_name[name] for name in names if name in by_name), None)
        return None if found is None else self.cells[found]


def cell_text(cell: object) -> str:
    """Return a cell as text: a list of one text as that text, other lists and objects as JSON."""
    if isinstance(cell, list) and len(cell) == 1 and isinstance(cell[0], str):
        return cell[0]
    if isinstance(cell, str):
        return cell
    return "" if cell is None else json.dumps(cell, ensure_ascii=False)


def records_of(
    path: FilePath, line: str, text: Callable[[], str], *, quoted_tabs: bool = True
) -> Records | None:
    """Return the records of a file, or None if the first line does not begin a file of records.

    Parameters
    ----------
    path : path
        The file.
    line : str
        The first line.
    text : callable
        Returns the content.
    quoted_tabs : bool
        Whether quotes in a tab-separated file delimit cells, rather than being text.

    Raises
    ------
    InputError
        At the first record with a different structure.
    """
    if is_parquet(path):
        cells = parquet_records(path)
        lines = range(1, len(next(iter(cells.values()))) + 1)
        if not any(name.lower() in WRAPPERS for name in cells):
            return Records("parquet", cells, lines)
        objects = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
        return records_of_objects("parquet", objects, lines)
    begin = line.lstrip()[:1]
    if begin == "{":
        return _json_lines(line, text, path) or _in_object(text, path)
    if begin == "[":
        try:
            value = json_value(text(), path=path)
        except InputError:
            return None
        objects = value if isinstance(value, list) else []
        if not objects or not all(isinstance(each, dict) for each in objects):
            return None
        return records_of_objects("json", objects, range(1, len(objects) + 1))
    for delimiter, form in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        if delimiter in line:
            if delimiter == "\t" and not quoted_tabs:
                return _split_rows(text(), form, path)
            try:
                return _quoted(text(), delimiter, form, path)
            except InputError:
                if delimiter != "\t" or '"' not in text():
                    raise
                return _split_rows(text(), form, path)
    return None


def _json_lines(line: str, text: Callable[[], str], path: FilePath) -> Records | None:
    try:
        first = json_value(line, path=path)
    except InputError:
        return None
    if not isinstance(first, dict):
        return None
    held = list(first.values())
    if len(held) == 1 and isinstance(held[0], list) and held[0] and isinstance(held[0][0], dict):
        return None  # not a record but an object that contains records
    rows = list(json_records(text(), path=path))
    return records_of_objects("jsonl", [fields for _, fields in rows], [line for line, _ in rows])


def _in_object(text: Callable[[], str], path: FilePath) -> Records | None:
    """Return records of a JSON object with one list of objects, such as `{"topics": […]}`."""
    try:
        value = json_value(text(), path=path)
    except InputError:
        return None
    held = list(value.values()) if isinstance(value, dict) else []
    lists = [each for each in held if isinstance(each, list | dict)]
    if len(lists) != 1 or not isinstance(lists[0], list) or not lists[0]:
        return None
    if not all(isinstance(each, dict) for each in lists[0]):
        return None
    return records_of_objects("json", lists[0], range(1, len(lists[0]) + 1))


def records_of_objects(
    form: str, objects: Sequence[Mapping[str, object]], lines: Sequence[int]
) -> Records:
    """Return objects as records; the fields of objects such as `meta` become columns."""
    inner: dict[str, str] = {}
    flat = [_flat(fields, inner) for fields in objects]
    names = dict.fromkeys(name for fields in flat for name in fields)
    cells = {name: [fields.get(name, "") for fields in flat] for name in names}
    bare = {name: own for name, own in inner.items() if own not in names}
    return Records(form, cells, lines, bare)


def _flat(fields: Mapping[str, object], inner: dict[str, str]) -> dict[str, object]:
    """Return an object's fields; the fields of inner objects such as `meta` become `meta.NAME`."""
    flat: dict[str, object] = {}
    for name, value in fields.items():
        held = _object(value) if name.lower() in WRAPPERS else None
        if held is None:
            flat[name] = value
        else:
            flat |= {f"{name}.{each}": cell for each, cell in held.items()}
            inner |= {f"{name}.{each}": each for each in held}
    return {name: "" if value is None else value for name, value in flat.items()}


def _object(value: object) -> dict[str, object] | None:
    """Return the object in a value or in a JSON string; None if there is no object."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json_value(value, path="")
        except InputError:
            return None
    return value if isinstance(value, dict) else None


def _quoted(text: str, delimiter: str, form: str, path: FilePath) -> Records | None:
    records = CsvRecords(text, delimiter, path)
    table = _of_rows(((records.first, row) for row in records), delimiter, form, path)
    if table is not None:
        records.warn_of_comments(len(table.cells))
    return table


def _split_rows(text: str, form: str, path: FilePath) -> Records | None:
    """Return the records of a tab-separated text in which quotes are ordinary characters."""
    lines = enumerate(text.split("\n"), start=1)
    rows = [(number, row.split("\t")) for number, row in lines if row.strip() and row[0] != "#"]
    return _of_rows(rows, "\t", form, path)


def _of_rows(
    records: Iterable[tuple[int, list[str]]], delimiter: str, form: str, path: FilePath
) -> Records | None:
    """Return the rows under a header, with the line of each row."""
    rows: list[list[str]] = []
    lines: list[int] = []
    for line, record in records:
        if not rows:
            header = [name.strip() for name in record]
            # Quepid's row for a query without docs ends after the query.
            may_end_early = header[:2] == ["query", "docid"]
            if not _is_header(header):
                return None
        elif may_end_early:
            record.extend([""] * (len(header) - len(record)))
        rows.append(record)
        lines.append(line)
        if len(record) != len(header):
            raise InputError(
                f"found {len(record)} cells; expected {len(header)}: "
                f"{printable(delimiter.join(header))}",
                path=path,
                line=line,
            )
    if not rows:
        return None
    twice = [name for place, name in enumerate(header) if name in header[:place]]
    if twice and not any(plain(name) in TOPIC_NAMES for name in header):
        return None  # a line of text with tabs
    if twice:
        raise InputError(
            f"the column {quoted(twice[0])} appears twice; expected it once",
            path=path,
            line=lines[0],
        )
    cells = {name: [row[place] for row in rows[1:]] for place, name in enumerate(header)}
    return Records(form, cells, lines[1:])


def _is_header(cells: Sequence[str]) -> bool:
    """Return whether a first row is a header: every cell is a name, and no cell is a number."""
    return len(cells) > 1 and all(
        cell
        and len(cell) < 80
        and len(cell.split()) < 5
        and not cell.lstrip("-").replace(".", "", 1).isdigit()
        for cell in cells
    )
