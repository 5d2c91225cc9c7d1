"""Lines over a common axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from qrelsmith.base.content import Line, Lines
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.figure_text import number
from qrelsmith.report.axis import Axis, draw_plane, turned_names
from qrelsmith.report.canvas import HAIRLINE, SMALL, THIN, Canvas, middle
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import decimals_for, shorten, shortened_names, widest, width_of
from qrelsmith.report.line_styles import LineStyle, line_styles
from qrelsmith.report.placing import Box, spot_beside, spread_out

_WIDTH, _TALL = 660.0, 300.0
_TOP, _BOTTOM = 12.0, 44.0
_WIDEST_NAME = 150.0
_STROKE = 1.6
# Up to this number of lines have their names at their ends. With more there is a legend below.
_NAMED_AT_ENDS = 8
_NAME_GAP = 12.5
# Points have marks if they are at least this far apart, and at most this many.
_MARKED_GAP, _MARKED_MOST = 13.0, 60
_RADIUS, _RADIUS_NAMED = 2.5, 3.8
# Distances of a text from its mark, the shortest first.
_DISTANCES = (6.5, 16.0, 28.0, 44.0)
_LEGEND_LINE, _LEGEND_SIGN, _LEGEND_GAP = 15.5, 32.0, 16.0


@dataclass(frozen=True, slots=True)
class _Shown:
    """A line with its positions on the sheet."""

    line: Line
    name: str
    style: LineStyle
    xs: Sequence[float]
    ys: Sequence[float]

    @property
    def tip(self) -> str:
        return self.line.name + (f" ({self.line.group})" if self.line.group else "")

    @property
    def end(self) -> tuple[float, float]:
        """The position of the line's last point on the sheet, or nan if the line has no points."""
        ends = zip(reversed(self.xs), reversed(self.ys), strict=True)
        return next(filter(_is_there, ends), (math.nan, math.nan))

    @property
    def marked(self) -> bool:
        """Whether the line's points are few enough and far enough apart for marks."""
        xs = [point[0] for point in zip(self.xs, self.ys, strict=True) if _is_there(point)]
        gaps = (after - before for before, after in pairwise(xs))
        return len(xs) <= _MARKED_MOST and min(gaps, default=math.inf) >= _MARKED_GAP


@kind(Lines)
def lines(drawing: Lines) -> Canvas | None:
    """Draw lines with their bands, named at their ends or, if there are many, in a legend."""
    return lines_on(drawing, _WIDTH, _TALL)


def lines_on(drawing: Lines, width: float, tall: float) -> Canvas | None:
    """Draw the lines on a sheet of the given width, in a plotting area of the given height."""
    _check(drawing)
    if not any(_has_points(line) for line in drawing.lines):
        return None
    names = shortened_names([line.name for line in drawing.lines], _WIDEST_NAME, SMALL)
    along = Axis.over(heights_of(drawing), _TOP + tall, _TOP)
    left = 32 + widest((text for _, text in along.ticks(room=50)), SMALL)
    direct = _can_be_named_at_ends(drawing)
    beside = widest(names, SMALL) + 22 if direct else 12.0
    if drawing.reference is not None:
        beside = max(beside, width_of(_reference_text(drawing.reference), SMALL) + 22)
    across = Axis.over(
        [x for line in drawing.lines for x in line.x] + [x for x, _, _ in drawing.marks],
        left,
        width - beside,
        logarithmic=drawing.logarithmic,
    )
    legend = [] if direct else _legend(drawing, names, left, width)
    bottom = _TOP + tall + max(_BOTTOM, turned_names(across, drawing.ticks) + 32)
    canvas = Canvas(width, bottom + (max(y for *_, y in legend) + 16 if legend else 0))
    labels = {"x_label": drawing.x_label, "y_label": drawing.y_label}
    draw_plane(canvas, across, along, named=drawing.ticks, **labels)
    shown = [
        _Shown(line, name, style, _places(across, line.x), _places(along, line.y))
        for line, name, style in zip(drawing.lines, names, line_styles(drawing.lines), strict=True)
    ]
    bands = sum(bool(curve.line.lows) for curve in shown)
    for curve in shown:
        _draw_band(canvas, curve, along, 0.16 if bands <= 4 else 0.09)
    if drawing.reference is not None:
        y = along.at(drawing.reference)
        canvas.line((across.start, across.end), (y, y), "ink", width=THIN, dashes=(3, 2.5))
    for curve in shown:
        _draw_line(canvas, curve)
    _draw_marks(canvas, drawing, across, along, shown)
    _draw_ends(canvas, drawing, across, along, shown if direct else [])
    by_place = dict(enumerate(shown))
    for text, place, x, y in legend:
        _draw_entry(canvas, text, by_place.get(place), x, bottom + y)
    return canvas


