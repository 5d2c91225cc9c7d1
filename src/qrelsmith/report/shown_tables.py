"""Tables for the page of a report, with rounded numbers and breakable names."""

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

# The page shows at most this many rows of a table; its files have all rows.
MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell; `exact` is the value with eight digits, or empty if the text is exact."""

    text: str
    exact: str
    style: str

    @property
    def parts(self) -> list[str]:
        """The text, split at possible line breaks."""
        return breakable(self.text)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table for the page; `command` is the command that prints the numbers, or empty.

    `own` names the columns whose numbers the command does not print.
    """

    number: int
    name: str
    title: str
    note: str
    command: str
    own: str
    # Each name is split at possible line breaks.
    columns: Sequence[Sequence[str]]
    numeric: Sequence[bool]
    named_rows: bool
    rows: Sequence[Sequence[ShownCell]]
    total: int


def table_view(named: NamedTable, number: int, campaign: str) -> ShownTable:
    """Return a table with rounded numbers, and only the first rows of a long table.

    The table's command uses `campaign` as the name of the campaign.
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
    """Return the table's note, which includes the reason for undefined values if any are shown."""
    shown = (cell for row in table.rows[:MOST_ROWS] for cell in row)
    if not any(isinstance(cell, float) and math.isnan(cell) for cell in shown):
        return named.note
    why = f"A value is {NOT_DEFINED} if {named.undefined}."
    return f"{named.note} {why}".lstrip()


def _command(named: NamedTable, campaign: str) -> str:
    asked = None if named.answer is None else named.answer.asked
    return "" if asked is None else clean(asked.command(campaign))


def _own(named: NamedTable) -> str:
    names = [f"‘{clean(heading(column))}’" for column in own_columns(named)]
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 2 else " and ".join(names)


def own_columns(named: NamedTable) -> list[str]:
    """Return the columns with a number that the table's command does not print."""
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
    """Return whether a column has only numbers and empty cells."""
    cells = [row[place] for row in table.rows if row[place] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells
    )


def _decimals(cells: Iterable[Cell]) -> int | None:
    """Return the decimals: 0 for whole numbers, 1 for halves (such as ranks), else None."""
    known = [cell for cell in cells if isinstance(cell, float) and math.isfinite(cell)]
    return next((d for d in (0, 1) if all((cell * (d + 1)).is_integer() for cell in known)), None)


def _cell_view(cell: Cell, numeric: bool, decimals: int | None = None) -> ShownCell:
    """Return a cell with the rounded and the exact number."""
    if not isinstance(cell, float):
        text = "" if cell is None else clean(str(cell))
        return ShownCell(text, "", "n" if numeric else "")
    if math.isnan(cell):
        return ShownCell(NOT_DEFINED, "", "n u")
    exact = repr(float(cell))
    if not math.isfinite(cell):
        return ShownCell(exact, "", "n u")
    text = number_text(cell)
    # A number other than 0 is never shown as 0. Adding 0.0 removes the sign of a zero.
    rounded = cell if decimals is None else round(cell, decimals) + 0.0
    if decimals is not None and "e" not in text and (rounded or not cell):
        text = f"{rounded:.{decimals}f}"
    return ShownCell(true_minus(text), f"{cell:.8g}" if float(text) != cell else "", "n")
