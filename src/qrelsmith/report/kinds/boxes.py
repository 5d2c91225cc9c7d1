"""Box plots, one below the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

from qrelsmith.base.content import Boxes
from qrelsmith.base.figure_text import number
from qrelsmith.report.axis import Axis, Legend, draw_reference, draw_value_axis
from qrelsmith.report.canvas import NAME, SMALL, THIN, Canvas, middle
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import decimals_for, shortened_names, widest
from qrelsmith.report.palette import GROUPS

_WIDTH = 660.0
_WIDEST_NAME = 190.0
# From this number of rows on, they are closer and the axis is also shown above them.
_MANY = 26
# Quartiles need at least this number of values.
_FEWEST = 5
_REACH = 1.5
_RADIUS, _RADIUS_ALONE, _RADIUS_DOT = 1.9, 2.6, 2.8
_HEADINGS = ("median", "n")


@dataclass(frozen=True, slots=True)
class _Summary:
    """The summary of a row: whiskers, quartiles, and the values beyond the whiskers.

    Attributes
    ----------
    count : int
        Number of values.
    low, first, median, third, high : float
        Ends of the whiskers, and quartiles; nan if undefined.
    points : tuple of float
        The values drawn as points, ascending.
    """

    count: int
    low: float
    first: float
    median: float
    third: float
    high: float
    points: tuple[float, ...]


_EMPTY = _Summary(0, math.nan, math.nan, math.nan, math.nan, math.nan, ())


@kind(Boxes)
def boxes(drawing: Boxes) -> Canvas | None:
    """Draw a row for each name: name, box on an axis, median and number of values."""
    check_lengths(drawing, drawing.names, drawing.values)
    if drawing.groups:
        check_lengths(drawing, drawing.names, drawing.groups)
    if drawing.dots:
        check_lengths(drawing, drawing.names, drawing.dots)
    if not drawing.names:
        return None
    many = len(drawing.names) >= _MANY
    pitch, size = (12.6, SMALL) if many else (21.0, NAME)
    names = shortened_names(drawing.names, _WIDEST_NAME, size)
    rows = [_summary(values) for values in drawing.values]
    medians, counts = _numbers(rows)
    count_wide = widest([_HEADINGS[1], *counts], SMALL)
    median_wide = widest([_HEADINGS[0], *medians], SMALL)
    bounds = [value for row in rows for value in (row.low, row.high, *row.points)]
    if drawing.reference is not None:
        bounds.append(drawing.reference)
    bounds += filter(math.isfinite, drawing.dots)
    axis = Axis.over(bounds, widest(names, size) + 14, _WIDTH - median_wide - count_wide - 30)
    groups = list(dict.fromkeys(drawing.groups))
    colours = [drawing.colours.get(group, place) for place, group in enumerate(groups)] or [0]
    legend = Legend.of(groups, axis.end - axis.start)
    top = legend.height + (8 if groups else 0) + 18
    bottom = top + len(names) * pitch + 3
    canvas = Canvas(_WIDTH, bottom + 36)
    for place in range(0, len(names), 2):
        canvas.rectangle(0, top + place * pitch, _WIDTH, pitch, "panel")
    draw_value_axis(canvas, axis, top=top, bottom=bottom, label=drawing.label, twice=many)
    for text, x in zip(_HEADINGS, (_WIDTH - count_wide - 16, _WIDTH - 4), strict=True):
        canvas.text(x, top - 5, text, size=SMALL, fill="muted", align="right")
    if drawing.reference is not None:
        draw_reference(canvas, axis, drawing.reference, top, bottom, many)
    for place, (x, y) in enumerate(legend.draw(canvas, axis.start, 0)):
        _draw_box(canvas, x - 4, x + 5, y, 8, f"group-{colours[place] % GROUPS}", "")
    cells = zip(drawing.names, names, medians, counts, rows, strict=True)
    for place, (full, name, median, count, row) in enumerate(cells):
        y = top + (place + 0.5) * pitch
        group = colours[groups.index(drawing.groups[place])] if groups else 0
        tip = f"{full}: {_words(row)}" + (f" ({drawing.groups[place]})" if groups else "")
        canvas.text(axis.start - 10, middle(y, size), name, size=size, align="right", tip=tip)
        _draw_row(canvas, axis, row, y, 0.62 * pitch, group, tip)
        if drawing.dots and math.isfinite(drawing.dots[place]):
            dot = f"{tip}; dot at {number(drawing.dots[place], 4)}"
            canvas.mark(axis.at(drawing.dots[place]), y, "ink", radius=_RADIUS_DOT, tip=dot)
        base = middle(y, size)
        canvas.text(_WIDTH - count_wide - 16, base, median, size=SMALL, align="right")
        canvas.text(_WIDTH - 4, base, count, size=SMALL, fill="muted", align="right")
    return canvas


def _summary(values: Sequence[float]) -> _Summary:
    """Summarise values; quartiles are interpolated linearly, as by default in numpy and R."""
    defined = sorted(value for value in values if math.isfinite(value))
    if not defined:
        return _EMPTY
    if len(defined) == 1:
        return _Summary(1, math.nan, math.nan, defined[0], math.nan, math.nan, tuple(defined))
    first, median, third = quantiles(defined, n=4, method="inclusive")
    if len(defined) < _FEWEST:
        return _Summary(
            len(defined), math.nan, math.nan, median, math.nan, math.nan, tuple(defined)
        )
    reach = _REACH * (third - first)
    inside = [value for value in defined if first - reach <= value <= third + reach]
    points = tuple(value for value in defined if value < inside[0] or value > inside[-1])
    return _Summary(len(defined), inside[0], first, median, third, inside[-1], points)


def _numbers(rows: Sequence[_Summary]) -> tuple[list[str], list[str]]:
    """Return the median and the number of values of each row."""
    decimals = decimals_for(row.median for row in rows)
    return [number(row.median, decimals) for row in rows], [f"{row.count:,}" for row in rows]


def _words(row: _Summary) -> str:
    """Return a row in words."""
    if not row.count:
        return "no values"
    if math.isnan(row.first):
        return f"{row.count} values: " + ", ".join(number(value, 4) for value in row.points)
    parts = [
        f"median {number(row.median, 4)}",
        f"quartiles {number(row.first, 4)} and {number(row.third, 4)}",
        f"whiskers {number(row.low, 4)} and {number(row.high, 4)}",
        f"{len(row.points):,} of {row.count:,} values beyond the whiskers",
    ]
    return ", ".join(parts)


def _draw_row(
    canvas: Canvas, axis: Axis, row: _Summary, y: float, height: float, group: int, tip: str
) -> None:
    """Draw the box, its whiskers and the values beyond the whiskers."""
    role = f"group-{group % GROUPS}"
    radius = _RADIUS_ALONE if math.isnan(row.first) else _RADIUS
    if not row.count:
        text = "no values"
        canvas.text(axis.start + 2, middle(y, SMALL), text, size=SMALL, fill="muted", tip=tip)
    if not math.isnan(row.first):
        for end, side in ((row.low, row.first), (row.high, row.third)):
            x = axis.at(end)
            canvas.line((x, axis.at(side)), (y, y), role, width=THIN, tip=tip)
            canvas.line((x, x), (y - height / 4, y + height / 4), role, width=THIN)
        _draw_box(canvas, axis.at(row.first), axis.at(row.third), y, height, role, tip)
    for x, words in _place_points(axis, row.points, row.median):
        canvas.mark(x, y, role, shape=group, radius=radius, tip=f"{tip}: {words}" if words else tip)
    if not math.isnan(row.median):
        x = axis.at(row.median)
        canvas.line((x, x), (y - height / 2, y + height / 2), role, width=2.2, tip=tip)


def _draw_box(
    canvas: Canvas, left: float, right: float, y: float, height: float, role: str, tip: str
) -> None:
    """Draw a pale box with its outline."""
    top = y - height / 2
    canvas.rectangle(left, top, right - left, height, "paper")
    canvas.rectangle(left, top, right - left, height, role, opacity=0.24, tip=tip)
    canvas.line(
        (left, right, right, left, left),
        (top, top, top + height, top + height, top),
        role,
        width=THIN,
    )


def _place_points(axis: Axis, values: Sequence[float], median: float) -> list[tuple[float, str]]:
    """Return the position of each point, and the text of its tooltip.

    Values whose points would overlap become one point, at the value farthest from the median.
    """
    bins: dict[int, list[float]] = {}
    for value in values:
        bins.setdefault(int(axis.at(value) / _RADIUS), []).append(value)
    found = []
    for inside in bins.values():
        far = max(inside, key=lambda value: abs(value - median))
        words = f"{len(inside):,} values" if len(inside) > 1 else ""
        found.append((axis.at(far), words))
    return found
