"""The columns of a judgments table and their types."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.items import item_key
from qrelsmith.base.scales import grade_text
from qrelsmith.collection import frames
from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, TextTable

COLUMNS = Columns(
    required=("topic", "doc", "assessor", "grade"),
    optional=(
        "group",
        "hit",
        "position",
        "ordering",
        "shown_at",
        "judged_at",
        "active_ms",
        "idle_ms",
        "revision",
        "label",
        "note",
        "scale",
        "aspect",
    ),
    ids=("topic", "doc", "assessor", "group", "hit", "ordering", "aspect"),
)
# The optional fields of judgments; an aspect is a part of the judged item.
FIELDS = tuple(name for name in COLUMNS.optional if name != "aspect")
IDS = ("topic", "doc", "assessor")
WHOLE = ("position", "active_ms", "idle_ms", "revision")
TIMES = ("shown_at", "judged_at")
# The types of numeric columns for writers.
NUMBERS = {"grade": "float"} | dict.fromkeys(WHOLE, "int")


def item_cells(table: TextTable) -> Sequence[str]:
    """Return the keys of the judged items: docs, or answers with their aspects."""
    docs, aspects = table.columns["doc"], table.columns.get("aspect", ())
    return list(map(item_key, docs, aspects)) if any(aspects) else docs


def optional_columns(table: TextTable) -> dict[str, Any]:
    """Return the optional columns of a table that are not empty, by name and with their types.

    Raises
    ------
    InputError
        At the first cell that does not match the type of its column.
    """
    columns: dict[str, Any] = {}
    for name in FIELDS:
        column = table.columns.get(name, ())
        if not any(column):
            continue
        if name in WHOLE:
            columns[name] = cells.whole_numbers(column, table.lines, path=table.path, what=name)
        elif name in TIMES:
            columns[name] = cells.times(column, table.lines, path=table.path, what=name)
        else:
            columns[name] = tuple(column)
    return columns


def sorted_rows(
    table: TextTable, keys: Sequence[IntArray], grade: FloatArray, revision: FloatArray | None
) -> tuple[IntArray, int]:
    """Return the rows sorted by keys and revision without repeats, and the number of repeats.

    Rows with the same topic, doc, assessor and revision are one judgment; a missing revision counts
    as 0.

    Raises
    ------
    InputError
        If such rows have different grades.
    """
    numbers = np.zeros(len(grade)) if revision is None else np.nan_to_num(revision)
    topic, doc, assessor = keys
    order = np.lexsort((numbers, assessor, doc, topic))
    columns = np.stack([topic, doc, assessor, numbers.astype(np.int64)])[:, order]
    repeated = np.append(False, (np.diff(columns) == 0).all(axis=0))[: len(order)]
    if not repeated.any():
        return order, 0
    first = np.maximum.accumulate(np.where(repeated, 0, np.arange(len(order))))
    against = np.flatnonzero(grade[order] != grade[order[first]])
    if against.size:
        lines = [table.lines[order[place]] for place in against]
        place = against[int(np.argmin(lines))]
        _raise_conflict(table, grade, int(order[first[place]]), int(order[place]))
    return order[~repeated], int(repeated.sum())


def _raise_conflict(table: TextTable, grade: FloatArray, before: int, row: int) -> None:
    topic, _, assessor = (table.columns[name][row] for name in IDS)
    doc = item_cells(table)[row]
    raise InputError(
        f"topic {quoted(topic)} doc {quoted(doc)} assessor {quoted(assessor)} has the grade"
        f" {grade_text(grade[row])}, but the grade {grade_text(grade[before])} on line"
        f" {table.lines[before]}; expected one grade, or different numbers in a"
        " column `revision`",
        path=table.path,
        line=table.lines[row],
    )


def fields_of(table: TextTable, grade: FloatArray) -> dict[str, Any]:
    """Return the columns of a judgments table by name, with sorted rows and the given grades."""
    values = optional_columns(table)
    codes = []
    for name in IDS:
        cells_of = item_cells(table) if name == "doc" else table.columns[name]
        names = tuple(sorted(set(cells_of)))
        place = {text: code for code, text in enumerate(names)}
        values[f"{name}s"] = names
        codes.append(np.array([place[text] for text in cells_of], dtype=np.int64))
    rows, repeats = sorted_rows(table, codes, grade, values.get("revision"))
    if repeats:
        warnings.warn(
            f"{table.path}: {repeats} rows repeat a judgment with the same grade and are ignored",
            InputWarning,
            stacklevel=4,
        )
    values |= dict(zip(IDS, codes, strict=True)) | {"grade": grade}
    for name in (*IDS, "grade", *FIELDS):
        values[name] = take_rows(values.get(name), rows)
    return values


def take_rows(column: Any, rows: IntArray) -> Any:
    """Return rows of a column, as an array if the column is an array, else as a tuple."""
    if column is None or isinstance(column, np.ndarray):
        return None if column is None else column[rows]
    return tuple(column[row] for row in rows.tolist())


def text_table(columns: Mapping[str, Sequence[object]]) -> TextTable:
    """Return a table of text from columns of Python values; see `Judgments.from_columns`."""
    for name in (*columns, *COLUMNS.required):
        if name not in COLUMNS.names or name not in columns:
            problem = "is missing" if name in COLUMNS.names else "is unknown"
            raise UsageError(f"the column {quoted(name)} {problem}; {COLUMNS.expected}")
    if len(set(map(len, columns.values()))) > 1:
        raise UsageError("the columns of the judgments differ in length; expected the same length")
    texts = {
        name: frames.id_cells(values, name)
        if name in IDS
        else [frames.cell_text(value) for value in values]
        for name, values in columns.items()
    }
    return TextTable("judgments", texts, range(1, len(texts["topic"]) + 1))
