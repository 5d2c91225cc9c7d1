"""Figures 3 and 4: 101 levels cut into two, α of every cut and topic as a map."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qrelsmith.base.content import Figure, HeatMap, NamedTable
from qrelsmith.base.tables import Cell, Table
from qrelsmith_papers.scale_transformation.methods import Transformation
from qrelsmith_papers.scale_transformation.searches import Searched


def maps(key: str, found: Mapping[Transformation, Searched]) -> tuple[Figure, ...]:
    """A map for each transformation."""
    return tuple(
        _map(f"{key}-{letter}", one, searched)
        for letter, (one, searched) in zip("abcdef", found.items(), strict=False)
    )


def topic_table(key: str, searches: Mapping[Transformation, Searched]) -> NamedTable:
    """The best cut of each topic by transformation."""
    first = next(iter(searches.values()))
    rows: list[tuple[Cell, ...]] = [
        (topic, *(searched.topics[topic].written for searched in searches.values()))
        for topic in first.topics
    ]
    rows.append(("all, one cut", *(searched.single.written for searched in searches.values())))
    return NamedTable(
        key=f"{key}-topics",
        title="The best cut of each topic",
        table=Table.of(("topic", *(one.written for one in searches)), rows),
    )


def _map(key: str, transformation: Transformation, search: Searched) -> Figure:
    rows = [*search.topics, "mean"]
    values = search.alphas
    defined = values[~np.isnan(values)]
    return Figure(
        key=key,
        title=f"α by cut of S100 into two levels: {transformation.written}",
        drawing=HeatMap(
            rows=rows,
            columns=[str(cut) for cut in range(values.shape[1])],
            values=values.tolist(),
            low=float(np.floor(defined.min() * 10) / 10) if defined.size else 0.0,
            high=float(np.ceil(defined.max() * 10) / 10) if defined.size else 1.0,
            label="α, ordinal",
            marks=[(int(row), int(cut)) for row, cut in np.argwhere(search.best)],
        ),
        caption="A row for each topic, a column for each cut from 0 to 99; the dots are the best"
        " cuts, all of them where several are as good. Struck out: α is undefined, since all labels"
        " end on one level.",
    )