def _check(drawing: Lines) -> None:
    for line in drawing.lines:
        check_lengths(line, line.x, line.y)
        if line.lows or line.highs:
            check_lengths(line, line.x, line.lows, line.highs)
    if drawing.logarithmic:
        named = [(line.name, x) for line in drawing.lines for x in line.x]
        for name, x in [*named, *((words, x) for x, _, words in drawing.marks)]:
            if x <= 0:
                raise UsageError(
                    f"{quoted(name)} has a point at {x:g}; expected every x above 0 on "
                    "a logarithmic axis"
                )


def _has_points(line: Line) -> bool:
    return any(math.isfinite(x) and math.isfinite(y) for x, y in zip(line.x, line.y, strict=True))


def heights_of(drawing: Lines) -> list[float]:
    """Return all values that the vertical axis must include."""
    heights = [y for line in drawing.lines for y in (*line.y, *line.lows, *line.highs)]
    heights += [*(y for _, y, _ in drawing.marks), *drawing.heights]
    return heights if drawing.reference is None else [*heights, drawing.reference]


def _can_be_named_at_ends(drawing: Lines) -> bool:
    """Return whether there are few lines, and all reach the right part of the drawing."""
    if len(drawing.lines) > _NAMED_AT_ENDS:
        return False
    ends = Axis.over(
        [x for line in drawing.lines for x in line.x], 0.0, 1.0, logarithmic=drawing.logarithmic
    )
    return all(
        any(ends.at(x) > 0.8 for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y))
        for line in drawing.lines
    )


def _is_there(point: tuple[float, float]) -> bool:
    return not (math.isnan(point[0]) or math.isnan(point[1]))


def _places(axis: Axis, values: Sequence[float]) -> list[float]:
    """Return the positions of values; the position of a value that is not finite is nan."""
    return [axis.at(value) if math.isfinite(value) else math.nan for value in values]


def _draw_band(canvas: Canvas, curve: _Shown, along: Axis, opacity: float) -> None:
    """Draw the band around a line, interrupted where a bound is undefined."""
    bounds = zip(curve.xs, curve.line.lows, curve.line.highs, strict=False)
    for undefined, run in groupby(bounds, lambda bound: any(map(math.isnan, bound))):
        if undefined:
            continue
        xs, lows, highs = zip(*run, strict=True)
        low, high = ([along.at(value) for value in values] for values in (lows, highs))
        if len(xs) == 1:
            canvas.line((xs[0], xs[0]), (low[0], high[0]), curve.style.role, width=THIN)
        else:
            canvas.area(xs, low, high, curve.style.role, opacity=opacity)


def _draw_line(canvas: Canvas, curve: _Shown) -> None:
    """Draw a line, with marks if its points are few or isolated."""
    canvas.line(
        curve.xs,
        curve.ys,
        curve.style.role,
        width=_STROKE,
        dashes=curve.style.dashes,
        tip=curve.tip,
    )
    there = [_is_there(point) for point in zip(curve.xs, curve.ys, strict=True)]
    for place, (x, y) in enumerate(zip(curve.xs, curve.ys, strict=True)):
        beside = there[max(place - 1, 0) : place] + there[place + 1 : place + 2]
        if there[place] and (curve.marked or not any(beside)):
            tip = f"{curve.tip}: {number(curve.line.x[place], 4)}, {number(curve.line.y[place], 4)}"
            canvas.mark(x, y, curve.style.role, shape=curve.style.shape, radius=_RADIUS, tip=tip)


