"""Figures 6 to 10: 101 levels cut into four, the best ways topic by topic and all the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Boxes, Figure, NamedTable, Points
from qrelsmith.base.scipy_parts import special
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_positions import (
    HighestCuts,
    cut_positions,
    relevant_shares,
    width_correlations,
)
from qrelsmith.cuts.cut_positions import highest_cuts as highest_cuts_of
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.studies.claims import (
    Claim,
    ClaimKind,
    Held,
    Part,
    at_least,
    at_most,
    claim,
    greater_than,
    less_than,
)
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import artefact_table
from qrelsmith.sweep import Cell
from qrelsmith.sweep.cells import Parameter
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.methods import DOUBLE, SINGLE, Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import (
    hold,
    kind_of_scales,
    scales_read,
)
from qrelsmith_papers.scale_transformation.searches import Searched, search_all

_CUTS = ("first cut", "second cut", "third cut")
_LEVELS = 100  # places of a cut of 101 levels
_HIGH = 90.0
_READING = (
    "The paper's figures show the range of the ten highest values of α. Sets of cuts that leave all"
    " docs on the same levels have one value; they all count here."
)
_EXPERTS = "The simulated expert looked again at relevant docs, and these fix the cuts."


@dataclass(frozen=True, slots=True)
class Best:
    """The best cuts of a transformation, and all that are about as good."""

    searched: Searched
    highest: HighestCuts

    @property
    def mean_range(self) -> float:
        """The mean range of these, over cuts and topics."""
        return float(np.nanmean(self.highest.ranges()))


class _Bests(NamedTuple):
    """The best cuts by method, with one target and perhaps with another."""

    first: Sequence[Best]
    second: Sequence[Best] = ()

    def narrower(self) -> float:
        """By how many levels the ranges of the first are wider, the least over the methods."""
        pairs = zip(self.first, self.second, strict=True)
        return min(one.mean_range - other.mean_range for one, other in pairs)

    def tops(self, of: Sequence[Best]) -> FloatArray:
        """Return the top cut of each topic, mean over the methods."""
        return np.asarray(np.mean([best.searched.tops for best in of], axis=0))

    def test(self) -> tuple[float, float]:
        """Return how much higher the first target's top cuts are, and p of the paired t test."""
        both = np.stack([self.tops(self.first), self.tops(self.second)], axis=1)
        test = paired_t(both[~np.isnan(both).any(axis=1)])
        return float(test.difference[0]), float(test.p[0])

    def wider_docs(self) -> float:
        """By how many levels the doc-centric ranges are wider than the HIT-centric, the least."""
        hit, *doc = (
            [a.mean_range, b.mean_range] for a, b in zip(self.first, self.second, strict=True)
        )
        return min(value for of in doc for value in of) - max(hit)


_FIGURE_6: tuple[Claim[_Bests], ...] = (
    claim(
        "A comparison between a+t and t+a does not show significant differences.",
        Part(
            "largest difference of the best α of a topic, H_t+a¹ and H_a+t¹",
            lambda bests: float(
                np.abs(np.diff([[one.alpha for one in best.searched.topics.values()]
                                for best in bests.first[:2]], axis=0)).max(),
            ),
            at_most(1e-9),
        ),
    ),
)  # fmt: skip
_FIGURE_8: tuple[Claim[_Bests], ...] = (
    claim(
        "With So4 alone a large interval of cuts is about as good as the best; with unjudged docs"
        " as not relevant there is less variability.",
        Part(
            "levels by which each method's range narrows, the least", _Bests.narrower, at_least(1)
        ),
    ),
)
_FIGURE_9: tuple[Claim[_Bests], ...] = (
    claim(
        f"The top cut selected by So4_a methods tends to be {_HIGH:g} or higher.",
        Part(
            "share of topics in which it is, mean over the methods",
            lambda bests: float(np.mean(bests.tops(bests.first) >= _HIGH)),
            greater_than(0.5),
        ),
    ),
    claim(
        "The difference from the top cut selected by S4 methods is significant, p < 0.001.",
        Part("levels by which So4_a's is higher", lambda bests: bests.test()[0], greater_than(0)),
        Part("p of the paired t test over topics", lambda bests: bests.test()[1], less_than(0.001)),
    ),
    claim(
        "Doc-centric methods display higher variability in the best cuts than HIT-centric ones.",
        Part(
            "levels by which their ranges are wider, the least", _Bests.wider_docs, greater_than(0)
        ),
    ),
)


