"""Placement of texts without overlaps."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from qrelsmith.report.canvas import Align


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the sheet, in points from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the two boxes overlap; boxes with only a common edge do not."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def inside(self, other: Box) -> bool:
        """Return whether this box is completely inside the other box."""
        across = self.left >= other.left and self.right <= other.right
        return across and self.top >= other.top and self.bottom <= other.bottom

    def holds(self, x: float, y: float) -> bool:
        """Return whether the box contains a point."""
        return self.left < x < self.right and self.top < y < self.bottom


@dataclass(frozen=True, slots=True)
class Spot:
    """A position for a text: its start, centre or end, and the height of its centre."""

    x: float
    y: float
    align: Align
    box: Box


def spot_beside(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    far: float,
    frame: Box,
    taken: Collection[Box],
    under: Sequence[tuple[float, float]] = (),
) -> Spot | None:
    """Return a position for a text beside a point.

    Parameters
    ----------
    x, y : float
        The point.
    width, height : float
        The size of the text.
    far : float
        The distance from the point.
    frame : Box
        The box that must contain the text.
    taken : collection of Box
        The boxes that the text must not overlap.
    under : sequence of (float, float)
        Points that the text should not hide, if possible.

    Returns
    -------
    Spot or None
        The first position that hides the fewest points; None if all positions are taken.
    """
    free = [
        spot
        for spot in _spots(x, y, width, height, far)
        if spot.box.inside(frame) and not any(spot.box.meets(other) for other in taken)
    ]
    return min(free, key=lambda spot: sum(spot.box.holds(*point) for point in under), default=None)


def _spots(x: float, y: float, width: float, height: float, far: float) -> Iterator[Spot]:
    """Yield the positions around a point, the best position first."""
    places: tuple[tuple[float, float, Align], ...] = (
        (x + far, y, "left"),
        (x - far, y, "right"),
        (x, y - far - height / 2, "center"),
        (x, y + far + height / 2, "center"),
        (x + 0.7 * far, y - far, "left"),
        (x + 0.7 * far, y + far, "left"),
        (x - 0.7 * far, y - far, "right"),
        (x - 0.7 * far, y + far, "right"),
    )
    for at_x, at_y, align in places:
        left = at_x - {"left": 0.0, "center": width / 2, "right": width}[align]
        box = Box(left, at_y - height / 2, left + width, at_y + height / 2)
        yield Spot(at_x, at_y, align, box)


def spread_out(
    heights: Sequence[float], gap: float, *, low: float = -math.inf, high: float = math.inf
) -> list[float]:
    """Move ascending heights as little as possible so that neighbours are `gap` apart.

    The heights stay between `low` and `high`. If there is too little space, some heights are above
    `high`.

    >>> spread_out([1.0, 1.0, 9.0], 2.0)
    [0.0, 2.0, 9.0]
    """
    # Heights minus their gaps must not descend; pool those that do (isotonic means). Clipping the
    # means gives the isotonic means within the bounds.
    pools: list[tuple[float, int]] = []
    for place, height in enumerate(heights):
        mean, count = height - gap * place, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        pools.append((mean, count))
    top = max(low, high - gap * max(len(heights) - 1, 0))
    level = [min(max(mean, low), top) for mean, count in pools for _ in range(count)]
    return [height + gap * place for place, height in enumerate(level)]
