"""A table, and the forms in which it is written."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from qrelsmith.errors import UsageError, quoted
from qrelsmith.registry import Registry

Cell = str | int | float | bool | None
FormatFunction = Callable[["Table"], str]

FORMATS: Registry[FormatFunction] = Registry("format")

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
# How many digits people are shown; files for programs hold them all.
_SHOWN_DIGITS = 4
# Below this a number would be shown as zero.
_LEAST_SHOWN = 0.5 * 10**-_SHOWN_DIGITS
_GREATEST_SHOWN = 1e12


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under one header.

    Attributes
    ----------
    columns : tuple of str
        The header.
    rows : tuple of tuple
        Text, numbers, or None for an empty cell; nan is shown as `nan`.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
        """A table of rows as they come.

        Raises
        ------
        UsageError
            If a row has another width than the header.
        """
        kept = tuple(tuple(row) for row in rows)
        for row in kept:
            if len(row) != len(columns):
                raise UsageError(f"the row {quoted(row)} does not fit the header {list(columns)}")
        return cls(columns=tuple(columns), rows=kept)

    def sorted(self) -> Table:
        """The same table with its rows sorted by their cells from the left, numbers by size."""
        return Table(columns=self.columns, rows=tuple(sorted(self.rows, key=_sort_key)))

    def text(self, form: str) -> str:
        """The table in one of `FORMATS`."""
        named = FORMATS.get(form)
        text: str = named(self)
        return text


def shown_number(value: float) -> str:
    """A number with as many digits as people read; one that is not 0 is never shown as 0."""
    if not math.isfinite(value):
        return repr(float(value))
    size = abs(value)
    if size >= _GREATEST_SHOWN or 0 < size < _LEAST_SHOWN:
        return f"{value:.2e}"
    return f"{value:.{_SHOWN_DIGITS}f}"


@FORMATS.add("table")
def _plain(table: Table) -> str:
    """Aligned columns for people."""
    cells = [[_shown(cell) for cell in row] for row in table.rows]
    numeric = [
        bool(table.rows) and all(isinstance(row[place], int | float) for row in table.rows)
        for place in range(len(table.columns))
    ]
    widths = [
        max([len(name), *(len(row[place]) for row in cells)])
        for place, name in enumerate(table.columns)
    ]

    def line(values: Sequence[str]) -> str:
        padded = [
            value.rjust(width) if right else value.ljust(width)
            for value, width, right in zip(values, widths, numeric, strict=True)
        ]
        return "  ".join(padded).rstrip() + "\n"

    rule = "  ".join("─" * width for width in widths) + "\n"
    return line(table.columns) + rule + "".join(line(row) for row in cells)


@FORMATS.add("csv")
def _csv(table: Table) -> str:
    """Comma-separated values with every digit."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_exact(cell) for cell in row] for row in table.rows)
    return out.getvalue()


@FORMATS.add("jsonl")
def _jsonl(table: Table) -> str:
    """One JSON object a row; nan is null, since JSON has no nan."""
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
    """A table for a README."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    body = "".join(line(_shown(cell) for cell in row) for row in table.rows)
    return line(table.columns) + "|" + " --- |" * len(table.columns) + "\n" + body


@FORMATS.add("latex")
def _latex(table: Table) -> str:
    """A tabular environment in the style of the package booktabs."""

    def line(cells: Iterable[str]) -> str:
        escaped = ("".join(_LATEX.get(letter, letter) for letter in cell) for cell in cells)
        return " & ".join(escaped) + r" \\" + "\n"

    sides = "".join(
        "r"
        if table.rows and all(isinstance(row[place], int | float) for row in table.rows)
        else "l"
        for place in range(len(table.columns))
    )
    body = "".join(line(_shown(cell) for cell in row) for row in table.rows)
    return (
        f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n"
        + line(table.columns)
        + "\\midrule\n"
        + body
        + "\\bottomrule\n\\end{tabular}\n"
    )


def _exact(cell: Cell) -> str:
    """A cell with every digit."""
    if cell is None:
        return ""
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def _shown(cell: Cell) -> str:
    """A cell as people are shown it."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return shown_number(cell)
    text = str(cell)
    # A name may hold what would steer a terminal; people are shown it, not the terminal.
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(letter: str) -> str:
    """A character, or its escape if it cannot be seen."""
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")


def _sort_key(row: Sequence[Cell]) -> list[tuple[int, float, str]]:
    """Cells in an order that all kinds of cells have: numbers, nan, text."""
    return [
        (2, 0.0, str(cell or ""))
        if not isinstance(cell, int | float)
        else (1, 0.0, "")
        if math.isnan(cell)
        else (0, float(cell), "")
        for cell in row
    ]
