"""Figures 1 and 2: four levels cut into two, α of each cut by topic, and the mean at the right."""

from __future__ import annotations

import math
from collections.abc import Mapping

from qrelsmith.base.content import Figure, Line, Lines, NamedTable
from qrelsmith.base.tables import Cell, Table
from qrelsmith_papers.scale_transformation.methods import Transformation
from qrelsmith_papers.scale_transformation.searches import Searched

CUTS = ("left", "middle", "right")


def panels(key: str, found: Mapping[Transformation, Searched]) -> tuple[Figure, ...]:
    """A figure for each transformation."""
    return tuple(
        _panel(f"{key}-{letter}", one, searched)
        for letter, (one, searched) in zip("abcdef", found.items(), strict=False)
    )


def topic_table(key: str, searches: Mapping[Transformation, Searched]) -> NamedTable:
    """The best cut of each topic by transformation, and its α."""
    topics = next(iter(searches.values())).topics
    rows: list[tuple[Cell, ...]] = []
    for topic in topics:
        row: list[Cell] = [topic]
        for searched in searches.values():
            chosen = searched.topics[topic]
            row += [CUTS[int(chosen.cuts[0])] if chosen.cuts else "nan", chosen.alpha]
        rows.append(tuple(row))
    last: list[Cell] = ["all, one cut"]
    for searched in searches.values():
        last += [CUTS[int(searched.single.cuts[0])], searched.single.alpha]
    columns = ["topic"]
    for one in searches:
        columns += [one.written, f"α, {one.written}"]
    return NamedTable(
        key=f"{key}-topics",
        title="The best cut of each topic",
        table=Table.of(columns, [*rows, tuple(last)]),
        note="The last row: one cut for all topics, with the mean of their α.",
    )


def _panel(key: str, transformation: Transformation, search: Searched) -> Figure:
    topics = list(search.topics)
    # A place is left free between the last topic and the mean.
    places = [float(place) for place in range(1, len(topics) + 3)]
    names = [*topics, "", "mean"]
    means = ", ".join(
        f"{cut} {mean:.3f}" for cut, mean in zip(CUTS, search.alphas[-1].tolist(), strict=True)
    )
    return Figure(
        key=key,
        title=f"α by topic and cut of S4 into two levels: {transformation.written}",
        drawing=Lines(
            lines=[
                Line(cut, places, [*column[:-1].tolist(), math.nan, float(column[-1])])
                for cut, column in zip(CUTS, search.alphas.T, strict=True)
            ],
            ticks=[(place, name) for place, name in zip(places, names, strict=True) if name],
            x_label="topic",
            y_label="α, ordinal",
        ),
        caption=f"Means over topics: {means}. A label above the cut goes up.",
    )
