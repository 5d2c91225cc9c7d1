"""The small pictures on a label set's card: system scores, and grades of the docs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from qrelsmith.base.content import SetView
from qrelsmith.report.axis import Axis
from qrelsmith.report.palette import STEPS
from qrelsmith.report.prose import clean

_SIDE = 100.0  # size of the square for the systems
_MOVED = ' class="moved"'


@dataclass(frozen=True, slots=True)
class ShownShare:
    """A cell of the grade table: percentage of the row's docs, number of docs, and darkness."""

    percent: int
    docs: int
    shade: int


@dataclass(frozen=True, slots=True)
class ShownGrades:
    """Docs counted by the reference's grade (rows, highest first) and the label set's grade."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, int, Sequence[ShownShare]]]


def scatter_view(view: SetView, moved: Sequence[int]) -> Markup:
    """Return the systems as points: the reference's mean as x, the label set's mean as y.

    Points are in the order of the systems, on which the page's script relies.
    """
    if not view.means:
        return Markup()
    across = Axis.over((x for x, _ in view.means), 0, _SIDE)
    along = Axis.over((y for _, y in view.means), _SIDE, 0)
    dots = "".join(
        f'<circle cx="{across.at(x):.1f}" cy="{along.at(y):.1f}" r="2"'
        f"{_MOVED if system in moved else ''}/>"
        for system, (x, y) in enumerate(view.means)
    )
    return Markup(  # noqa: S704 - numbers
        f'<svg class="scatter" viewBox="0 0 {_SIDE:g} {_SIDE:g}" aria-hidden="true">'
        f'<path class="frame" d="M0 0V{_SIDE:g}H{_SIDE:g}"/><g class="dots">{dots}</g></svg>'
    )


def grades_view(view: SetView) -> ShownGrades | None:
    """Return the grade table for the page, or None if no doc has both grades."""
    if not any(map(sum, view.docs)):
        return None
    rows = []
    for name, docs in reversed(list(zip(view.rows, view.docs, strict=True))):
        shares = [count / max(sum(docs), 1) for count in docs]
        cells = [
            ShownShare(round(100 * share), count, round(share * (STEPS - 1) / 4) * 4)
            for share, count in zip(shares, docs, strict=True)
        ]
        rows.append((clean(name), sum(docs), cells))
    return ShownGrades([clean(name) for name in view.columns], rows)
