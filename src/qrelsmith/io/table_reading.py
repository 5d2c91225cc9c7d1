"""Tables with named columns, read as text: CSV, TSV, JSONL and Parquet, plain or compressed.

The content determines the format, not the file name: Parquet has its signature, JSONL begins with
`{`, TSV has a tab in its header, and everything else is CSV. CSV and TSV follow RFC 4180: a cell
with the delimiter, a quote or a line break is quoted, and quotes inside it are doubled. Blank lines
and lines whose first character is `#` are ignored between records, also before the header; inside a
quoted cell, such lines belong to the cell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeVar, cast

from qrelsmith.base.errors import InputError, UnknownNameError, printable, quoted
from qrelsmith.io.csv_records import LONGEST_CELL, CsvRecords, one_line_end
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.parquet import is_parquet, parquet_columns
from qrelsmith.io.text import FilePath, in_order_of_lines, read_bytes

T = TypeVar("T")
_LINE = re.compile("[^\n]+")


@dataclass(frozen=True, slots=True)
class Columns:
    """The possible columns of a table.

    Attributes
    ----------
    required : tuple of str
        Columns that must be present, without empty cells.
    optional : tuple of str
        Columns that may be missing or have empty cells.
    ids : tuple of str
        Columns of ids: opaque text without control characters.
    may_end_early : bool
        Whether a row may omit its last cells if they are empty.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    may_end_early: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All column names."""
        return self.required + self.optional

    @property
    def expected(self) -> str:
        """The description of the expected columns, for an error."""
        optional = f" and, if you like, {', '.join(self.optional)}" if self.optional else ""
        return f"expected the columns {', '.join(self.required)}{optional}"


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """A table as text.

    Attributes
    ----------
    path : path
        The source, for errors.
    columns : mapping of str to sequence of str [row]
        The cells of every column in the file; an empty text is a missing value.
    lines : sequence of int [row]
        The line on which each row begins; in Parquet, the row number, counted from 1.
    """

    path: FilePath
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]

    def __len__(self) -> int:
        return len(self.lines)


def read_table(path: FilePath, columns: Columns) -> TextTable:
    """Read a table with a header.

    Raises
    ------
    InputError
        If a column is unknown, missing or repeated, a row has a different number of cells than the
        header, a required cell is empty, an id contains a control character, or the file is not in
        the detected format.
    """
    if is_parquet(path):
        cells = parquet_columns(path, ids=columns.ids)
        _check_names(list(cells), columns, path, None)
        count = len(next(iter(cells.values())))
        return check_table(TextTable(path, cells, range(1, count + 1)), columns)
    return parse_table(read_bytes(path), columns, path=path)


def parse_table(content: bytes, columns: Columns, *, path: FilePath) -> TextTable:
    """Parse the content of a text file as `read_table` does."""
    text = decoded_text(content, path=path)
    first = first_data_line(text)
    if first is None and not is_named_jsonl(path):
        raise InputError(f"the file is empty; {columns.expected}", path=path)
    if first is None or first.lstrip().startswith("{"):
        return check_table(_from_jsonl(text, columns, path), columns)
    return check_table(_from_csv(text, columns, path, "\t" if "\t" in first else ","), columns)


def parsed_in_order(parse: Callable[[bytes], T], content: bytes, *, path: FilePath) -> T:
    """Apply a function to a text file; if several lines have errors, raise the first line's error.

    A function that checks column by column may find an error on a later line first. Content that is
    not text is reported before all other errors.
    """
    decoded_text(content, path=path)

    def parse_what_is_there(block: bytes) -> T | None:
        # If there are no lines above the first error, there is nothing else to find.
        if len(block) < len(content) and not first_data_line(block.decode("utf-8", "replace")):
            return None
        return parse(block)

    return cast("T", in_order_of_lines(parse_what_is_there, content))


def decoded_text(content: bytes, *, path: FilePath) -> str:
    """Decode the content of a text file.

    Raises
    ------
    InputError
        At a line that is not UTF-8, or contains NUL or a carriage return before its end.
    """
    for character, name in (
        (b"\x00", "a NUL character"),
        (b"\r", "a carriage return without line feed"),
    ):
        place = content.find(character)
        if place >= 0:
            problem = f"the line contains {name}"
            break
    else:
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            place, problem = error.start, "the line is not UTF-8"
    start = content.rfind(b"\n", 0, place) + 1
    shown = quoted(content[start : start + 200].split(b"\n")[0])
    line = content.count(b"\n", 0, place) + 1
    raise InputError(f"{problem}: {shown}; expected UTF-8 text", path=path, line=line)


def first_data_line(text: str) -> str | None:
    """Return the first line that is neither blank nor a comment, or None."""
    for match in _LINE.finditer(text):
        line = match.group()
        if not line.startswith("#") and line.strip(" \t"):
            return line
    return None


def is_named_jsonl(path: FilePath) -> bool:
    """Return whether a path is named like JSONL; an empty file with such a name is a table."""
    return any(suffix in (".jsonl", ".ndjson") for suffix in PurePath(path).suffixes[-2:])


def has_header(line: str, columns: Columns) -> bool:
    """Return whether a first line is the header of a table with these columns."""
    if line.lstrip().startswith("{") or ("," in line and len(line.split()) == 1):
        return True
    cells = {cell.strip(' "').lower() for cell in re.split("[,;\t]", line)}
    return len(cells) > 1 and len(cells.intersection(columns.names)) > 1


def check_table(table: TextTable, columns: Columns) -> TextTable:
    """Check the required cells and the ids of a table, and return the table.

    Raises
    ------
    InputError
        At the first invalid cell.
    """
    for name in columns.names:
        cells = table.columns.get(name, ())
        if name in columns.required and "" in cells:
            line = table.lines[list(cells).index("")]
            raise InputError(f"the {name} is empty; expected a value", path=table.path, line=line)
        # Every row may have a long cell; joining all of them would need too much memory.
        distinct = set(cells)
        if max(map(len, distinct), default=0) > LONGEST_CELL or "\x00" in "".join(distinct):
            _check_length(cells, table, name)
        if name in columns.ids and not "".join(distinct).isprintable():
            check_ids(cells, table.lines, path=table.path, what=name)
    return table


def _check_length(cells: Sequence[str], table: TextTable, name: str) -> None:
    for cell, line in zip(cells, table.lines, strict=True):
        if "\x00" in cell:
            raise InputError(
                f"the {name} {quoted(cell)} contains a NUL character", path=table.path, line=line
            )
        if len(cell) > LONGEST_CELL:
            raise InputError(
                f"the {name} has {len(cell)} characters; expected at most {LONGEST_CELL}",
                path=table.path,
                line=line,
            )


def check_ids(ids: Sequence[str], lines: Sequence[int], *, path: FilePath, what: str) -> None:
    """Raise `InputError` at an id that contains a control character."""
    for cell, line in zip(ids, lines, strict=True):
        if not cell.isprintable() and has_control(cell):
            raise InputError(
                f"the {what} {quoted(cell)} contains a control character; expected a "
                "name without one",
                path=path,
                line=line,
            )


def check_form_ids(ids: Sequence[str], lines: Sequence[int], *, path: FilePath, what: str) -> None:
    """Raise `InputError` at an id that is empty, has outer blanks, or contains a control character.

    Ids may consist of several words: some programs identify a topic only by its text.
    """
    faulty = {each for each in set(ids) if not each or each != each.strip() or has_control(each)}
    if not faulty:
        return
    place = next(place for place, each in enumerate(ids) if each in faulty)
    raise InputError(
        f"the {what} is {quoted(ids[place]) if ids[place] else 'missing'}; expected an id",
        path=path,
        line=lines[place],
    )


def has_control(text: str) -> bool:
    """Return whether a text contains a control character, such as tab or line break."""
    return any(unicodedata.category(character) == "Cc" for character in text)


def _check_names(names: Sequence[str], columns: Columns, path: FilePath, line: int | None) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(
                f"the column {quoted(name)} appears twice; expected it once", path=path, line=line
            )
        if name not in columns.names:
            near = UnknownNameError("column", name, columns.names)
            raise InputError(str(near), path=path, line=line)
    for name in columns.required:
        if name not in names:
            raise InputError(
                f"the column {name} is missing; {columns.expected}", path=path, line=line
            )


def _from_jsonl(text: str, columns: Columns, path: FilePath) -> TextTable:
    cells: dict[str, list[str]] = {name: [] for name in columns.names}
    lines = []
    for line, fields in json_objects(text, path=path):
        if not cells.keys() >= fields.keys() or not fields.keys() >= set(columns.required):
            _check_names(list(fields), columns, path, line)
        lines.append(line)
        for name, column in cells.items():
            cell = fields.get(name) or ""
            column.append(one_line_end(cell))
    present = {n: column for n, column in cells.items() if n in columns.required or any(column)}
    return TextTable(path, present, lines)


def _from_csv(text: str, columns: Columns, path: FilePath, delimiter: str) -> TextTable:
    records = CsvRecords(text, delimiter, path)
    lines: list[int] = []
    rows: list[list[str]] = []
    for record in records:
        rows.append(record)
        lines.append(records.first)
        if columns.may_end_early:
            record.extend([""] * (len(rows[0]) - len(record)))
        if len(record) != len(rows[0]):
            header = printable(delimiter.join(rows[0]))
            raise InputError(
                f"found {len(record)} cells; expected {len(rows[0])}: {header}",
                path=path,
                line=records.first,
            )
        if len(rows) == 1:
            _check_names(record, columns, path, records.first)
    names = rows[0]
    records.warn_of_comments(len(names))
    cells = zip(*rows[1:], strict=True) if len(rows) > 1 else (() for _ in names)
    return TextTable(path, dict(zip(names, cells, strict=True)), lines[1:])
