"""Tables and their output formats."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qrelsmith.base.emphasis import Emphasised, is_bold
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.headings import heading
from qrelsmith.base.markup import latex_text, markdown_text
from qrelsmith.base.notebook import MOST_ROWS, html_table
from qrelsmith.base.optional import optional_package
from qrelsmith.base.plain_tables import plain_text
from qrelsmith.base.registry import Registry
from qrelsmith.base.spreadsheets import without_formula

Cell = str | int | float | bool | None
FormatFunction = Callable[["Table"], str]

FORMATS: Registry[FormatFunction] = Registry("format", arguments=("table",))

# Number of digits shown to people; files for programs have all digits.
_SHOWN_DIGITS = 4
# Smaller numbers would be shown as zero.
_LEAST_SHOWN = 0.5 * 10**-_SHOWN_DIGITS
_GREATEST_SHOWN = 1e12

NOT_DEFINED = "not defined"
"""The text for people in place of nan."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under one header.

    Attributes
    ----------
    columns : tuple of str
        The header.
    rows : tuple of tuple
        Text, numbers, or None for an empty cell; nan is shown to people as "not defined".
    notes : tuple of str
        Notes on the rows for readers, one sentence each; the output formats do not include them.

    Examples
    --------
    >>> table = Table.of(["run", "score"], [["b", 0.5], ["a", 0.25]])
    >>> print(table.sorted())
    run   score
    ───  ──────
    a    0.2500
    b    0.5000
    >>> list(table.to_pandas()["score"])
    [0.5, 0.25]
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, notes: Iterable[str] = ()
    ) -> Table:
        """Create a table from rows, in the given order.

        Raises
        ------
        UsageError
            If a row and the header differ in length.
        """
        kept = tuple(tuple(row) for row in rows)
        for row in kept:
            if len(row) != len(columns):
                raise UsageError(f"the row {quoted(row)} does not fit the header {list(columns)}")
        return cls(columns=tuple(columns), rows=kept, notes=tuple(notes))

    def sorted(self) -> Table:
        """Return the table with rows sorted by their cells from the left, numbers by size."""
        return replace(self, rows=tuple(sorted(self.rows, key=_sort_key)))

    def text(self, form: str) -> str:
        """Return the table in a format: table, csv, spreadsheet, jsonl, markdown, latex or html."""
        named = FORMATS.get(form)
        text: str = named(self)
        return text

    def plain(
        self, *, width: int | None = None, paint: Callable[[str, str], str] | None = None
    ) -> str:
        """Return aligned columns for people, optionally fitted to a width.

        `paint` colours a cell, given the heading and the cell's text.
        """
        cells = [[_cell_text(cell) for cell in row] for row in self.rows]
        headings = list(map(heading, self.columns))
        return plain_text(headings, cells, numeric=_numeric_columns(self), width=width, paint=paint)

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame with the same columns.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        pandas = optional_package("pandas", purpose="a pandas data frame")
        return pandas.DataFrame(self._cells())

    def to_polars(self) -> Any:
        """Return a polars DataFrame; see `to_pandas`."""
        polars = optional_package("polars", purpose="a polars data frame")
        return polars.DataFrame(self._cells())

    def __str__(self) -> str:
        return self.text("table").rstrip("\n") + "".join(f"\nnote: {note}" for note in self.notes)

    def _repr_html_(self, *, title: str = "") -> str:
        return self.html(title=title, notes=self.notes, most=MOST_ROWS)

    def html(self, *, title: str = "", notes: Sequence[str] = (), most: int | None = None) -> str:
        """Return the table as HTML, or its first rows with the number of the remaining rows."""
        return html_table(
            list(map(heading, self.columns)),
            [[_cell_text(cell) for cell in row] for row in self.rows[:most]],
            right=_numeric_columns(self),
            bold=[list(map(is_bold, row)) for row in self.rows[:most]],
            title=title,
            notes=notes,
            total=len(self.rows),
        )

    def _cells(self) -> dict[str, list[Cell]]:
        """Return columns of one type each: text if any cell is text, floats if any is a float."""
        if len(set(self.columns)) < len(self.columns):
            raise UsageError(
                f"two columns of {list(self.columns)} have the same name; expected different names"
            )
        columns: dict[str, list[Cell]] = {}
        for place, name in enumerate(self.columns):
            cells = [row[place] for row in self.rows]
            make: Callable[[Any], Cell] | None = None
            if _holds(cells, str):
                make = _exact
            elif _holds(cells, float):
                make = float
            columns[name] = [cell if cell is None or make is None else make(cell) for cell in cells]
        return columns


