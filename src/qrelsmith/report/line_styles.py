"""Styles that distinguish the lines of a drawing: colour, dashes, and shape of marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.content import Line
from qrelsmith.report.palette import GROUPS

# Lengths of dashes and gaps, in units of the line width; the first is solid.
DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (4.0, 1.8),
    (1.1, 1.5),
    (6.0, 1.6, 1.2, 1.6),
    (9.0, 2.4),
    (6.0, 1.5, 1.1, 1.5, 1.1, 1.5),
)


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The style of a line.

    Attributes
    ----------
    role : str
        Its colour.
    dashes : tuple of float
        Lengths of dashes and gaps; empty for a solid line.
    shape : int
        The shape of its marks.
    """

    role: str
    dashes: tuple[float, ...]
    shape: int


def line_styles(lines: Sequence[Line]) -> list[LineStyle]:
    """Return a style for each line; each group and each ungrouped line has its own colour.

    Lines of one group have different dashes. If there are too few colours, they are repeated with
    different dashes.
    """
    keys = [
        ("group", line.group) if line.group else ("line", str(n)) for n, line in enumerate(lines)
    ]
    order = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    drawn: Counter[int] = Counter()
    styles = []
    for key in keys:
        colour = order[key] % GROUPS
        styles.append(LineStyle(f"group-{colour}", DASHES[drawn[colour] % len(DASHES)], order[key]))
        drawn[colour] += 1
    return styles
