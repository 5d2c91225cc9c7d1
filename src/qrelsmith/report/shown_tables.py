"""Tables as a report's page shows them: digits that people read, names that may break."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from qrelsmith.base.content import NamedTable
from qrelsmith.base.figure_text import true_minus
from qrelsmith.base.headings import heading
from qrelsmith.base.tables import NOT_DEFINED, Cell, Table, number_text
from qrelsmith.report.names import stem
from qrelsmith.report.prose import breakable, clean, prose

# Of a longer table the page holds the first rows, and its files the others.
MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell; `exact`, to eight digits, is empty where the text is the number."""

    text: str
    exact: str
    style: str

    @property
    def parts(self) -> list[str]:
        """The text in the parts between which its line may break."""
        return breakable(self.text)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as the page shows it; `command` prints its numbers, and is empty where none does.

    `own` names the columns whose numbers the command does not print: the report's own.
    """

    number: int
    name: str
    title: str
    note: str
    command: str
    own: str
    # Each in the parts between which its line may break.
    columns: Sequence[Sequence[str]]
    numeric: Sequence[bool]
    named_rows: bool
    rows: Sequence[Sequence[ShownCell]]
    total: int


def table_view(named: NamedTable, number: int, campaign: str) -> ShownTable:
    """Return a table with as many digits as people read, the first rows of a long one.

    Its command names the campaign as `campaign` says.
    """
    table = named.table if named.on_page is None else named.on_page
    numeric = [_is_numeric(table, place) for place in range(len(table.columns))]
    decimals = [
        named.decimals.get(name, _decimals(row[place] for row in table.rows))
        for place, name in enumerate(table.columns)
    ]
    return ShownTable(
        number=number,
        name=stem(named.key),
        title=clean(named.title),
        note=prose(_note(named, table)),
        command=_command(named, campaign),
        own=_own(named),
        columns=[breakable(clean(heading(column))) or ["(no name)"] for column in table.columns],
        numeric=numeric,
        named_rows=bool(numeric) and not numeric[0],
        rows=[
            [_cell_view(*cell) for cell in zip(row, numeric, decimals, strict=True)]
            for row in table.rows[:MOST_ROWS]
        ],
        total=len(table.rows),
    )


def _note(named: NamedTable, table: Table) -> str:
    """Return the note, and why something is not defined where that is so."""
    shown = (cell for row in table.rows[:MOST_ROWS] for cell in row)
    if not any(isinstance(cell, float) and math.isnan(cell) for cell in shown):
        return named.note
    why = f"{NOT_DEFINED.capitalize()}: {named.undefined}."
    return f"{named.note} {why}".lstrip()


def _command(named: NamedTable, campaign: str) -> str:
    asked = None if named.answer is None else named.answer.asked
    return "" if asked is None else clean(asked.command(campaign))


def _own(named: NamedTable) -> str:
    first, *rest = [clean(heading(column)) for column in own_columns(named)] or [""]
    return f"{first} and {len(rest)} more columns" if len(rest) > 2 else ", ".join([first, *rest])


def own_columns(named: NamedTable) -> list[str]:
    """Return the columns of a table with a number that is nowhere in its answer's table."""
    if named.answer is None or named.answer.asked is None:
        return []
    printed = {cell for row in named.answer.table().rows for cell in row}
    return [
        column
        for place, column in enumerate(named.table.columns)
        if any(_is_own(row[place], printed) for row in named.table.rows)
    ]


def _is_own(cell: Cell, printed: Set[Cell]) -> bool:
    if not isinstance(cell, int | float) or isinstance(cell, bool):
        return False
    return math.isfinite(cell) and cell not in printed


def _is_numeric(table: Table, place: int) -> bool:
    """Whether a column holds numbers and nothing else but empty cells."""
    cells = [row[place] for row in table.rows if row[place] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells
    )


def _decimals(cells: Iterable[Cell]) -> int | None:
    """No decimals for whole numbers, one for halves, such as ranks; None: what people read."""
    known = [cell for cell in cells if isinstance(cell, float) and math.isfinite(cell)]
    return next((d for d in (0, 1) if all((cell * (d + 1)).is_integer() for cell in known)), None)


def _cell_view(cell: Cell, numeric: bool, decimals: int | None = None) -> ShownCell:
    """Return a cell with as many digits as people read, and the exact number beside it."""
    if not isinstance(cell, float):
        text = "" if cell is None else clean(str(cell))
        return ShownCell(text, "", "n" if numeric else "")
    if math.isnan(cell):
        return ShownCell(NOT_DEFINED, "", "n u")
    exact = repr(float(cell))
    if not math.isfinite(cell):
        return ShownCell(exact, "", "n u")
    text = number_text(cell)
    # One that is not 0 is never shown as 0; adding 0.0 takes the sign from a zero.
    rounded = cell if decimals is None else round(cell, decimals) + 0.0
    if decimals is not None and "e" not in text and (rounded or not cell):
        text = f"{rounded:.{decimals}f}"
    return ShownCell(true_minus(text), f"{cell:.8g}" if float(text) != cell else "", "n")
