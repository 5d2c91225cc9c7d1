"""Points with intervals, one below the other."""

from __future__ import annotations

import math

from qrelsmith.base.content import Intervals
from qrelsmith.base.figure_text import number
from qrelsmith.report.axis import Axis, Legend, draw_reference, draw_value_axis
from qrelsmith.report.canvas import NAME, SMALL, Canvas, middle
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import decimals_for, shortened_names, widest
from qrelsmith.report.palette import GROUPS

_WIDTH = 660.0
_WIDEST_NAME = 190.0
# From this number of rows on, they are closer and the axis is also shown above them.
_MANY = 26


@kind(Intervals)
def intervals(drawing: Intervals) -> Canvas | None:
    """Draw a row for each name: name, point with its interval on an axis, and numbers."""
    check_lengths(drawing, drawing.names, drawing.values, drawing.lows, drawing.highs)
    if drawing.groups:
        check_lengths(drawing, drawing.names, drawing.groups)
    if not drawing.names:
        return None
    many = len(drawing.names) >= _MANY
    pitch, size = (12.6, SMALL) if many else (17.0, NAME)
    names = shortened_names(drawing.names, _WIDEST_NAME, size)
    numbers = _numbers(drawing)
    bounds = [*drawing.values, *drawing.lows, *drawing.highs]
    if drawing.reference is not None:
        bounds.append(drawing.reference)
    axis = Axis.over(bounds, widest(names, size) + 14, _WIDTH - widest(numbers, size - 0.5) - 18)
    groups = list(dict.fromkeys(drawing.groups))
    legend = Legend.of(groups, axis.end - axis.start)
    top = (
        legend.height + (8 if groups else 0) + (18 if many or drawing.reference is not None else 6)
    )
    bottom = top + len(names) * pitch + 3
    canvas = Canvas(_WIDTH, bottom + 36)
    for row in range(0, len(names), 2):
        canvas.rectangle(0, top + row * pitch, _WIDTH, pitch, "panel")
    draw_value_axis(canvas, axis, top=top, bottom=bottom, label=drawing.label, twice=many)
    if drawing.reference is not None:
        draw_reference(canvas, axis, drawing.reference, top, bottom, many)
    signs = legend.draw(canvas, axis.start, 0)
    for place, (x, y) in enumerate(signs):
        canvas.mark(x, y, f"group-{place % GROUPS}", shape=place)
    rows = zip(
        drawing.names, names, numbers, drawing.values, drawing.lows, drawing.highs, strict=True
    )
    for row, (full, name, text, value, low, high) in enumerate(rows):
        y = top + (row + 0.5) * pitch
        group = groups.index(drawing.groups[row]) if groups else 0
        role = f"group-{group % GROUPS}"
        tip = f"{full}: {text}" + (f" ({drawing.groups[row]})" if groups else "")
        canvas.text(axis.start - 10, middle(y, size), name, size=size, align="right", tip=tip)
        if not (math.isnan(low) or math.isnan(high)):
            canvas.line((axis.at(low), axis.at(high)), (y, y), role, width=1.5, tip=tip)
        if not math.isnan(value):
            canvas.mark(axis.at(value), y, role, shape=group, radius=3.0, tip=tip)
        canvas.text(_WIDTH - 4, middle(y, size), text, size=size - 0.5, fill="muted", align="right")
    return canvas


def _numbers(drawing: Intervals) -> list[str]:
    """Return the numbers to write at the end of each row."""
    decimals = decimals_for([*drawing.values, *drawing.lows, *drawing.highs])
    return [
        number(value, decimals)
        + (
            ""
            if math.isnan(low) or math.isnan(high)
            else f"  [{number(low, decimals)}, {number(high, decimals)}]"
        )
        for value, low, high in zip(drawing.values, drawing.lows, drawing.highs, strict=True)
    ]
