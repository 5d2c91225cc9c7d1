"""Tables as aligned plain text, with full width or fitted to a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Sequence

_GAP = "  "
# Minimum width of a text column, unless all its cells are narrower.
_LEAST = 12


def plain_text(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numeric: Collection[int],
    width: int | None = None,
    paint: Callable[[str, str], str] | None = None,
) -> str:
    """Align columns; if a width is given, wrap text, and put columns that do not fit below.

    Parameters
    ----------
    headings, rows : sequence of str
        The content of the table.
    numeric : collection of int
        The indices of columns with numbers, which are right-aligned and never wrap.
    width : int, optional
        Maximum number of characters per line. Each additional block also begins with the first
        column.
    paint : callable, optional
        Colours a cell, given the heading and the padded text.
    """
    cells = [headings, *rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(headings))]
    if width is None or _span(widths) <= width:
        return _block(cells, range(len(headings)), widths, numeric, paint)
    least = [each if place in numeric else min(each, _LEAST) for place, each in enumerate(widths)]
    blocks = []
    for places in _blocks_that_fit(least, width):
        most = max(widths[place] for place in places)
        while most > _LEAST and _span(_limit_widths(widths, places, numeric, most)) > width:
            most -= 1
        limited = dict(zip(places, _limit_widths(widths, places, numeric, most), strict=True))
        blocks.append(_block(cells, places, limited, numeric, paint))
    return "\n".join(blocks)


def _span(widths: Collection[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _limit_widths(
    widths: Sequence[int], places: Iterable[int], numeric: Collection[int], most: int
) -> list[int]:
    return [widths[each] if each in numeric else min(widths[each], most) for each in places]


def _blocks_that_fit(least: Sequence[int], width: int) -> list[list[int]]:
    """Return the column indices of each block; all blocks have the first column."""
    blocks = [[0]]
    for place in range(1, len(least)):
        if len(blocks[-1]) > 1 and _span([least[each] for each in (*blocks[-1], place)]) > width:
            blocks.append([0])
        blocks[-1].append(place)
    return blocks


def _block(
    cells: Sequence[Sequence[str]],
    places: Iterable[int],
    widths: Sequence[int] | dict[int, int],
    numeric: Collection[int],
    paint: Callable[[str, str], str] | None,
) -> str:
    columns = list(places)
    lines: list[str] = []
    for number, row in enumerate(cells):
        parts = [_wrap(row[place], widths[place]) for place in columns]
        for level in range(max(map(len, parts))):
            texts = [part[level] if level < len(part) else "" for part in parts]
            padded = [
                text.rjust(widths[place]) if place in numeric else text.ljust(widths[place])
                for place, text in zip(columns, texts, strict=True)
            ]
            padded[-1] = padded[-1].rstrip()
            if paint is not None and number:
                headings = (cells[0][place] for place in columns)
                padded = [paint(*each) for each in zip(headings, padded, strict=True)]
            lines.append(_GAP.join(padded).rstrip())
        if not number:
            lines.append(_GAP.join("─" * widths[place] for place in columns))
    return "".join(f"{line}\n" for line in lines)


def _wrap(text: str, width: int) -> list[str]:
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]
