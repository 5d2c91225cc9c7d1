"""Shares of a whole, one bar per name."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qrelsmith.base.content import StackedShares
from qrelsmith.base.figure_text import percent
from qrelsmith.report.axis import Axis, Legend
from qrelsmith.report.canvas import HAIRLINE, NAME, SMALL, TINY, Canvas, middle
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import shorten, shortened_names, widest, width_of
from qrelsmith.report.palette import STEPS, step_of_part, writing_on

_WIDTH = 660.0
_WIDEST_NAME = 190.0
_MANY = 26
# With more parts than this, a colour scale replaces the symbols of the legend.
_LEGEND_MOST = 12


@kind(StackedShares)
def stacked_shares(drawing: StackedShares) -> Canvas | None:
    """Draw a bar for each name, with the lowest part on the left; write shares if they fit."""
    check_lengths(drawing, drawing.names, drawing.shares)
    check_lengths(drawing, drawing.parts, *drawing.shares)
    if not drawing.names or not drawing.parts:
        return None
    many = len(drawing.names) >= _MANY
    pitch, size = (12.6, SMALL) if many else (21.0, NAME)
    names = shortened_names(drawing.names, _WIDEST_NAME, size)
    axis = Axis(0.0, 1.0, widest(names, size) + 14, _WIDTH - 16)
    roles = [step_of_part(part, len(drawing.parts)) for part in range(len(drawing.parts))]
    few = len(drawing.parts) <= _LEGEND_MOST
    legend = Legend.of(drawing.parts if few else (), axis.end - axis.start)
    top = (legend.height if few else 16) + 10
    bottom = top + len(names) * pitch
    canvas = Canvas(_WIDTH, bottom + 40)
    if few:
        for (x, y), role in zip(legend.draw(canvas, axis.start, 0), roles, strict=True):
            canvas.rectangle(x - 4, y - 4, 9, 8, role, stroke="edge")
    else:
        _draw_scale(canvas, drawing, axis.start)
    for row, (full, name, shares) in enumerate(
        zip(drawing.names, names, drawing.shares, strict=True)
    ):
        y = top + row * pitch
        canvas.text(
            axis.start - 8,
            middle(y + pitch / 2, size),
            name,
            size=size,
            align="right",
            tip=full if full != name else "",
        )
        _draw_bar(canvas, drawing, axis, full, shares, roles, y + 0.08 * pitch, 0.84 * pitch)
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = axis.at(share)
        canvas.line((x, x), (bottom + 1, bottom + 4), "edge", width=HAIRLINE)
        canvas.text(x, bottom + 14, percent(share), size=SMALL, fill="muted", align="center")
    label = shorten(drawing.label, axis.end - axis.start, SMALL + 0.5)
    canvas.text((axis.start + axis.end) / 2, bottom + 30, label, size=SMALL + 0.5, align="center")
    return canvas


def _draw_bar(
    canvas: Canvas,
    drawing: StackedShares,
    axis: Axis,
    name: str,
    shares: Sequence[float],
    roles: list[str],
    y: float,
    height: float,
) -> None:
    """Draw the parts of one bar."""
    if not all(math.isfinite(value) for value in shares):
        canvas.text(
            axis.start + 2, middle(y + height / 2, SMALL), "no data", size=SMALL, fill="muted"
        )
        return
    begin = 0.0
    for part, share, role in zip(drawing.parts, shares, roles, strict=True):
        x, wide = axis.at(begin), axis.at(begin + share) - axis.at(begin)
        begin += share
        if wide <= 0:
            continue
        text = percent(share)
        tip = f"{name}, {part}: {percent(share, 2)}"
        canvas.rectangle(x, y, wide, height, role, stroke="paper" if wide > 2 else "", tip=tip)
        if height >= TINY + 1.5 and wide >= width_of(text, TINY + 0.5) + 5:
            canvas.text(
                x + wide / 2,
                middle(y + height / 2, TINY + 0.5),
                text,
                size=TINY + 0.5,
                fill=writing_on(role),
                align="center",
                tip=tip,
            )


def _draw_scale(canvas: Canvas, drawing: StackedShares, left: float) -> None:
    """Draw the names of the lowest and highest part, with the colours between them."""
    low, high = (shorten(drawing.parts[end], 120, SMALL) for end in (0, -1))
    canvas.text(left, 11, low, size=SMALL, fill="muted")
    x = left + width_of(low, SMALL) + 6
    for step in range(4, STEPS - 2):
        canvas.rectangle(x + 5 * (step - 4), 4, 5.3, 8, f"seq-{step}")
    canvas.text(x + 5 * (STEPS - 6) + 6, 11, high, size=SMALL, fill="muted")
