"""Writers of tables with named columns; the same columns always give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from qrelsmith.base.errors import UnknownNameError, UsageError, quoted
from qrelsmith.io.csv_records import LONGEST_CELL, csv_line, one_line_end
from qrelsmith.io.json_lines import json_line
from qrelsmith.io.parquet import parquet_bytes
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
FORMS = ("csv", "tsv", "jsonl", "parquet")


def write_table(
    path: FilePath,
    columns: Mapping[str, Sequence[str]],
    *,
    form: str | None = None,
    numbers: Mapping[str, str] | None = None,
    longest: int = LONGEST_CELL,
) -> None:
    """Write a table atomically.

    Parameters
    ----------
    path : path
        Destination; an existing file is replaced.
    columns : mapping of str to sequence of str [row]
        The cells, in the order of the columns; an empty text is a missing value.
    form : {'csv', 'tsv', 'jsonl', 'parquet'}, optional
        Format; by default that of the file's suffix.
    numbers : mapping of str to {'float', 'int'}, optional
        The columns of numbers: unquoted in JSONL, typed in Parquet.
    longest : int, optional
        Maximum number of characters of a cell; by default that of `read_table`.

    Raises
    ------
    UsageError
        If neither `form` nor the suffix determines the format, or a cell cannot be written.
    """
    content = table_bytes(columns, form=form or form_of(path), numbers=numbers, longest=longest)
    with replacing(path) as out:
        out.write(content)


def form_of(path: FilePath) -> str:
    """Return the table format that a file name's suffix stands for.

    >>> form_of("judgments.csv")
    'csv'
    """
    try:
        return _SUFFIXES[PurePath(path).suffix.lower()]
    except KeyError:
        raise UsageError(
            f"the name {quoted(path)} has an unknown suffix; expected "
            f"{', '.join(_SUFFIXES)}, or an output format: {', '.join(FORMS)}"
        ) from None


def table_bytes(
    columns: Mapping[str, Sequence[str]],
    *,
    form: str = "csv",
    numbers: Mapping[str, str] | None = None,
    longest: int = LONGEST_CELL,
) -> bytes:
    """Return the content of the file that `write_table` would write."""
    if form not in FORMS:
        raise UnknownNameError("form", form, FORMS)
    numbers = numbers or {}
    cells = {name: _writable(column, name, longest) for name, column in columns.items()}
    if form == "parquet":
        return parquet_bytes(cells, numbers)
    rows = zip(*cells.values(), strict=True)
    if form == "jsonl":
        bare = frozenset(numbers)
        lines = [
            json_line({n: cell for n, cell in zip(cells, row, strict=True) if cell}, bare=bare)
            for row in rows
        ]
    else:
        delimiter = "," if form == "csv" else "\t"
        lines = [csv_line(row, delimiter) for row in (tuple(cells), *rows)]
    return "".join(lines).encode("utf-8")


def _writable(cells: Sequence[str], name: str, longest: int) -> Sequence[str]:
    """Return the cells in a form that every format supports."""
    joined = "".join(cells)
    try:
        joined.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(
            f"a cell of the column {name} contains an unpaired surrogate; expected Unicode text"
        ) from None
    if "\x00" in joined or max(map(len, cells), default=0) > longest:
        faulty = (row for row, cell in enumerate(cells, 1) if "\x00" in cell or len(cell) > longest)
        raise UsageError(
            f"a cell of the column {name} contains a NUL character or more than {longest} "
            f"characters, in row {next(faulty)}"
        )
    return [one_line_end(cell) for cell in cells] if "\r" in joined else cells
