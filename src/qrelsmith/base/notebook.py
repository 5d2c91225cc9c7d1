"""Small HTML tables of objects in a notebook; all content of files is escaped."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

MOST_ROWS = 20
"""Maximum number of rows of a table in a notebook."""

_RIGHT = ' style="text-align:right"'


def html_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Collection[int] = (),
    bold: Sequence[Sequence[bool]] = (),
    title: str = "",
    notes: Sequence[str] = (),
    total: int | None = None,
) -> str:
    """Format a table as HTML.

    Parameters
    ----------
    columns : sequence of str
        The header.
    rows : sequence of sequence of str
        The cells.
    right : collection of int
        The columns of numbers.
    bold : sequence of sequence of bool
        Whether each cell is in bold.
    title : str
        The caption above the table.
    notes : sequence of str
        The notes below the table, one line each.
    total : int, optional
        The total number of rows, if `rows` has only the first rows.

    >>> html_table(["run"], [["<b>"]])
    '<table><thead><tr><th>run</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    more = (len(rows) if total is None else total) - len(rows)
    head = _row("th", columns, right)
    body = "".join(
        _row("td", row, right, bold[place] if bold else ()) for place, row in enumerate(rows)
    )
    above = f"<p><b>{escape(title)}</b></p>" if title else ""
    lines = [*([f"… and {more:,} rows more"] if more > 0 else []), *notes]
    below = "".join(f"<p><small>{escape(line)}</small></p>" for line in lines)
    return f"{above}<table><thead>{head}</thead><tbody>{body}</tbody></table>{below}"


def _row(tag: str, cells: Sequence[str], right: Collection[int], bold: Sequence[bool] = ()) -> str:
    texts = [
        f"<b>{escape(cell)}</b>" if place < len(bold) and bold[place] else escape(cell)
        for place, cell in enumerate(cells)
    ]
    inside = "".join(
        f"<{tag}{_RIGHT if place in right else ''}>{text}</{tag}>"
        for place, text in enumerate(texts)
    )
    return f"<tr>{inside}</tr>"
