"""Points in the plane with as many names as fit."""

from __future__ import annotations

import math

from qrelsmith.content import Points
from qrelsmith.report.axis import Axis
from qrelsmith.report.canvas import HAIRLINE, SMALL, TINY, Align, Canvas, middle
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import number, shortened, width_of

_WIDTH, _HEIGHT = 560.0, 430.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 58.0, 12.0, 16.0, 44.0
_WIDEST_NAME = 120.0
_RADIUS = 3.2

Box = tuple[float, float, float, float]


@kind(Points)
def points(drawing: Points) -> Canvas | None:
    """Points with names where there is room; every name is in its point's tip."""
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
    _draw_axes(canvas, drawing, across, along)
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
    taken: list[Box] = [(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in middles]
    for (name, x, y), (at_x, at_y) in zip(places, middles, strict=True):
        tip = f"{name}: {number(x, 4)}, {number(y, 4)}"
        canvas.mark(at_x, at_y, "group-0", radius=_RADIUS, tip=tip)
    for (name, _, _), (at_x, at_y) in zip(places, middles, strict=True):
        _draw_name(canvas, name, at_x, at_y, taken, (left, top, right, bottom))
    return canvas


def _draw_name(canvas: Canvas, name: str, x: float, y: float, taken: list[Box], frame: Box) -> None:
    """Write a name beside its point if no place around it is taken."""
    text = shortened(name, _WIDEST_NAME, TINY + 0.5)
    wide, high = width_of(text, TINY + 0.5), TINY + 0.5
    far = _RADIUS + 2.5
    places: tuple[tuple[float, float, Align], ...] = (
        (x + far, y, "left"),
        (x - far, y, "right"),
        (x, y - far - high / 2, "center"),
        (x, y + far + high / 2, "center"),
        (x + 0.7 * far, y - far, "left"),
        (x + 0.7 * far, y + far, "left"),
        (x - 0.7 * far, y - far, "right"),
        (x - 0.7 * far, y + far, "right"),
    )
    for at_x, at_y, align in places:
        begin = at_x - {"left": 0.0, "center": wide / 2, "right": wide}[align]
        box = (begin, at_y - high / 2, begin + wide, at_y + high / 2)
        inside = (
            box[0] >= frame[0] + 1
            and box[1] >= frame[1]
            and box[2] <= frame[2] + 8
            and box[3] <= frame[3] - 1
        )
        if inside and not any(_meet(box, other) for other in taken):
            taken.append(box)
            canvas.text(
                at_x,
                middle(at_y, TINY + 0.5),
                text,
                size=TINY + 0.5,
                fill="muted",
                align=align,
                tip=name if name != text else "",
            )
            return


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _draw_axes(canvas: Canvas, drawing: Points, across: Axis, along: Axis) -> None:
    """Grid, ticks and labels of both axes."""
    bottom = along.start
    for value, text in across.ticks(room=70):
        x = across.at(value)
        canvas.line((x, x), (along.end, bottom), "faint", width=HAIRLINE)
        canvas.text(x, bottom + 12, text, size=SMALL, fill="muted", align="center")
    for value, text in along.ticks(room=50):
        y = along.at(value)
        canvas.line((across.start, across.end), (y, y), "faint", width=HAIRLINE)
        canvas.text(
            across.start - 6, middle(y, SMALL), text, size=SMALL, fill="muted", align="right"
        )
    canvas.line((across.start, across.end), (bottom, bottom), "edge", width=HAIRLINE)
    canvas.line((across.start, across.start), (along.end, bottom), "edge", width=HAIRLINE)
    size = SMALL + 0.5
    canvas.text(
        (across.start + across.end) / 2,
        canvas.height - 12,
        shortened(drawing.x_label, across.end - across.start, size),
        size=size,
        align="center",
    )
    canvas.text(
        14,
        (along.start + along.end) / 2,
        shortened(drawing.y_label, along.start - along.end, size),
        size=size,
        align="center",
        angle=90,
    )