def _draw_marks(
    canvas: Canvas, drawing: Lines, across: Axis, along: Axis, shown: Sequence[_Shown]
) -> None:
    """Draw the names of points where they hide as little as possible."""
    marks = [mark for mark in drawing.marks if math.isfinite(mark[0]) and math.isfinite(mark[1])]
    places = [(across.at(x), along.at(y)) for x, y, _ in marks]
    frame = Box(across.start + 2, along.end, across.end, along.start - 2)
    taken = [Box(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    under = [point for one in shown for point in _points_along(one)]
    for (x, y), (value_x, value_y, words) in zip(places, marks, strict=True):
        tip = f"{words}: {number(value_x, 4)}, {number(value_y, 4)}"
        text = shorten(words, _WIDEST_NAME, SMALL)
        wide = width_of(text, SMALL)
        near = [
            point for point in under if abs(point[1] - y) < 70 and abs(point[0] - x) < wide + 70
        ]
        for far in _DISTANCES:
            spot = spot_beside(x, y, wide, SMALL + 1, far=far, frame=frame, taken=taken, under=near)
            if spot is not None:
                break
        if spot is not None:
            taken.append(spot.box)
            if far > _DISTANCES[0]:
                canvas.line((x, spot.x), (y, spot.y), "edge", width=HAIRLINE)
            canvas.rectangle(
                spot.box.left - 1, spot.box.top - 0.5, wide + 2, SMALL + 2, "paper", opacity=0.8
            )
            canvas.text(spot.x, middle(spot.y, SMALL), text, size=SMALL, align=spot.align, tip=tip)
        canvas.mark(x, y, "ink", shape=2, radius=_RADIUS_NAMED, tip=tip)


def _points_along(one: _Shown) -> Iterator[tuple[float, float]]:
    """Yield closely spaced positions along a line."""
    for (x, y), (to_x, to_y) in pairwise(zip(one.xs, one.ys, strict=True)):
        length = math.hypot(to_x - x, to_y - y)
        if math.isfinite(length):
            pieces = int(length / 5) + 1
            for piece in range(pieces + 1):
                share = piece / pieces
                yield x + share * (to_x - x), y + share * (to_y - y)


def _draw_ends(
    canvas: Canvas, drawing: Lines, across: Axis, along: Axis, shown: Sequence[_Shown]
) -> None:
    """Draw the name at each line's end, and the text of the reference line, without overlaps."""
    ends = [(*one.end, one.name, one.style.role, one.tip) for one in shown]
    if drawing.reference is not None:
        text = _reference_text(drawing.reference)
        ends.append((across.end, along.at(drawing.reference), text, "ink", "reference"))
    ends.sort(key=lambda end: end[1])
    heights = spread_out([end[1] for end in ends], _NAME_GAP, low=along.end, high=along.start)
    for (x, y, text, role, tip), height in zip(ends, heights, strict=True):
        canvas.line(
            (x + 4, across.end + 8, across.end + 14), (y, y, height), "rule", width=HAIRLINE
        )
        canvas.text(across.end + 17, middle(height, SMALL), text, size=SMALL, fill=role, tip=tip)


def _reference_text(value: float) -> str:
    return number(value, decimals_for([value]))


def _legend(
    drawing: Lines, names: Sequence[str], left: float, width: float
) -> list[tuple[str, int, float, float]]:
    """Return each entry of the legend as text, index of the line (−1 for a group), x and y."""
    headings = {
        group: shorten(group, _WIDEST_NAME, SMALL)
        for group in dict.fromkeys(line.group for line in drawing.lines)
    }
    head = widest(headings.values(), SMALL, bold=True)
    head += 14 if head else 0
    column = _LEGEND_SIGN + widest(names, SMALL) + _LEGEND_GAP
    columns = max(1, int((width - left - head) / column))
    entries = []
    y = _LEGEND_LINE / 2
    for group, heading in headings.items():
        inside = [place for place, line in enumerate(drawing.lines) if line.group == group]
        entries.append((heading, -1, left, y))
        for count, place in enumerate(inside):
            row, at = divmod(count, columns)
            entries.append((names[place], place, left + head + at * column, y + row * _LEGEND_LINE))
        y = entries[-1][3] + _LEGEND_LINE
    return entries


def _draw_entry(canvas: Canvas, text: str, curve: _Shown | None, x: float, y: float) -> None:
    """Draw an entry of the legend with its line style."""
    if curve is None:
        canvas.text(x, middle(y, SMALL), text, size=SMALL, bold=True)
        return
    style = curve.style
    canvas.line((x, x + _LEGEND_SIGN - 6), (y, y), style.role, width=_STROKE, dashes=style.dashes)
    if curve.marked:
        at = x + (_LEGEND_SIGN - 6) / 2
        canvas.mark(at, y, style.role, shape=style.shape, radius=_RADIUS)
    canvas.text(x + _LEGEND_SIGN, middle(y, SMALL), text, size=SMALL, fill="muted", tip=curve.tip)
