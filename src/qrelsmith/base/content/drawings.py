"""Drawings as data: the kinds of figures. `report.kinds` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix as coloured cells with their values written in them.

    Attributes
    ----------
    rows, columns : sequence of str
        Names of rows and columns.
    values : sequence of sequence of float
        [row][column]; nan leaves the cell empty.
    low, high : float
        Ends of the colour scale.
    label : str
        What the values are.
    marks : sequence of (int, int)
        Row and column of cells that bear a dot, such as the best of each row.
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
    """A point with an interval for each name, one below the other.

    Attributes
    ----------
    names : sequence of str
        What the points belong to, top to bottom.
    values, lows, highs : sequence of float
        The points and their intervals; nan: no interval.
    label : str
        What the values are.
    reference : float or None
        A value to compare with, drawn as a line.
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
        """Return a drawing of rows of name, value, low and high."""
        held = list(rows)
        names = [row[0] for row in held]
        values, lows, highs = ([float(row[place]) for row in held] for place in (1, 2, 3))
        return cls(names, values, lows, highs, label, reference, groups)


@dataclass(frozen=True, slots=True)
class StackedShares:
    """Shares that sum to one, a bar for each name.

    Attributes
    ----------
    names : sequence of str
        A bar each, top to bottom.
    parts : sequence of str
        What the shares are of, such as the levels of a scale, lowest first.
    shares : sequence of sequence of float
        [name][part], each row summing to 1.
    label : str
        What is shared out.
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
        What ranks them, such as label sets.
    ranks : sequence of sequence of float
        [name][column]; 1 is best, ties have their mean rank.
    """

    names: Sequence[str]
    columns: Sequence[str]
    ranks: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Points:
    """Points in the plane, each with a name.

    Attributes
    ----------
    x, y : sequence of float
        Where they stand.
    x_label, y_label : str
        What the axes are.
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
        What it belongs to.
    x, y : sequence of float
        Its points, x ascending; a nan in y interrupts it.
    lows, highs : sequence of float
        A band around it, such as an interval; empty: no band.
    group : str
        Lines of one group share a colour and differ in dash; empty: a colour of its own.
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
        What is drawn.
    x_label, y_label : str
        What the axes are.
    marks : sequence of (float, float, str)
        Points to be named in the picture, such as the best: x, y and the words.
    logarithmic : bool
        Whether the x axis is logarithmic; every x is above 0 then.
    reference : float or None
        A value of y to compare with, drawn as a line.
    ticks : sequence of (float, str)
        Names of places on the x axis, such as topics, in place of numbers; may be empty.
    heights : tuple of float
        Values that the y axis holds besides those of the lines, such as a scale shared by drawings.
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
    """Drawings of lines side by side in one picture, on one scale of y.

    Attributes
    ----------
    names : sequence of str
        A heading each.
    panels : sequence of Lines
        The drawings, row after row.
    across : int
        How many stand side by side.
    """

    names: Sequence[str]
    panels: Sequence[Lines]
    across: int = 2


@dataclass(frozen=True, slots=True)
class Boxes:
    """Distributions as boxes from quartile to quartile, one below the other.

    The whiskers end at the last value within 1.5 times the box's length; values beyond are points.
    Fewer than five values have no box: all of them are points. Points that would lie on one another
    are drawn as one.

    Attributes
    ----------
    names : sequence of str
        A box each, top to bottom.
    values : sequence of sequence of float
        [name][any number]; nan is left out.
    label : str
        What the values are.
    groups : sequence of str
        A group for each name, shown by colour; may be empty.
    reference : float or None
        A value to compare with, drawn as a line.
    dots : sequence of float
        A value for each name that bears a black dot, such as the best; nan: none. May be empty.
    colours : mapping of str to int
        The colour of a group by its number among the colours of groups; others have the colour of
        their place.
    """

    names: Sequence[str]
    values: Sequence[Sequence[float]]
    label: str
    groups: Sequence[str] = ()
    reference: float | None = None
    dots: Sequence[float] = ()
    colours: Mapping[str, int] = field(default_factory=dict)


def lowest(values: FloatArray) -> float:
    """Return the begin of a colour scale: 0, or lower if a value is; nan does not count."""
    known = values[~np.isnan(values)]
    return float(min(known.min(initial=0.0), 0.0))


Drawing = HeatMap | Intervals | StackedShares | RankLines | Points | Lines | Panels | Boxes
