"""A matrix as coloured cells."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qrelsmith.base.content import HeatMap
from qrelsmith.base.errors import UsageError
from qrelsmith.base.figure_text import number
from qrelsmith.report.canvas import HAIRLINE, NAME, SMALL, TINY, Canvas, middle, reach
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import shorten, shortened_names, widest, width_of
from qrelsmith.report.palette import STEPS, step_of, writing_on

_WIDTH = 700.0
_WIDEST_NAME = 165.0
_CELL_MOST, _CELL_LEAST = 46.0, 9.5
_ROW_MOST, _ROW_LEAST = 30.0, 9.5
_TALL = 620.0
# If there are more columns, they are narrow and only some are named.
_COLUMNS_MOST = 72
_NARROW_LEAST, _NARROW_ROW = 3.0, 16.0
# With more cells the drawing would be too large with a tip for each cell.
_TIPS = 2_500
_TIPS_BESIDE = 200  # if the values are written, too
_MIRRORED_LEAST = 6  # rows
_BAR_WIDTH, _BAR_HEIGHT = 200.0, 8.0
_DOT = 2.4


@kind(HeatMap)
def heat_map(drawing: HeatMap) -> Canvas | None:
    """Draw the matrix with names, dots, the scale and, if they fit, values in the cells."""
    check_lengths(drawing, drawing.rows, drawing.values)
    check_lengths(drawing, drawing.columns, *drawing.values)
    _check_marks(drawing)
    if not drawing.rows or not drawing.columns:
        return None
    rows, columns = len(drawing.rows), len(drawing.columns)
    narrow = columns > _COLUMNS_MOST
    rough = _TALL / rows if narrow else min(_TALL / rows, _WIDTH / columns)
    size = NAME if rough >= 13 and not narrow else SMALL if rough >= 11 else TINY
    row_names = shortened_names(drawing.rows, _WIDEST_NAME, size)
    column_names = shortened_names(drawing.columns, _WIDEST_NAME, size)
    left = widest(row_names, size) + 10
    cell = min(max((_WIDTH - left - 40) / columns, _CELL_LEAST), _CELL_MOST)
    height = min(cell, max(_ROW_LEAST, min(_ROW_MOST, _TALL / rows)))
    if narrow:
        cell = max((_WIDTH - left) / columns, _NARROW_LEAST)
        height = max(_ROW_LEAST, min(_NARROW_ROW, _TALL / rows))
    every, angle = _naming(column_names, cell, size, narrow)
    first = _first_named(drawing.columns, every)
    over, up = zip(*(reach(width_of(name, size), angle) for name in column_names), strict=True)
    top = max(up) + size + 8
    right = left + columns * cell
    bottom = top + rows * height
    label = shorten(drawing.label, 260, SMALL + 0.5)
    spill = max(
        left + (place + 0.5) * cell + (over[place] if angle else over[place] / 2)
        for place in range(first, columns, every)
    )
    wide = max(right + 6, spill + 6, left + _BAR_WIDTH + 24 + width_of(label, SMALL + 0.5))
    canvas = Canvas(wide, bottom + 42)
    decimals = 2 if _largest(drawing) < 10 else 1 if _largest(drawing) < 100 else 0
    mirrored = _is_mirrored(drawing)
    cells: list[tuple[str, float, float, str]] = []
    values_written: list[tuple[str, float, float, str]] = []
    written = height >= TINY + 2 and cell >= _widest_value(drawing, decimals) + 4
    for row, (name, values) in enumerate(zip(row_names, drawing.values, strict=True)):
        y = top + row * height
        canvas.text(
            left - 6,
            middle(y + height / 2, size),
            name,
            size=size,
            align="right",
            tip=drawing.rows[row] if name != drawing.rows[row] else "",
        )
        # Only one half of a symmetric matrix is drawn.
        for column, value in enumerate(values[: row + 1] if mirrored else values):
            x = left + column * cell
            if math.isnan(value):
                canvas.rectangle(x, y, cell, height, "panel", stroke="paper")
                canvas.line((x + 3, x + cell - 3), (y + height - 3, y + 3), "rule")
                continue
            role = step_of(value, drawing.low, drawing.high)
            tip = f"{drawing.rows[row]} × {drawing.columns[column]}: {number(value, 4)}"
            tip = tip if rows * columns <= (_TIPS_BESIDE if written else _TIPS) else ""
            cells.append((role, x, y, tip))
            if written:
                at = x + cell / 2, middle(y + height / 2, TINY + 0.5)
                values_written.append((writing_on(role), *at, number(value, decimals)))
    # Cells of the same colour are drawn one after the other, so that they are written together.
    for role, x, y, tip in sorted(cells):
        canvas.rectangle(x, y, cell, height, role, stroke="" if narrow else "paper", tip=tip)
    for fill, x, y, text in sorted(values_written):
        canvas.text(x, y, text, size=TINY + 0.5, fill=fill, align="center")
    for row, column in drawing.marks:
        x, y = left + (column + 0.5) * cell, top + (row + (0.2 if written else 0.5)) * height
        shown = number(drawing.values[row][column], 4)
        tip = f"{drawing.rows[row]} × {drawing.columns[column]}: {shown}"
        canvas.mark(x, y, "ink", radius=min(_DOT, 0.4 * height), tip=tip)
    for column in range(first, columns, every):
        name = column_names[column]
        x = left + (column + 0.5) * cell
        canvas.text(
            x + (0.36 * size if angle == 90 else 0.2 * size if angle else 0),
            top - 6,
            name,
            size=size,
            align="left" if angle else "center",
            angle=angle,
            tip=drawing.columns[column] if name != drawing.columns[column] else "",
        )
    _draw_scale(canvas, drawing, left, bottom + 14)
    canvas.text(left + _BAR_WIDTH + 14, bottom + 22, label, size=SMALL + 0.5)
    return canvas


def _is_mirrored(drawing: HeatMap) -> bool:
    """Return whether the matrix is symmetric and large enough to draw only one half."""
    size = len(drawing.rows)
    return (
        size >= _MIRRORED_LEAST
        and not drawing.marks
        and list(drawing.rows) == list(drawing.columns)
        and all(
            one == other or (math.isnan(one) and math.isnan(other))
            for row in range(size)
            for one, other in zip(
                drawing.values[row][:row],
                (drawing.values[column][row] for column in range(row)),
                strict=True,
            )
        )
    )


def _check_marks(drawing: HeatMap) -> None:
    for row, column in drawing.marks:
        if not (0 <= row < len(drawing.rows) and 0 <= column < len(drawing.columns)):
            raise UsageError(
                f"a mark is at row {row}, column {column}; expected rows from 0 to "
                f"{len(drawing.rows) - 1} and columns from 0 to {len(drawing.columns) - 1}"
            )


def _naming(names: list[str], cell: float, size: float, narrow: bool) -> tuple[int, float]:
    """Return the step between shown column names, and the rotation at which the names fit."""
    needed = widest(names, size) + 5
    if not narrow:
        return 1, 0.0 if needed <= cell else 45.0 if cell >= 1.6 * size else 90.0
    for every in (1, 2, 5, 10):
        if every * cell >= needed:
            return every, 0.0
    return math.ceil((size + 2) / cell), 90.0


def _first_named(columns: Sequence[str], every: int) -> int:
    """Return the index of the first column name to show.

    If all names are consecutive numbers, the first number shown is a multiple of `every`.
    """
    if not all(name.isdecimal() for name in columns):
        return 0
    start = int(columns[0])
    consecutive = [int(name) for name in columns] == [*range(start, start + len(columns))]
    return -start % every if consecutive else 0


def _largest(drawing: HeatMap) -> float:
    return max((abs(v) for row in drawing.values for v in row if math.isfinite(v)), default=0.0)


def _widest_value(drawing: HeatMap, decimals: int) -> float:
    """Return the width of the widest value."""
    texts = (number(v, decimals) for row in drawing.values for v in row if not math.isnan(v))
    return widest(texts, TINY + 0.5)


def _draw_scale(canvas: Canvas, drawing: HeatMap, left: float, top: float) -> None:
    """Draw the colour scale, with its lowest and highest values."""
    low, high = drawing.low, drawing.high
    pieces = STEPS
    wide = _BAR_WIDTH / pieces
    for piece in range(pieces):
        value = low + (high - low) * (piece + 0.5) / pieces
        canvas.rectangle(
            left + piece * wide, top, wide + 0.4, _BAR_HEIGHT, step_of(value, low, high)
        )
    decimals = 0 if float(low).is_integer() and float(high).is_integer() else 2
    marks = [(0.0, low), (1.0, high)]
    if low < 0 < high:
        share = -low / (high - low)
        if 0.12 < share < 0.88:
            marks.insert(1, (share, 0.0))
    for share, value in marks:
        x = left + share * _BAR_WIDTH
        canvas.line((x, x), (top + _BAR_HEIGHT, top + _BAR_HEIGHT + 3), "edge", width=HAIRLINE)
        canvas.text(
            x,
            top + _BAR_HEIGHT + 12,
            number(value, decimals),
            size=SMALL,
            fill="muted",
            align="center",
        )
