"""Figures 6 to 9: 101 levels cut into four, with the best cuts of each topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Boxes, Figure, NamedTable
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_positions import HighestCuts
from qrelsmith.cuts.cut_positions import highest_cuts as highest_cuts_of
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.scale_transformation.collection import cell_of, collection
from qrelsmith_papers.scale_transformation.methods import DOUBLE, SINGLE, Transformation
from qrelsmith_papers.scale_transformation.published_scales import hold, of_crowds
from qrelsmith_papers.scale_transformation.searches import Searched, search_all

_CUTS = ("first cut", "second cut", "third cut")
_LEVELS = 100  # possible positions of a cut of 101 levels
_HIGH = 90.0
_READING = (
    "The paper's figures show the range of the ten highest values of α. Sets of cuts that leave all"
    " docs on the same levels have one value; they all count here."
)
_EXPERTS = "The simulated expert judged relevant docs again, and these docs determine the cuts."


@dataclass(frozen=True, slots=True)
class Best:
    """The best cuts of a transformation, and all cuts that are nearly as good."""

    searched: Searched
    highest: HighestCuts

    @property
    def mean_range(self) -> float:
        """The mean range of the nearly best cuts, over cuts and topics."""
        return float(np.nanmean(self.highest.ranges()))


class _Bests(NamedTuple):
    """The best cuts by method, for one target and optionally for a second target."""

    first: Sequence[Best]
    second: Sequence[Best] = ()

    def narrower(self) -> float:
        """Return the smallest difference in range width by method: first minus second target."""
        pairs = zip(self.first, self.second, strict=True)
        return min(one.mean_range - other.mean_range for one, other in pairs)

    def tops(self, of: Sequence[Best]) -> FloatArray:
        """Return the top cut of each topic, averaged over the methods."""
        return np.asarray(np.mean([best.searched.tops for best in of], axis=0))

    def test(self) -> tuple[float, float]:
        """Return the mean difference of top cuts (first − second target), and p of the t-test."""
        both = np.stack([self.tops(self.first), self.tops(self.second)], axis=1)
        test = paired_t(both[~np.isnan(both).any(axis=1)])
        return float(test.difference[0]), float(test.p[0])

    def wider_docs(self) -> float:
        """Return the smallest difference in range width: doc-centric minus HIT-centric methods."""
        hit, *doc = (
            [a.mean_range, b.mean_range] for a, b in zip(self.first, self.second, strict=True)
        )
        return min(value for of in doc for value in of) - max(hit)


_FIGURE_6: tuple[c.Claim[_Bests], ...] = (
    c.claim(
        "A comparison between a+t and t+a does not show significant differences.",
        (
            "largest difference between a topic's best α by H_t+a¹ and by H_a+t¹",
            lambda bests: float(
                np.abs(np.diff([[one.alpha for one in best.searched.topics.values()]
                                for best in bests.first[:2]], axis=0)).max(),
            ),
            c.at_most(1e-9),
        ),
    ),
)  # fmt: skip
_FIGURE_8: tuple[c.Claim[_Bests], ...] = (
    c.claim(
        "With So4 alone a large interval of cuts is about as good as the best; with unjudged docs"
        " as not relevant there is less variability.",
        ("smallest narrowing of a method's range, in levels", _Bests.narrower, c.at_least(1)),
    ),
)
_FIGURE_9: tuple[c.Claim[_Bests], ...] = (
    c.claim(
        f"The top cut selected by So4_a methods tends to be {_HIGH:g} or higher.",
        (
            "share of topics with such a cut, mean over the methods",
            lambda bests: float(np.mean(bests.tops(bests.first) >= _HIGH)),
            c.over(0.5),
        ),
    ),
    c.claim(
        "The difference from the top cut selected by S4 methods is significant, p < 0.001.",
        ("lead of So4_a's cut, in levels", lambda bests: bests.test()[0], c.over(0)),
        ("p of the paired t test over topics", lambda bests: bests.test()[1], c.under(0.001)),
    ),
    c.claim(
        "Doc-centric methods display higher variability in the best cuts than HIT-centric ones.",
        ("smallest excess width of their ranges, in levels", _Bests.wider_docs, c.over(0)),
    ),
)


def into_four(method: str, target: str = "") -> Transformation:
    """Return the transformation of S100 into four levels."""
    return Transformation(method, 101, 4, target)


def _with(target: str) -> tuple[Transformation, ...]:
    return tuple(into_four(method, target) for method in DOUBLE)


def _figure(
    key: str,
    what: str,
    summary: str,
    wanted: Sequence[Transformation],
    claims: Sequence[c.Claim[_Bests]] = (),
    *,
    beside: str = "",
    first: bool = False,
    drawn: slice = slice(None),
    paragraphs: Sequence[str] = (),
    deviation: str = "",
) -> None:
    """Register a figure with boxes of the best cuts of transformations.

    `beside` is the second target for the claims. If `first` is true, `beside` is the first target.
    """

    def make(inputs: StudyInputs) -> Made:
        best = best_of(inputs, wanted)
        own, others = (
            list(best.values()),
            list(best_of(inputs, _with(beside)).values()) if beside else [],
        )
        bests = _Bests(others, own) if first else _Bests(own, others)
        shown = dict(list(best.items())[drawn])
        return Made(
            held=[hold(inputs, bests)] if claims else [],
            tables=[_best_table(key, best)],
            figures=[
                _boxes(f"{key}-{letter}", one, each)
                for letter, (one, each) in zip("abcdef", shown.items(), strict=False)
            ],
            paragraphs=paragraphs,
        )

    make.__doc__ = summary
    make.__name__ = f"figure{key.removeprefix('fig')}"
    of_crowds(
        key,
        title=f"Figure {key.removeprefix('fig')}: S100 to four levels, {what}",
        claims=claims,
        deviation=deviation,
    )(make)


_figure(
    "fig6",
    "single data set",
    "Plot the ten best sets of cuts from S100 to four levels, single data set.",
    tuple(into_four(method) for method in SINGLE),
    _FIGURE_6,
    drawn=slice(0, 3, 2),
    paragraphs=(
        "All 161,700 sets of three cuts are tried. Among nine labels a+t and t+a are the same; the"
        " figure has them once.",
        _READING,
    ),
)
_figure(
    "fig7",
    "with So4",
    "Plot the ten best sets of cuts from S100 to four levels, with So4.",
    _with("So4"),
    deviation=_EXPERTS,
)
_figure(
    "fig8",
    "with So4_a",
    "Plot the ten best sets of cuts from S100 to four levels, with So4_a.",
    _with("So4_a"),
    _FIGURE_8,
    beside="So4",
    first=True,
    deviation=_EXPERTS,
)
_figure(
    "fig9",
    "with S4",
    "Plot the ten best sets of cuts from S100 to four levels, with S4.",
    _with("S4"),
    _FIGURE_9,
    beside="So4_a",
    first=True,
    deviation="The experts and the crowd are simulated; methods differ more than experts.",
)


def best_of(inputs: StudyInputs, wanted: Sequence[Transformation]) -> dict[Transformation, Best]:
    """Return the best cuts of transformations, and cuts that are nearly as good."""
    cells = [cell_of(inputs, highest_cuts, entry) for entry in wanted]
    searches = search_all(inputs, wanted)
    return {
        entry: Best(searched, _highest(list(searched.topics), table))
        for entry, searched, table in zip(wanted, searches, inputs.sweep(cells), strict=True)
    }


def highest_cuts(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """Count, by cut and level, the sets with one of a topic's ten highest α."""
    data = collection(labels=labels, seed=seed)
    found = highest_cuts_of(data.search(Transformation(method, source, levels, target)))
    rows = [
        (found.topics[topic], cut, int(found.candidates[place]), int(count))
        for (topic, cut, place), count in np.ndenumerate(found.counts)
        if count
    ]
    return Table.of(("topic", "cut", "level", "sets"), rows)


