"""A scatter plot that shows as many names as fit."""

from __future__ import annotations

import math

from qrelsmith.base.content import Points
from qrelsmith.base.figure_text import number
from qrelsmith.report.axis import Axis, draw_plane
from qrelsmith.report.canvas import HAIRLINE, TINY, Canvas, middle
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import shorten, width_of
from qrelsmith.report.placing import Box, spot_beside

_WIDTH, _HEIGHT = 560.0, 430.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 58.0, 12.0, 16.0, 44.0
_WIDEST_NAME = 120.0
_RADIUS = 3.2


@kind(Points)
def points(drawing: Points) -> Canvas | None:
    """Draw points, with names if they fit; the tooltip of each point shows its name."""
    check_lengths(drawing, drawing.names, drawing.x, drawing.y)
    if not drawing.names:
        return None
    canvas = Canvas(_WIDTH, _HEIGHT)
    left, right, top, bottom = _LEFT, _WIDTH - _RIGHT, _TOP, _HEIGHT - _BOTTOM
    if drawing.diagonal:
        both = [*drawing.x, *drawing.y]
        across, along = Axis.over(both, left, right), Axis.over(both, bottom, top)
    else:
        across, along = Axis.over(drawing.x, left, right), Axis.over(drawing.y, bottom, top)
    draw_plane(canvas, across, along, x_label=drawing.x_label, y_label=drawing.y_label)
    if drawing.diagonal:
        ends = (across.low, across.high)
        canvas.line(
            [across.at(end) for end in ends],
            [along.at(end) for end in ends],
            "edge",
            width=HAIRLINE,
            dashes=(6, 5),
        )
    places = [
        (name, x, y)
        for name, x, y in zip(drawing.names, drawing.x, drawing.y, strict=True)
        if math.isfinite(x) and math.isfinite(y)
    ]
    middles = [(across.at(x), along.at(y)) for _, x, y in places]
    taken = [Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in middles]
    for (name, x, y), (at_x, at_y) in zip(places, middles, strict=True):
        tip = f"{name}: {number(x, 4)}, {number(y, 4)}"
        canvas.mark(at_x, at_y, "group-0", radius=_RADIUS, tip=tip)
    frame = Box(left + 1, top, right + 8, bottom - 1)
    for (name, _, _), (at_x, at_y) in zip(places, middles, strict=True):
        _draw_name(canvas, name, at_x, at_y, taken, frame)
    return canvas


def _draw_name(canvas: Canvas, name: str, x: float, y: float, taken: list[Box], frame: Box) -> None:
    """Write a name beside its point if there is free space."""
    size = TINY + 0.5
    text = shorten(name, _WIDEST_NAME, size)
    spot = spot_beside(
        x, y, width_of(text, size), size, far=_RADIUS + 2.5, frame=frame, taken=taken
    )
    if spot is None:
        return
    taken.append(spot.box)
    canvas.text(
        spot.x,
        middle(spot.y, size),
        text,
        size=size,
        fill="muted",
        align=spot.align,
        tip=name if name != text else "",
    )
