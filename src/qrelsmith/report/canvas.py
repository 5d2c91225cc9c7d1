"""A sheet on which charts are drawn; coordinates are in points from the top left corner.

A sheet consists of the few kinds of shapes that figures need, coloured by role (see `palette`), in
drawing order. The modules `svg` and `pdf` write the shapes. A shape can have a tip: a text shown
when the pointer rests on the shape.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from qrelsmith.report.lettering import plain

Align = Literal["left", "center", "right"]

# Font sizes in points.
NAME, SMALL, TINY = 9.5, 9.0, 8.25
HAIRLINE, THIN, STRONG = 0.5, 0.9, 1.8

# The width of the outline that separates a mark from the shapes below it.
_RIM = 0.7
# Corners in units of the radius: shapes that can be distinguished without colour.
_SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, -1.2), (1.15, 0.85), (-1.15, 0.85)),
    ((0, 1.2), (1.15, -0.85), (-1.15, -0.85)),
    ((-1.2, 0), (0.85, -1.15), (0.85, 1.15)),
    ((1.2, 0), (-0.85, -1.15), (-0.85, 1.15)),
)
SHAPES = len(_SHAPES)


@dataclass(frozen=True, slots=True)
class Surface:
    """A filled rectangle or polygon; if `stroke` is empty, there is no outline."""

    points: tuple[tuple[float, float], ...]
    fill: str
    stroke: str = ""
    width: float = 0.0
    opacity: float = 1.0
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle with an outline in the colour of the paper."""

    x: float
    y: float
    radius: float
    fill: str
    width: float = _RIM
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points; a nan interrupts the line."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float
    dashes: tuple[float, ...] = ()
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text on the baseline y that begins, is centred or ends at x."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    align: Align
    bold: bool = False
    angle: float = 0.0
    tip: str = ""


Shape = Surface | Disc | Stroke | Words


class Canvas:
    """An empty sheet.

    Parameters
    ----------
    width, height : float
        Its size in points.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = math.ceil(width)
        self.height = math.ceil(height)
        self.shapes: list[Shape] = []

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        *,
        stroke: str = "",
        opacity: float = 1.0,
        tip: str = "",
    ) -> None:
        """Draw a rectangle with its top left corner at (x, y)."""
        right, bottom = x + width, y + height
        corners = ((x, y), (right, y), (right, bottom), (x, bottom))
        rim = HAIRLINE if stroke else 0.0
        self.shapes.append(Surface(corners, fill, stroke, rim, opacity, plain(tip)))

    def area(
        self,
        xs: Sequence[float],
        lows: Sequence[float],
        highs: Sequence[float],
        fill: str,
        *,
        opacity: float,
    ) -> None:
        """Draw a translucent area between two lines over the same x values."""
        corners = (*zip(xs, lows, strict=True), *reversed([*zip(xs, highs, strict=True)]))
        self.shapes.append(Surface(corners, fill, opacity=opacity))

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        stroke: str,
        *,
        width: float = HAIRLINE,
        dashes: Sequence[float] = (),
        tip: str = "",
    ) -> None:
        """Draw a line through points; a nan interrupts the line."""
        points = tuple(zip(xs, ys, strict=True))
        self.shapes.append(Stroke(points, stroke, width, tuple(dashes), plain(tip)))

    def mark(
        self, x: float, y: float, fill: str, *, shape: int = 0, radius: float = 3.2, tip: str = ""
    ) -> None:
        """Draw a mark centred at (x, y), with an outline that separates it from the background."""
        corners = _SHAPES[shape % SHAPES]
        if corners:
            points = tuple((x + radius * right, y + radius * down) for right, down in corners)
            self.shapes.append(Surface(points, fill, "paper", _RIM, tip=plain(tip)))
        else:
            self.shapes.append(Disc(x, y, radius, fill, tip=plain(tip)))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = NAME,
        fill: str = "ink",
        align: Align = "left",
        bold: bool = False,
        angle: float = 0.0,
        tip: str = "",
    ) -> None:
        """Draw a line of text on the baseline y that begins, is centred or ends at x."""
        text = plain(text)
        if text.strip():
            self.shapes.append(Words(x, y, text, size, fill, align, bold, angle, plain(tip)))

    def place(self, other: Canvas, x: float, y: float) -> None:
        """Place another sheet with its top left corner at (x, y)."""
        for shape in other.shapes:
            if isinstance(shape, Surface | Stroke):
                moved = tuple((right + x, down + y) for right, down in shape.points)
                self.shapes.append(replace(shape, points=moved))
            else:
                self.shapes.append(replace(shape, x=shape.x + x, y=shape.y + y))


def middle(y: float, size: float) -> float:
    """Return the baseline of a text that is centred vertically at y."""
    return y + 0.36 * size


def reach(width: float, angle: float) -> tuple[float, float]:
    """Return how far a rotated text of this width extends to the right and upwards."""
    turn = math.radians(angle)
    return width * math.cos(turn), width * math.sin(turn)