def _best_table(key: str, result: Mapping[Transformation, Best]) -> NamedTable:
    """Return the best cuts of each topic by transformation, and of the collection."""
    rows = [
        (topic, *(best.searched.topics[topic].written for best in result.values()))
        for topic in next(iter(result.values())).searched.topics
    ]
    rows.append(("all, one set", *(best.searched.single.written for best in result.values())))
    rows.append(("mean range", *(_ranges(best) for best in result.values())))
    return table_of(
        f"{key}-topics",
        "The best cuts of each topic",
        "|".join(["topic", *(one.written for one in result)]),
        rows,
        "The last row: from the lowest to the highest first, second and third cut of the sets with"
        " one of a topic's ten highest values of α, mean over topics.",
    )


def _highest(topics: Sequence[str], table: Table) -> HighestCuts:
    counts = np.zeros((len(topics), len(_CUTS), _LEVELS), dtype=np.int64)
    for topic, cut, level, count in table.rows:
        counts[topics.index(str(topic)), int(str(cut)), int(str(level))] = int(str(count))
    return HighestCuts(tuple(topics), np.arange(_LEVELS, dtype=np.float64), counts)


def _ranges(best: Best) -> str:
    return " ".join(f"{width:.1f}" for width in np.nanmean(best.highest.ranges(), axis=0).tolist())


def _boxes(key: str, entry: Transformation, best: Best) -> Figure:
    """Return three boxes per topic."""
    highest, searched = best.highest, best.searched
    rows = [(topic, cut) for topic in range(len(highest.topics)) for cut in range(len(_CUTS))]
    chosen = [searched.topics[topic].cuts for topic in highest.topics]
    return Figure(
        key=key,
        title=f"Sets of cuts of S100 into four levels with the ten highest α: {entry.written}",
        drawing=Boxes(
            names=[highest.topics[topic] if cut == 1 else "" for topic, cut in rows],
            values=[np.repeat(highest.candidates, highest.counts[row]).tolist() for row in rows],
            label="cut",
            groups=[_CUTS[cut] for _, cut in rows],
            dots=[float(chosen[t][cut]) if chosen[t] else np.nan for t, cut in rows],
        ),
        caption="Three rows for each topic, one for each cut; n is how many sets there are. Boxes"
        " go from quartile to quartile; the black dot is the best cut.",
    )
