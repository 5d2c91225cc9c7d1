"""The distance of docs from the top grade of their topic, as table and figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qrelsmith.base.content import Figure, StackedShares
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.topk.topk_sessions import whole
from qrelsmith.topk.topk_tables import grade_shares

COLUMNS = ("docs of", "below", "docs", "share")


def shares_table(docs_by_name: Mapping[str, tuple[Iterable[tuple[str, str]], Qrels]]) -> Table:
    """The shares of several sets of docs, each with the grades that it is looked up in."""
    return Table.of(
        COLUMNS,
        [
            (name, whole(float(str(step))), *rest)
            for name, (docs, grades) in docs_by_name.items()
            for step, *rest in grade_shares(docs, grades).rows
        ],
    )


def shares_figure(table: Table, *, key: str, title: str, caption: str) -> Figure:
    """The same as bars."""
    names = list(dict.fromkeys(str(row[0]) for row in table.rows))
    steps = sorted({float(str(row[1])) for row in table.rows})
    share = {(row[0], row[1]): float(str(row[3])) for row in table.rows}
    return Figure(
        key=key,
        title=title,
        drawing=StackedShares(
            names=names,
            parts=["top grade", *(f"{step:g} below" for step in steps if step)],
            shares=[[share.get((name, step), 0.0) for step in steps] for name in names],
            label="share of the docs",
        ),
        caption=caption,
    )


def share_below(table: Table, name: str, step: float) -> float:
    """The share of a set's docs that are so far below; 0 if none is."""
    return next(
        (float(str(row[3])) for row in table.rows if row[0] == name and row[1] == step), 0.0
    )
