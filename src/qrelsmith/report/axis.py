"""Axes and legends: the mapping of values to points on the sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.ticker import MaxNLocator

from qrelsmith.base.figure_text import number
from qrelsmith.report.canvas import HAIRLINE, SMALL, THIN, Canvas, middle
from qrelsmith.report.lettering import decimals_for, shorten, widest, width_of

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEGEND_LINE = 15.0
_LEGEND_SIGN = 13.0
_LEGEND_GAP = 16.0
_LEGEND_WIDEST = 170.0


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis, linear or logarithmic.

    Attributes
    ----------
    low, high : float
        The values at its ends.
    start, end : float
        The positions of its ends on the sheet, in points.
    logarithmic : bool
        Whether equal ratios have equal lengths; all values are then above 0.
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    @classmethod
    def over(
        cls, values: Iterable[float], start: float, end: float, *, logarithmic: bool = False
    ) -> Axis:
        """Return an axis that includes all finite values, with a margin."""
        finite = [value for value in values if math.isfinite(value)]
        if logarithmic:
            low, high = (min(finite), max(finite)) if finite else (1.0, 10.0)
            ratio = (high / low) ** 0.04 if high > low else 1.5
            return cls(low / ratio, high * ratio, start, end, logarithmic=True)
        low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
        room = 0.04 * (high - low) or 0.05 * abs(high) or 0.5
        return cls(low - room, high + room, start, end)

    def at(self, value: float) -> float:
        """Return the position of a value, clipped to the ends of the axis; nan stays nan."""
        if math.isnan(value):
            return math.nan
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, *, room: float) -> list[tuple[float, str]]:
        """Return round values on the axis, about `room` points apart or more, and their labels."""
        if self.logarithmic:
            values = self._round_ratios(room)
            if len(values) > 2:
                return list(zip(values, _ratio_labels(values), strict=True))
        most = max(2, int(abs(self.end - self.start) / room))
        values = [
            float(value)
            for value in MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]).tick_values(
                self.low, self.high
            )
            if self.low <= value <= self.high
        ]
        step = min((b - a for a, b in pairwise(values)), default=1.0)
        decimals = next(
            (count for count in range(12) if math.isclose(round(step, count), step, rel_tol=1e-6)),
            12,
        )
        if self.logarithmic:
            values = [value for value in values if value > 0]
            places = [self.at(value) for value in values]
            for place in reversed(range(1, len(values))):
                if abs(places[place] - places[place - 1]) < room / 2:
                    del values[place], places[place]
        return [(value, number(value, decimals)) for value in values]

    def _round_ratios(self, room: float) -> list[float]:
        """Return powers of ten, and their doubles and halves if there is enough space."""
        decade = abs(self.end - self.start) / math.log10(self.high / self.low)
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        for parts, gap in (((1, 2, 5), 0.301), ((1, 3), 0.477), ((1,), 1.0)):
            if gap * decade >= 0.6 * room or parts == (1,):
                break
        every = max(1, math.ceil(0.6 * room / decade))
        values = (part * 10.0**power for power in range(first, last + 1, every) for part in parts)
        return [value for value in values if self.low <= value <= self.high]


def _ratio_labels(values: Sequence[float]) -> list[str]:
    """Return labels of a logarithmic axis: plain numbers, or powers if some are large or small.

    >>> _ratio_labels([0.02, 0.5, 10.0, 500.0]), _ratio_labels([2e-6, 1.0])
    (['0.02', '0.5', '10', '500'], ['2·10⁻⁶', '10⁰'])
    """
    powers = [math.floor(math.log10(value) + 1e-9) for value in values]
    if all(-4 <= power <= 4 for power in powers):
        return [number(value, max(0, -power)) for value, power in zip(values, powers, strict=True)]
    labels = []
    for value, power in zip(values, powers, strict=True):
        part = round(value / 10.0**power)
        raised = str(power).translate(_RAISED)
        labels.append(f"10{raised}" if part == 1 else f"{part}·10{raised}")
    return labels


def draw_plane(
    canvas: Canvas,
    across: Axis,
    along: Axis,
    *,
    x_label: str,
    y_label: str,
    named: Sequence[tuple[float, str]] = (),
) -> None:
    """Draw grid, ticks and labels of a horizontal axis and of a vertical axis.

    The names in `named` replace the numbers on the horizontal axis. Wide names are rotated.
    """
    bottom = along.start
    turned = turned_names(across, named)
    for value, text in named or across.ticks(room=70):
        x = across.at(value)
        canvas.line((x, x), (along.end, bottom), "faint", width=HAIRLINE)
        if turned:
            canvas.text(x + 3, bottom + 6, text, size=SMALL, fill="muted", align="right", angle=90)
        else:
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
        bottom + max(32, turned + 20),
        shorten(x_label, across.end - across.start, size),
        size=size,
        align="center",
    )
    canvas.text(
        14,
        (along.start + along.end) / 2,
        shorten(y_label, along.start - along.end, size),
        size=size,
        align="center",
        angle=90,
    )


def turned_names(across: Axis, named: Sequence[tuple[float, str]]) -> float:
    """Return the length of the longest name if names must be rotated, else 0."""
    longest = widest((name for _, name in named), SMALL)
    places = sorted(across.at(value) for value, _ in named)
    room = min([*(b - a for a, b in pairwise(places)), 2 * across.start])
    return longest if longest + 4 > room else 0.0


def draw_value_axis(
    canvas: Canvas, axis: Axis, *, top: float, bottom: float, label: str, twice: bool
) -> None:
    """Draw ticks and grid of a horizontal axis, with numbers below the rows, or on both sides."""
    for value, text in axis.ticks(room=58):
        x = axis.at(value)
        canvas.line((x, x), (top, bottom), "faint", width=HAIRLINE)
        canvas.text(x, bottom + 12, text, size=SMALL, fill="muted", align="center")
        if twice:
            canvas.text(x, top - 5, text, size=SMALL, fill="muted", align="center")
    canvas.line((axis.start, axis.end), (bottom, bottom), "edge", width=HAIRLINE)
    text = shorten(label, canvas.width - 20, SMALL + 0.5)
    half = width_of(text, SMALL + 0.5) / 2
    x = min(max((axis.start + axis.end) / 2, half + 4), canvas.width - half - 4)
    canvas.text(x, bottom + 27, text, size=SMALL + 0.5, fill="ink", align="center")


def draw_reference(
    canvas: Canvas, axis: Axis, value: float, top: float, bottom: float, many: bool
) -> None:
    """Draw a reference value on a horizontal axis, with its number."""
    x = axis.at(value)
    canvas.line((x, x), (top - (14 if many else 2), bottom), "ink", width=THIN, dashes=(3, 2.5))
    canvas.text(
        x + 4 if many else x,
        top - (13 if many else 5),
        number(value, decimals_for([value])),
        size=SMALL,
        align="left" if many else "center",
    )
    canvas.line((x, x), (bottom, bottom + 3), "ink", width=HAIRLINE)


@dataclass(frozen=True, slots=True)
class Legend:
    """A legend: symbols with texts, on one or more lines.

    Attributes
    ----------
    words : tuple of str
        The texts, shortened.
    places : tuple of (float, float)
        The left end of each symbol, from the top left corner of the legend.
    height : float
        The height of all lines.
    """

    words: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    height: float

    @classmethod
    def of(cls, words: Sequence[str], width: float) -> Legend:
        """Return a legend no wider than `width` points."""
        shown = tuple(shorten(word, _LEGEND_WIDEST, SMALL) for word in words)
        places = []
        x = y = 0.0
        for word in shown:
            wide = _LEGEND_SIGN + width_of(word, SMALL)
            if x and x + wide > width:
                x, y = 0.0, y + _LEGEND_LINE
            places.append((x, y))
            x += wide + _LEGEND_GAP
        return cls(shown, tuple(places), y + _LEGEND_LINE if places else 0.0)

    def draw(self, canvas: Canvas, left: float, top: float) -> list[tuple[float, float]]:
        """Write the legend's texts, and return the centres of its symbols."""
        middles = []
        for word, (x, y) in zip(self.words, self.places, strict=True):
            line = top + y + _LEGEND_LINE / 2
            canvas.text(
                left + x + _LEGEND_SIGN, middle(line, SMALL), word, size=SMALL, fill="muted"
            )
            middles.append((left + x + 4, line))
        return middles
