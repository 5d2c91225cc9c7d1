"""Files of assignments: tables of topics or HITs, with the assessor and the order of each."""

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

# Only open HITs have no assessor; this is checked below.
COLUMNS = Columns(
    required=("topic", "group", "ordering", "seed"),
    optional=("assessor", "hit", "docs", "round"),
    ids=("topic", "assessor", "group", "hit"),
)
_NUMBERS = {"seed": "int", "round": "int"}


def read_assignments(path: FilePath) -> tuple[Assignment, ...]:
    """Read assignments, sorted.

    Raises
    ------
    InputError
        If a column is missing, an ordering is unknown, a seed is not an integer, an assessor is
        missing without a HIT or has a topic twice in one group, or docs are named without a HIT in
        the first round.
    """
    table = read_table(path, COLUMNS)
    empty = [""] * len(table)
    hits, docs = table.columns.get("hit", empty), table.columns.get("docs", empty)
    seeds = cells.whole_numbers(
        table.columns["seed"], table.lines, path=table.path, what="seed"
    ).tolist()
    rounds = [1] * len(table)
    if "round" in table.columns:
        cell = table.columns["round"]
        rounds = list(
            map(int, cells.whole_numbers(cell, table.lines, path=table.path, what="round"))
        )
    rows = zip(
        table.columns["topic"],
        table.columns.get("assessor", empty),
        table.columns["group"],
        table.columns["ordering"],
        map(int, seeds),
        hits,
        (tuple(cell.split()) for cell in docs),
        rounds,
        strict=True,
    )
    found = [Assignment(*row) for row in rows]
    _check(found, table)
    return tuple(sorted(found))


def write_assignments(
    assignments: Iterable[Assignment], path: FilePath, *, form: str | None = None
) -> None:
    """Write assignments atomically as CSV, TSV, JSONL or Parquet, sorted.

    Raises
    ------
    InputError
        If a doc's id contains a blank.
    UsageError
        If neither `form` nor the suffix of the path determines the format.
    """
    write_table(path, assignment_cells(assignments, path=path), form=form, numbers=_NUMBERS)


def assignment_cells(
    assignments: Iterable[Assignment], *, path: FilePath | None = None
) -> dict[str, list[str]]:
    """Return the sorted rows as columns of text, without the columns hit, docs, round if unused."""
    rows = sorted(assignments)
    for row in rows:
        check_ids(row.docs, what="doc", path=path)
    columns = {
        name: [str(getattr(row, name)) for row in rows]
        for name in ("topic", "assessor", "group", "ordering", "seed")
    }
    if any(row.hit for row in rows):
        columns["hit"] = [row.hit for row in rows]
    if any(row.docs for row in rows):
        columns["docs"] = [" ".join(row.docs) for row in rows]
    if any(row.round > 1 for row in rows):
        columns["round"] = [str(row.round) for row in rows]
    return columns


def _check(rows: list[Assignment], table: TextTable) -> None:
    """Raise an error at the first invalid row."""
    seen: dict[tuple[str, str, str, str, int], int] = {}
    for row, line in zip(rows, table.lines, strict=True):
        problem = ""
        key = (row.topic, row.assessor, row.group, row.hit, row.round)
        if row.ordering not in ORDERINGS.names():
            problem = str(UnknownNameError("ordering", row.ordering, ORDERINGS.names()))
        elif row.round < 1:
            problem = f"the round is {row.round}; expected 1 or more"
        elif not row.assessor and (row.round > 1 or not row.hit):
            problem = "the assessor is empty; expected one, or a HIT that is open to all"
        elif bool(row.docs) is not bool(row.hit or row.round > 1):
            problem = (
                "docs are missing, or given for a whole topic in the first round; expected docs"
                " only for HITs and later rounds"
            )
        elif row.assessor and key in seen:
            problem = (
                f"{quoted(row.assessor)} of {quoted(row.group)} already has this assignment on"
                f" line {seen[key]}; expected it once"
            )
        if problem:
            raise InputError(problem, path=table.path, line=line)
        seen[key] = line
