"""Figures 6 to 9: the best ways to cut 101 levels into four, topic by topic, as boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.content import Boxes, Figure, NamedTable
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_positions import HighestCuts
from qrelsmith.cuts.cut_positions import highest_cuts as highest_cuts_of
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.methods import Transformation
from qrelsmith_papers.scale_transformation.searches import Searched, search_all

_WORK = "qrelsmith_papers.scale_transformation.ten_best:highest_cuts"
_CUTS = ("first cut", "second cut", "third cut")
_LEVELS = 100  # places of a cut of 101 levels
READING = (
    "The paper's figures show the range of the ten highest values of α. Sets of cuts that leave all"
    " docs on the same levels have one value; they all count here."
)


@dataclass(frozen=True, slots=True)
class Best:
    """The best cuts of a transformation.

    Attributes
    ----------
    searched : Searched
        Its best cuts.
    highest : HighestCuts
        All that are about as good.
    """

    searched: Searched
    highest: HighestCuts

    @property
    def mean_range(self) -> float:
        """The mean range of these, over cuts and topics."""
        return float(np.nanmean(self.highest.ranges()))


def best_of(inputs: StudyInputs, wanted: Sequence[Transformation]) -> dict[Transformation, Best]:
    """The best cuts of transformations, and those that are about as good."""
    cells = [
        Cell(
            _WORK,
            {
                "method": transformation.method,
                "target": transformation.target,
                "labels": labels_of(inputs),
            },
            inputs.seed,
        )
        for transformation in wanted
    ]
    searches = search_all(inputs, wanted)
    tables = inputs.sweep(cells)
    return {
        transformation: Best(searched, _highest(list(searched.topics), table))
        for transformation, searched, table in zip(wanted, searches, tables, strict=True)
    }


def highest_cuts(*, method: str, target: str, labels: str, seed: int) -> Table:
    """How many sets of cuts with one of a topic's ten highest α have each cut at each level."""
    data = collection(labels=labels, seed=seed)
    found = highest_cuts_of(data.search(Transformation(method, 101, 4, target)))
    rows = [
        (found.topics[topic], cut, int(found.candidates[place]), int(count))
        for (topic, cut, place), count in np.ndenumerate(found.counts)
        if count
    ]
    return Table.of(("topic", "cut", "level", "sets"), rows)


def boxes(key: str, found: Mapping[Transformation, Best]) -> tuple[Figure, ...]:
    """A figure for each transformation: three boxes a topic."""
    return tuple(
        _figure(f"{key}-{letter}", one, best)
        for letter, (one, best) in zip("abcdef", found.items(), strict=False)
    )


def best_table(key: str, by_transformation: Mapping[Transformation, Best]) -> NamedTable:
    """The best cuts of each topic by transformation, and of the collection."""
    first = next(iter(by_transformation.values()))
    rows: list[tuple[TableCell, ...]] = [
        (topic, *(best.searched.topics[topic].written for best in by_transformation.values()))
        for topic in first.searched.topics
    ]
    rows.append(
        ("all, one set", *(best.searched.single.written for best in by_transformation.values()))
    )
    rows.append(("mean range", *(_ranges(best) for best in by_transformation.values())))
    return NamedTable(
        key=f"{key}-topics",
        title="The best cuts of each topic",
        table=Table.of(("topic", *(one.written for one in by_transformation)), rows),
        note="The last row: from the lowest to the highest first, second and third cut of the sets"
        " with one of a topic's ten highest values of α, mean over topics.",
    )


def _highest(topics: Sequence[str], table: Table) -> HighestCuts:
    counts = np.zeros((len(topics), len(_CUTS), _LEVELS), dtype=np.int64)
    for topic, cut, level, count in table.rows:
        counts[topics.index(str(topic)), int(str(cut)), int(str(level))] = int(str(count))
    return HighestCuts(tuple(topics), np.arange(_LEVELS, dtype=np.float64), counts)


def _ranges(best: Best) -> str:
    return " ".join(f"{width:.1f}" for width in np.nanmean(best.highest.ranges(), axis=0).tolist())


def _figure(key: str, one: Transformation, best: Best) -> Figure:
    highest = best.highest
    rows = [(topic, cut) for topic in range(len(highest.topics)) for cut in range(len(_CUTS))]
    return Figure(
        key=key,
        title=f"Sets of cuts of S100 into four levels with the ten highest α: {one.written}",
        drawing=Boxes(
            names=[highest.topics[topic] if cut == 1 else "" for topic, cut in rows],
            values=[np.repeat(highest.candidates, highest.counts[row]).tolist() for row in rows],
            label="cut",
            groups=[_CUTS[cut] for _, cut in rows],
            dots=[_best_cut(best.searched, highest.topics[topic], cut) for topic, cut in rows],
        ),
        caption="Three rows for each topic, one for each cut; n is how many sets there are. Boxes"
        " go from quartile to quartile; the black dot is the best cut.",
    )


def _best_cut(search: Searched, topic: str, cut: int) -> float:
    cuts = search.topics[topic].cuts
    return float(cuts[cut]) if cuts else np.nan
