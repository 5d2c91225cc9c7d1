"""Assignments: a table of who judges which topic, or which HIT, and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from qrelsmith.assigning.assignment import Assignment
from qrelsmith.base.errors import InputError, UnknownNameError, quoted
from qrelsmith.collection.pools.orderings import ORDERINGS
from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, TextTable, read_table
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import check_ids

# An assessor is missing only in an open HIT, which is looked at below.
COLUMNS = Columns(
    required=("topic", "group", "ordering", "seed"),
    optional=("assessor", "hit", "docs"),
    ids=("topic", "assessor", "group", "hit"),
)
_NUMBERS = {"seed": "int"}


def read_assignments(path: FilePath) -> tuple[Assignment, ...]:
    """Read assignments, sorted.

    Raises
    ------
    InputError
        If a column is missing, an ordering is not known, a seed is no whole number, an assessor is
        missing without a HIT, has a topic twice in one group, or docs are named without a HIT.
    """
    table = read_table(path, COLUMNS)
    empty = [""] * len(table)
    hits, docs = table.columns.get("hit", empty), table.columns.get("docs", empty)
    seeds = cells.whole_numbers(
        table.columns["seed"], table.lines, path=table.path, what="seed"
    ).tolist()
    rows = zip(
        table.columns["topic"],
        table.columns.get("assessor", empty),
        table.columns["group"],
        table.columns["ordering"],
        map(int, seeds),
        hits,
        (tuple(cell.split()) for cell in docs),
        strict=True,
    )
    found = [Assignment(*row) for row in rows]
    _check(found, table)
    return tuple(sorted(found))


def write_assignments(
    assignments: Iterable[Assignment], path: FilePath, *, form: str | None = None
) -> None:
    """Write assignments as CSV, TSV, JSONL or Parquet, sorted, whole or not at all.

    Raises
    ------
    InputError
        If a doc holds a blank.
    UsageError
        If neither `form` nor the suffix of the path says the form.
    """
    write_table(path, assignment_cells(assignments, path=path), form=form, numbers=_NUMBERS)


def assignment_cells(
    assignments: Iterable[Assignment], *, path: FilePath | None = None
) -> dict[str, list[str]]:
    """The columns of the file as text, sorted; hit and docs only where there are HITs."""
    rows = sorted(assignments)
    for row in rows:
        check_ids(row.docs, what="doc", path=path)
    columns = {
        name: [str(getattr(row, name)) for row in rows]
        for name in ("topic", "assessor", "group", "ordering", "seed")
    }
    if any(row.hit for row in rows):
        columns["hit"] = [row.hit for row in rows]
        columns["docs"] = [" ".join(row.docs) for row in rows]
    return columns


def _check(rows: list[Assignment], table: TextTable) -> None:
    """Raise at the first row that cannot be."""
    seen: dict[tuple[str, str, str, str], int] = {}
    for row, line in zip(rows, table.lines, strict=True):
        problem = ""
        key = (row.topic, row.assessor, row.group, row.hit)
        if row.ordering not in ORDERINGS.names():
            problem = str(UnknownNameError("ordering", row.ordering, ORDERINGS.names()))
        elif not row.assessor and not row.hit:
            problem = "the assessor is empty; expected one, or a HIT that is open to all"
        elif bool(row.docs) is not bool(row.hit):
            problem = "a HIT names its docs, and nothing else does; expected both hit and docs"
        elif row.assessor and key in seen:
            problem = (
                f"{quoted(row.assessor)} of {quoted(row.group)} has this twice (first on line"
                f" {seen[key]}); expected every assessor once"
            )
        if problem:
            raise InputError(problem, path=table.path, line=line)
        seen[key] = line
