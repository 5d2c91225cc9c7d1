"""Axes and legends: from values to points on the sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.ticker import MaxNLocator

from qrelsmith.report.canvas import HAIRLINE, SMALL, Canvas, middle
from qrelsmith.report.lettering import number, shortened, width_of

_LEGEND_LINE = 15.0
_LEGEND_SIGN = 13.0
_LEGEND_GAP = 16.0
_LEGEND_WIDEST = 170.0


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis.

    Attributes
    ----------
    low, high : float
        The values at its ends.
    start, end : float
        Where on the sheet its ends are, in points.
    """

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> Axis:
        """An axis that holds all finite values with a little room around them."""
        finite = [value for value in values if math.isfinite(value)]
        low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
        room = 0.04 * (high - low) or 0.05 * abs(high) or 0.5
        return cls(low - room, high + room, start, end)

    def at(self, value: float) -> float:
        """Where a value stands; nan stays nan, and what is off the axis stands at its end."""
        if math.isnan(value):
            return math.nan
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, *, room: float) -> list[tuple[float, str]]:
        """Round values on the axis with their labels, at least `room` points apart."""
        most = max(2, int(abs(self.end - self.start) / room))
        found = [
            float(value)
            for value in MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]).tick_values(
                self.low, self.high
            )
            if self.low <= value <= self.high
        ]
        step = min((b - a for a, b in pairwise(found)), default=1.0)
        decimals = next(
            (count for count in range(12) if math.isclose(round(step, count), step, rel_tol=1e-6)),
            12,
        )
        return [(value, number(value, decimals)) for value in found]


def draw_value_axis(
    canvas: Canvas, axis: Axis, *, top: float, bottom: float, label: str, twice: bool
) -> None:
    """Ticks and grid of a horizontal axis under the rows, and above them too if there are many."""
    for value, text in axis.ticks(room=58):
        x = axis.at(value)
        canvas.line((x, x), (top, bottom), "faint", width=HAIRLINE)
        canvas.text(x, bottom + 12, text, size=SMALL, fill="muted", align="center")
        if twice:
            canvas.text(x, top - 5, text, size=SMALL, fill="muted", align="center")
    canvas.line((axis.start, axis.end), (bottom, bottom), "edge", width=HAIRLINE)
    text = shortened(label, canvas.width - 20, SMALL + 0.5)
    half = width_of(text, SMALL + 0.5) / 2
    x = min(max((axis.start + axis.end) / 2, half + 4), canvas.width - half - 4)
    canvas.text(x, bottom + 27, text, size=SMALL + 0.5, fill="ink", align="center")


@dataclass(frozen=True, slots=True)
class Legend:
    """Signs with words, in as many lines as they need.

    Attributes
    ----------
    words : tuple of str
        The words, shortened.
    places : tuple of (float, float)
        Where each sign begins, from the top left corner of the legend.
    height : float
        Of all lines.
    """

    words: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    height: float

    @classmethod
    def of(cls, words: Sequence[str], width: float) -> Legend:
        """A legend no wider than `width` points."""
        shown = tuple(shortened(word, _LEGEND_WIDEST, SMALL) for word in words)
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
        """Write the words; returns the middles of the places for the signs."""
        middles = []
        for word, (x, y) in zip(self.words, self.places, strict=True):
            line = top + y + _LEGEND_LINE / 2
            canvas.text(
                left + x + _LEGEND_SIGN, middle(line, SMALL), word, size=SMALL, fill="muted"
            )
            middles.append((left + x + 4, line))
        return middles