def number_text(value: float) -> str:
    """Format a number with few digits for people; a number other than 0 is never shown as 0.

    >>> number_text(0.00001), number_text(math.nan)
    ('1.00e-05', 'not defined')
    """
    if math.isnan(value):
        return NOT_DEFINED
    if not math.isfinite(value):
        return repr(float(value))
    size = abs(value)
    if size >= _GREATEST_SHOWN or 0 < size < _LEAST_SHOWN:
        return f"{value:.2e}"
    return f"{value:.{_SHOWN_DIGITS}f}"


@FORMATS.add("table")
def _plain(table: Table) -> str:
    """Return aligned columns for people."""
    return table.plain()


@FORMATS.add("csv")
def _csv(table: Table) -> str:
    """Return comma-separated values with all digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_exact(cell) for cell in row] for row in table.rows)
    return out.getvalue()


@FORMATS.add("spreadsheet")
def _spreadsheet(table: Table) -> str:
    """Return CSV that is safe to open in a spreadsheet."""
    rows = [
        tuple(without_formula(cell) if isinstance(cell, str) else cell for cell in row)
        for row in table.rows
    ]
    return _csv(Table(tuple(map(without_formula, table.columns)), tuple(rows)))


@FORMATS.add("jsonl")
def _jsonl(table: Table) -> str:
    """Return one JSON object per row, with null for nan, which JSON does not have."""
    return "".join(
        json.dumps(
            {
                name: None if isinstance(cell, float) and not math.isfinite(cell) else cell
                for name, cell in zip(table.columns, row, strict=True)
            },
            ensure_ascii=False,
        )
        + "\n"
        for row in table.rows
    )


@FORMATS.add("markdown")
def _markdown(table: Table) -> str:
    """Return a Markdown table for a README."""

    def line(cells: Iterable[Cell]) -> str:
        texts = ((cell, markdown_text(_cell_text(cell))) for cell in cells)
        shown = (f"**{text}**" if is_bold(cell) else text for cell, text in texts)
        return "| " + " | ".join(shown) + " |\n"

    body = "".join(map(line, table.rows))
    return line(map(heading, table.columns)) + "|" + " --- |" * len(table.columns) + "\n" + body


@FORMATS.add("latex")
def _latex(table: Table) -> str:
    """Return a tabular environment in the style of the package booktabs."""

    def line(cells: Iterable[Cell]) -> str:
        texts = ((cell, latex_text(_cell_text(cell))) for cell in cells)
        row = " & ".join(f"\\textbf{{{text}}}" if is_bold(cell) else text for cell, text in texts)
        # TeX would read a star or bracket after `\\\\` as an argument, even on the next line.
        return ("{}" if row.startswith(("*", "[")) else "") + row + r" \\" + "\n"

    numeric = _numeric_columns(table)
    sides = "".join("r" if place in numeric else "l" for place in range(len(table.columns)))
    body = "".join(map(line, table.rows))
    return (
        f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n"
        + line(map(heading, table.columns))
        + "\\midrule\n"
        + body
        + "\\bottomrule\n\\end{tabular}\n"
    )


@FORMATS.add("html")
def _html(table: Table) -> str:
    """Return a table element for a page."""
    return table.html() + "\n"


def _numeric_columns(table: Table) -> frozenset[int]:
    """Return the indices of columns with numbers only; empty for a table without rows."""
    return frozenset(
        place
        for place in range(len(table.columns))
        if table.rows and all(_is_number(row[place]) for row in table.rows)
    )


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _holds(cells: Sequence[Cell], kind: type) -> bool:
    return any(isinstance(cell, kind) for cell in cells)


def _exact(cell: Cell) -> str:
    """Return a cell with all digits."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def _cell_text(cell: Cell) -> str:
    """Return a cell as shown to people."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return number_text(cell) + (cell.mark if isinstance(cell, Emphasised) else "")
    text = _exact(cell)
    # A name may contain terminal control characters, which are shown as escapes.
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(letter: str) -> str:
    """Return a character, or its escape if it is unprintable."""
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")


def _sort_key(row: Sequence[Cell]) -> list[tuple[int, float, str]]:
    """Return a sort key for all kinds of cells: numbers, nan, text."""
    return [
        (2, 0.0, str(cell or ""))
        if not isinstance(cell, int | float)
        else (1, 0.0, "")
        if math.isnan(cell)
        else (0, float(cell), "")
        for cell in row
    ]
