"""Drawings as data: the kinds of figures. The package `report.kinds` draws the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix of coloured cells that show their values.

    Attributes
    ----------
    rows, columns : sequence of str
        Names of rows and columns.
    values : sequence of sequence of float
        [row][column]; nan leaves the cell empty.
    low, high : float
        Ends of the colour scale.
    label : str
        Description of the values.
    marks : sequence of (int, int)
        Row and column of cells marked by a dot, such as the best of each row.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    low: float
    high: float
    label: str
    marks: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Intervals:
    """A point with an interval for each name, from top to bottom.

    Attributes
    ----------
    names : sequence of str
        Names of the points, top to bottom.
    values, lows, highs : sequence of float
        The points and their intervals; nan: no interval.
    label : str
        Description of the values.
    reference : float or None
        A value for comparison, drawn as a line.
    groups : sequence of str
        A group for each name, shown by colour and marker; may be empty.
    """

    names: Sequence[str]
    values: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]
    label: str
    reference: float | None = None
    groups: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[str, float, float, float]],
        label: str,
        *,
        reference: float | None = None,
        groups: Sequence[str] = (),
    ) -> Intervals:
        """Create a drawing from rows of name, value, low and high."""
        held = list(rows)
        names = [row[0] for row in held]
        values, lows, highs = ([float(row[place]) for row in held] for place in (1, 2, 3))
        return cls(names, values, lows, highs, label, reference, groups)


@dataclass(frozen=True, slots=True)
class StackedShares:
    """Shares that sum to one, with a bar for each name.

    Attributes
    ----------
    names : sequence of str
        Names of the bars, top to bottom.
    parts : sequence of str
        Names of the parts, such as the levels of a scale, lowest first.
    shares : sequence of sequence of float
        [name][part], each row summing to 1.
    label : str
        Description of the whole.
    """

    names: Sequence[str]
    parts: Sequence[str]
    shares: Sequence[Sequence[float]]
    label: str


@dataclass(frozen=True, slots=True)
class RankLines:
    """Lines of ranks: the rank of each system from one column to the next.

    Attributes
    ----------
    names : sequence of str
        The systems.
    columns : sequence of str
        Sources of the rankings, such as label sets.
    ranks : sequence of sequence of float
        [name][column]; 1 is best, and ties have their mean rank.
    """

    names: Sequence[str]
    columns: Sequence[str]
    ranks: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Points:
    """Named points in the plane.

    Attributes
    ----------
    x, y : sequence of float
        Coordinates of the points.
    x_label, y_label : str
        Labels of the axes.
    diagonal : bool
        Whether the line x = y is drawn.
    """

    names: Sequence[str]
    x: Sequence[float]
    y: Sequence[float]
    x_label: str
    y_label: str
    diagonal: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a `Lines` drawing.

    Attributes
    ----------
    name : str
        Name of the line.
    x, y : sequence of float
        Points of the line, x ascending; a nan in y interrupts the line.
    lows, highs : sequence of float
        A band around the line, such as an interval; empty: no band.
    group : str
        Lines of one group have the same colour and different dashes; empty: a separate colour.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines over a common axis.

    Attributes
    ----------
    lines : sequence of Line
        The lines to draw.
    x_label, y_label : str
        Labels of the axes.
    marks : sequence of (float, float, str)
        Points to label, such as the best: x, y and text.
    logarithmic : bool
        Whether the x axis is logarithmic, which requires every x above 0.
    reference : float or None
        A value of y for comparison, drawn as a line.
    ticks : sequence of (float, str)
        Tick labels of the x axis, such as topics, in place of numbers; may be empty.
    heights : tuple of float
        Additional values that the y axis must include, such as a scale shared by drawings.
    """

    lines: Sequence[Line]
    x_label: str
    y_label: str
    marks: Sequence[tuple[float, float, str]] = ()
    logarithmic: bool = False
    reference: float | None = None
    ticks: Sequence[tuple[float, str]] = ()
    heights: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Panels:
    """Line drawings side by side in one picture, with a common y scale.

    Attributes
    ----------
    names : sequence of str
        The headings of the drawings.
    panels : sequence of Lines
        The drawings, row after row.
    across : int
        Number of drawings per row.
    """

    names: Sequence[str]
    panels: Sequence[Lines]
    across: int = 2


@dataclass(frozen=True, slots=True)
class Boxes:
    """Distributions as boxes from quartile to quartile, from top to bottom.

    The whiskers end at the last value within 1.5 times the box's length; values beyond the whiskers
    are shown as points. If there are fewer than five values, all are shown as points, without a
    box. Overlapping points are drawn as one point.

    Attributes
    ----------
    names : sequence of str
        Names of the boxes, top to bottom.
    values : sequence of sequence of float
        [name][value], any number of values per name; nan is ignored.
    label : str
        Description of the values.
    groups : sequence of str
        A group for each name, shown by colour; may be empty.
    reference : float or None
        A value for comparison, drawn as a line.
    dots : sequence of float
        A value for each name with a black dot, such as the best; nan: none. May be empty.
    colours : mapping of str to int
        The index of each group's colour; other groups have the colour of their position.
    """

    names: Sequence[str]
    values: Sequence[Sequence[float]]
    label: str
    groups: Sequence[str] = ()
    reference: float | None = None
    dots: Sequence[float] = ()
    colours: Mapping[str, int] = field(default_factory=dict)


def lowest(values: FloatArray) -> float:
    """Return the start of a colour scale: 0, or the lowest value below 0, ignoring nan."""
    known = values[~np.isnan(values)]
    return float(min(known.min(initial=0.0), 0.0))


Drawing = HeatMap | Intervals | StackedShares | RankLines | Points | Lines | Panels | Boxes