def _four(method: str, target: str = "") -> Transformation:
    return Transformation(method, 101, 4, target)


def _with(target: str) -> tuple[Transformation, ...]:
    return tuple(_four(method, target) for method in DOUBLE)


def _figure(
    key: str,
    what: str,
    summary: str,
    wanted: Sequence[Transformation],
    claims: Sequence[Claim[_Bests]] = (),
    *,
    beside: str = "",
    first: bool = False,
    drawn: slice = slice(None),
    paragraphs: Sequence[str] = (),
    deviation: str = "",
) -> None:
    """Register a figure: boxes of the best cuts of some transformations.

    `beside`: the target that its claims compare with; `first`: which then comes first.
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
    SCALES.add(
        key,
        title=f"Figure {key.removeprefix('fig')}: S100 to four levels, {what}",
        claims=claims,
        kind=kind_of_scales,
        reads=scales_read,
        deviation=deviation,
    )(make)


_figure(
    "fig6",
    "single data set",
    "S100 to four levels: the ten best sets of cuts, single data set.",
    tuple(_four(method) for method in SINGLE),
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
    "S100 to four levels: the ten best sets of cuts, with So4.",
    _with("So4"),
    deviation=_EXPERTS,
)
_figure(
    "fig8",
    "with So4_a",
    "S100 to four levels: the ten best sets of cuts, with So4_a.",
    _with("So4_a"),
    _FIGURE_8,
    beside="So4",
    first=True,
    deviation=_EXPERTS,
)
_figure(
    "fig9",
    "with S4",
    "S100 to four levels: the ten best sets of cuts, with S4.",
    _with("S4"),
    _FIGURE_9,
    beside="So4_a",
    first=True,
    deviation="The experts and the crowd are simulated; the methods differ more than the experts"
    " do.",
)


def best_of(inputs: StudyInputs, wanted: Sequence[Transformation]) -> dict[Transformation, Best]:
    """Return the best cuts of transformations, and those that are about as good."""
    cells = [
        Cell(
            f"{__name__}:highest_cuts",
            {"method": entry.method, "target": entry.target, "labels": labels_of(inputs)},
            inputs.seed,
        )
        for entry in wanted
    ]
    searches = search_all(inputs, wanted)
    return {
        entry: Best(searched, _highest(list(searched.topics), table))
        for entry, searched, table in zip(wanted, searches, inputs.sweep(cells), strict=True)
    }


def highest_cuts(*, method: str, target: str, labels: str, seed: int) -> Table:
    """How many sets of cuts with one of a topic's ten highest α have each cut at each level."""
    data = collection(labels=labels, seed=seed)
    found = highest_cuts_of(data.search(_four(method, target)))
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
    return artefact_table(
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
    """Three boxes a topic."""
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


# Figure 10, and section 4.3.2: the 1,000 best, median and worst ways.
_WANTED, _WITHOUT = _four("doc-at", "So4_a"), _four("doc-at", "So4")
_GROUPS = ("best", "median", "worst")
_PUBLISHED: Mapping[str, float | None] = {"best": None, "median": 0.54, "worst": -0.5}
_SIZE = 1000
_TOPICS = 18  # of the paper
_EDGE = 10  # levels from an end of the scale that are very close to it


class _Groups(NamedTuple):
    """The sets of cuts of each group: their spread, how many are near an end, and r and p."""

    spread: Mapping[str, float]
    near_ends: float
    r: Mapping[str, float]
    p: Mapping[str, float]


_FIGURE_10: tuple[Claim[_Groups], ...] = (
    claim(
        "The cut variability is quite limited for the best cuts; for median cuts the noise"
        " increases.",
        Part(
            "standard deviation of a cut among the best sets, in those of the median sets",
            lambda of: of.spread["best"] / of.spread["median"],
            less_than(1),
        ),
    ),
    claim(
        "The worst cuts have values very close to the scale boundaries.",
        Part(f"share of sets with a cut within {_EDGE} levels of an end", lambda of: of.near_ends,
             at_least(0.9)),
    ),
    claim(
        "The width of the median cuts correlates positively with the ratio of relevant docs.",
        Part("r", lambda of: of.r["median"], greater_than(0)),
        Part("p", lambda of: of.p["median"], less_than(0.05)),
        of="r",
    ),
    claim(
        "That of the worst cuts correlates negatively.",
        Part("r", lambda of: of.r["worst"], less_than(0)),
        Part("p", lambda of: of.p["worst"], less_than(0.05)),
        of="r",
    ),
)  # fmt: skip


@SCALES.add(
    "fig10",
    title="Figure 10: best, median and worst cuts",
    claims=_FIGURE_10,
    kind=kind_of_scales,
    reads=scales_read,
    deviation="The paper does not say of which methods the cuts are; by method the correlation goes"
    " from below 0 to above the paper's.",
)
def figure10(inputs: StudyInputs) -> Made:
    """Positions of the 1,000 best, median and worst sets of cuts, and their widths."""
    wanted = (_WANTED, *(entry for entry in (*of_scales(101, 4), _WITHOUT) if entry != _WANTED))
    if inputs.is_draw:
        wanted = wanted[:1]  # the claims are about this one alone
    cells = [_cell(inputs, "group_widths", entry) for entry in wanted]
    *tables, shown = inputs.sweep([*cells, _cell(inputs, "group_cuts", _WANTED)])
    widths, r, p = tables[0].rows[:-2], *tables[0].rows[-2:]
    correlations = [
        (
            entry.written,
            group,
            value,
            sure,
            _PUBLISHED[group] if entry in (_WANTED, _WITHOUT) else None,
        )
        for entry, table in zip(wanted, tables, strict=True)
        for group, value, sure in zip(_GROUPS, table.rows[-2][2:], table.rows[-1][2:], strict=True)
    ]
    by_group = _by_group(shown)
    of_group: dict[str, list[FloatArray]] = {group: [] for group in _GROUPS}
    for (_, group), cuts in by_group.items():
        of_group[group].append(cuts)
    here = _Groups(
        {g: float(np.mean([c.std(axis=0).mean() for c in of])) for g, of in of_group.items()},
        float(np.mean([(np.minimum(c, 99 - c) <= _EDGE).any(axis=1) for c in of_group["worst"]])),
        dict(zip(_GROUPS, (float(str(value)) for value in r[2:]), strict=True)),
        dict(zip(_GROUPS, (float(str(value)) for value in p[2:]), strict=True)),
    )
    printed = {group: value for group, value in _PUBLISHED.items() if value is not None}
    there = _Groups({}, np.nan, printed, {group: _p_of(value) for group, value in printed.items()})
    return Made(
        held=[
            Held("the print", ClaimKind.FROM_PRINT, there, "r"),
            hold(inputs, here),
            hold(inputs, here, "r"),
        ],
        paragraphs=[
            f"Of all 161,700 sets of cuts of {_WANTED.name} the {_SIZE:,} with the highest α, as"
            " many in the middle and as many with the lowest. The topics shown have the smallest,"
            " the median and the largest share of relevant docs.",
            "The width of a set is the distance from its first cut to its third. A topic's share of"
            " relevant docs is that of the docs above level 0 of So4_a.",
        ],
        tables=[
            artefact_table(
                "fig10-correlations",
                "Width of the cuts and share of relevant docs, Pearson's r over topics",
                "method|cuts|r|p|published r",
                correlations,
                "Width: mean over the 1,000 sets of a group. The paper has the median and the worst"
                " cuts of doc-at with So4.",
            ),
            artefact_table(
                "fig10-widths",
                f"Width of the {_SIZE:,} best, median and worst sets of cuts, {_WANTED.name}",
                f"topic|relevant|{'|'.join(_GROUPS)}",
                widths,
            ),
        ],
        figures=[*_positions(by_group), _points(widths)],
    )


def _p_of(r: float) -> float:
    """Return p of a printed correlation over the paper's topics; of r it prints only p < .05."""
    t = r * np.sqrt((_TOPICS - 2) / (1 - r**2))
    return float(2 * special.stdtr(_TOPICS - 2, -abs(t)))


def group_widths(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """The share of relevant docs and the mean width of each group by topic; then their r and p."""
    data = collection(labels=labels, seed=seed)
    positions = cut_positions(
        data.search(Transformation(method, source, levels, target)), size=_SIZE
    )
    shares = relevant_shares(data.topics(Transformation("doc-at", source, levels, "So4_a")))
    found = positions.widths()
    rows: list[tuple[TableCell, ...]] = [
        (topic, share, *(float(found[group][place]) for group in _GROUPS))
        for place, (topic, share) in enumerate(zip(positions.topics, shares.tolist(), strict=True))
    ]
    by_group = width_correlations(positions, shares)
    rows.append(("r", float("nan"), *(by_group[group].r for group in _GROUPS)))
    rows.append(("p", float("nan"), *(by_group[group].p for group in _GROUPS)))
    return Table.of(("topic", "share", *_GROUPS), rows)


def group_cuts(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """Return the cuts of every group in three topics."""
    search = collection(labels=labels, seed=seed).search(
        Transformation(method, source, levels, target)
    )
    positions = cut_positions(search, size=_SIZE)
    order = np.argsort(relevant_shares(search.topics), kind="stable")
    rows = [
        (positions.topics[place], group, *cuts)
        for place in (order[0], order[order.size // 2], order[-1])
        for group in _GROUPS
        for cuts in positions.cuts[group][place].tolist()
    ]
    return Table.of(("topic", "group", "cut_1", "cut_2", "cut_3"), rows)


def _cell(inputs: StudyInputs, work: str, one: Transformation) -> Cell:
    parameters: dict[str, Parameter] = {
        "method": one.method,
        "source": one.source,
        "levels": one.levels,
        "target": one.target,
        "labels": labels_of(inputs),
    }
    return Cell(f"{__name__}:{work}", parameters, inputs.seed)


def _points(rows: Sequence[Sequence[TableCell]]) -> Figure:
    return Figure(
        key="fig10-widths",
        title="Width of the median cuts by share of relevant docs",
        drawing=Points(
            names=[str(row[0]) for row in rows],
            x=[float(str(row[1])) for row in rows],
            y=[float(str(row[3])) for row in rows],
            x_label="share of relevant docs",
            y_label="mean width of the 1,000 median sets",
        ),
        caption="A point for each topic.",
    )


def _by_group(table: Table) -> dict[tuple[str, str], FloatArray]:
    """Return the cuts of each topic and group, [set, cut]."""
    rows: dict[tuple[str, str], list[Sequence[TableCell]]] = {}
    for topic, group, *cuts in table.rows:
        rows.setdefault((str(topic), str(group)), []).append(cuts)
    return {key: np.array(cuts, dtype=np.float64) for key, cuts in rows.items()}


def _positions(cuts_of: Mapping[tuple[str, str], FloatArray]) -> list[Figure]:
    topics = list(dict.fromkeys(topic for topic, _ in cuts_of))
    boxes = [(group, cut) for group in _GROUPS for cut in range(3)]
    return [
        Figure(
            key=f"fig10-{letter}",
            title=f"The {_SIZE:,} best, median and worst sets of cuts of topic {topic}",
            drawing=Boxes(
                names=[f"{group}, cut {cut + 1}" for group, cut in boxes],
                values=[cuts_of[topic, group][:, cut].tolist() for group, cut in boxes],
                label="cut",
                groups=[f"{group} {_SIZE:,}" for group, _ in boxes],
            ),
            caption="Boxes go from quartile to quartile.",
        )
        for letter, topic in zip("abc", topics, strict=False)
    ]
