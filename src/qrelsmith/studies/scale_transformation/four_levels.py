"""Figures 1 and 2: four levels cut into two, a line for each topic."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qrelsmith.content import Figure, Line, Lines, NamedTable
from qrelsmith.studies.scale_transformation.methods import Transformation
from qrelsmith.studies.scale_transformation.searches import Searched
from qrelsmith.tables import Cell, Table

CUTS = ("left", "middle", "right")


def panels(key: str, found: Mapping[Transformation, Searched]) -> tuple[Figure, ...]:
    """A figure for each transformation."""
    return tuple(
        _panel(f"{key}-{letter}", one, searched)
        for letter, (one, searched) in zip("abcdef", found.items(), strict=False)
    )


def topic_table(key: str, found: Mapping[Transformation, Searched]) -> NamedTable:
    """The best cut of each topic by transformation, and its α."""
    topics = next(iter(found.values())).topics
    rows: list[tuple[Cell, ...]] = []
    for topic in topics:
        row: list[Cell] = [topic]
        for searched in found.values():
            chosen = searched.topics[topic]
            row += [CUTS[int(chosen.cuts[0])] if chosen.cuts else "nan", chosen.alpha]
        rows.append(tuple(row))
    last: list[Cell] = ["all, one cut"]
    for searched in found.values():
        last += [CUTS[int(searched.single.cuts[0])], searched.single.alpha]
    columns = ["topic"]
    for one in found:
        columns += [one.written, f"α, {one.written}"]
    return NamedTable(
        key=f"{key}-topics",
        title="The best cut of each topic",
        table=Table.of(columns, [*rows, tuple(last)]),
        note="The last row: one cut for all topics, with the mean of their α.",
    )


def _panel(key: str, one: Transformation, found: Searched) -> Figure:
    topics = list(found.topics)
    x = [0.0, 1.0, 2.0]
    mean = found.alphas[-1]
    best = int(np.nanargmax(mean))
    lines = [Line("mean over topics", x, mean.tolist())]
    lines += [
        Line(topic, x, row.tolist(), group="topics")
        for topic, row in zip(topics, found.alphas[:-1], strict=True)
    ]
    return Figure(
        key=key,
        title=f"α by cut of S4 into two levels: {one.written}",
        drawing=Lines(
            lines=lines,
            x_label="cut: 0 left, 1 middle, 2 right",
            y_label="α, ordinal",
            marks=[(x[best], float(mean[best]), f"best mean: {CUTS[best]}")],
        ),
        caption="A label above the cut goes up. A line for each topic, and the mean over them.",
    )
