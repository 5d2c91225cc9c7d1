"""Lines that connect the ranks of each system from one column to the next."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from qrelsmith.base.content import RankLines
from qrelsmith.base.figure_text import number
from qrelsmith.report.canvas import HAIRLINE, NAME, SMALL, STRONG, THIN, Canvas, middle, reach
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.lettering import shortened_names, widest, width_of
from qrelsmith.report.palette import GROUPS
from qrelsmith.report.placing import spread_out

_WIDTH = 700.0
_WIDEST_NAME = 150.0
_MANY = 26
# Number of coloured systems: those whose ranks differ most between columns.
_SET_OFF = 6
# Space for a rank beside a column.
_RANK = 26.0


@kind(RankLines)
def rank_lines(drawing: RankLines) -> Canvas | None:
    """Draw a line for each system with its name at both ends; the largest moves are coloured."""
    check_lengths(drawing, drawing.names, drawing.ranks)
    check_lengths(drawing, drawing.columns, *drawing.ranks)
    if not drawing.names or not drawing.columns:
        return None
    many = len(drawing.names) >= _MANY
    pitch, size = (12.0, SMALL) if many else (17.0, NAME)
    names = shortened_names(drawing.names, _WIDEST_NAME, size)
    columns = shortened_names(drawing.columns, _WIDEST_NAME, NAME)
    side = widest(names, size, bold=True) + _RANK + 22
    left, right = side, _WIDTH - side
    gap = (right - left) / max(len(columns) - 1, 1)
    xs = [left + place * gap for place in range(len(columns))]
    if len(columns) == 1:
        xs = [(left + right) / 2]
    angle = 0.0 if widest(columns, NAME) <= gap - 8 and len(columns) > 1 else 45.0
    over, up = zip(*(reach(width_of(name, NAME), angle) for name in columns), strict=True)
    top: float = max(up) + NAME + 20
    worst = max((rank for row in drawing.ranks for rank in row if math.isfinite(rank)), default=1.0)
    depth = max(worst, float(len(names)), 1.0)
    wide = max([_WIDTH, *(x + spill + 6 for x, spill in zip(xs, over, strict=False))])
    canvas = Canvas(wide, top + (depth - 1) * pitch + 14)

    def at(rank: float) -> float:
        return top + (rank - 1) * pitch

    for x, name, full in zip(xs, columns, drawing.columns, strict=True):
        canvas.line((x, x), (top - 6, at(depth) + 6), "faint", width=HAIRLINE)
        canvas.text(
            x,
            top - 14,
            name,
            align="left" if angle else "center",
            angle=angle,
            tip=full if full != name else "",
        )
    roles = _roles(drawing)
    for place in sorted(range(len(names)), key=lambda place: bool(roles[place])):
        ranks = drawing.ranks[place]
        role = roles[place] or "edge"
        set_off = bool(roles[place])
        tip = f"{drawing.names[place]}: " + ", ".join(
            f"{column} {_rank(rank)}" for column, rank in zip(drawing.columns, ranks, strict=True)
        )
        canvas.line(
            xs, [at(rank) for rank in ranks], role, width=STRONG if set_off else THIN, tip=tip
        )
        for x, column, rank in zip(xs, drawing.columns, ranks, strict=True):
            if math.isfinite(rank):
                tip = f"{drawing.names[place]}: {_rank(rank)} ({column})"
                canvas.mark(x, at(rank), role, radius=2.8 if set_off else 2.0, tip=tip)
    for end, x, direction in ((0, xs[0], -1.0), (-1, xs[-1], 1.0)):
        ranks_there = [row[end] for row in drawing.ranks]
        _draw_names(canvas, drawing, names, ranks_there, roles, at, x, direction, pitch, size)
    return canvas


def _draw_names(
    canvas: Canvas,
    drawing: RankLines,
    names: Sequence[str],
    ranks: Sequence[float],
    roles: Sequence[str],
    at: Callable[[float], float],
    x: float,
    direction: float,
    pitch: float,
    size: float,
) -> None:
    """Draw names beside a column, moved apart if systems are tied."""
    present = sorted(
        (place for place in range(len(names)) if math.isfinite(ranks[place])),
        key=lambda place: (ranks[place], place),
    )
    heights = spread_out([at(ranks[place]) for place in present], pitch)
    for place, y in zip(present, heights, strict=True):
        exact = at(ranks[place])
        if abs(exact - y) > 0.5:
            canvas.line((x + direction * 5, x + direction * 13), (exact, y), "rule", width=HAIRLINE)
        base = middle(y, size)
        rank_at = x - 15 if direction < 0 else x + 11 + _RANK
        canvas.text(
            rank_at, base, _rank(ranks[place]), size=size - 0.5, align="right", fill="muted"
        )
        canvas.text(
            x + direction * (18 + _RANK),
            base,
            names[place],
            size=size,
            align="right" if direction < 0 else "left",
            fill=roles[place] or "ink",
            bold=bool(roles[place]),
            tip=drawing.names[place] if names[place] != drawing.names[place] else "",
        )


def _roles(drawing: RankLines) -> list[str]:
    """Return the colour role of each system, or an empty string if the system is not coloured."""
    ranges = []
    for row in drawing.ranks:
        finite = [rank for rank in row if math.isfinite(rank)]
        ranges.append(max(finite) - min(finite) if finite else 0.0)
    chosen = list(range(len(ranges)))
    if len(ranges) > GROUPS:
        chosen.sort(key=lambda place: (-ranges[place], place))
        chosen = sorted(place for place in chosen[:_SET_OFF] if ranges[place] > 0)
    roles = [""] * len(ranges)
    for colour, place in enumerate(chosen):
        roles[place] = f"group-{colour % GROUPS}"
    return roles


def _rank(rank: float) -> str:
    """Format a rank; a mean of tied ranks has a decimal."""
    return number(rank, 0 if float(rank).is_integer() else 1)
