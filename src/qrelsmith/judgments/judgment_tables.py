"""The columns of a judgments table and their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.items import item_key
from qrelsmith.base.scales import grade_text
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
    """Return the optional columns of a table by name, typed, without empty ones.

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
    """Return the rows sorted by keys and revision, each once, and the number of repeats.

    Rows with one topic, doc, assessor and revision are one judgment; a missing revision counts as
    0.

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
        f" {grade_text(grade[row])}, but {grade_text(grade[before])} on line"
        f" {table.lines[before]}; expected one grade, or a column `revision` that distinguishes"
        " them",
        path=table.path,
        line=table.lines[row],
    )
