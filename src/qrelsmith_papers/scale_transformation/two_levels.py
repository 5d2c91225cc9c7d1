"""Figures 1 to 4: four and 101 levels cut into two, with α of each cut by topic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, HeatMap, Line, Lines, NamedTable
from qrelsmith.base.tables import Cell
from qrelsmith.stats.proportions import wilson_interval
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.scale_transformation.methods import DOUBLE, Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import hold, of_crowds
from qrelsmith_papers.scale_transformation.searches import Searched, search_all

CUTS = ("left", "middle", "right")
_FAR = 10.0  # distance of clearly different cuts, in levels
_EXTREME = 90.0  # start of the cuts that the paper calls the highest possible
# The share is known to within two of 18 topics with an extreme cut.
_TWO_OF_18 = wilson_interval(2, 18)


class Searches(NamedTuple):
    """Searches by transformation; `as_one` is the search of H_t+a¹ of S100 with 0/0 as 1."""

    of: Mapping[Transformation, Searched]
    as_one: Searched | None = None

    def methods_with(self, cut: float) -> float:
        """Return the number of methods for which this cut is the best single cut."""
        return float(sum(one.single.cuts == (cut,) for one in self.of.values()))

    def largest_difference(self, one: Transformation, other: Transformation) -> float:
        """Return the largest difference of α between two transformations, over topics and cuts."""
        return float(np.nanmax(np.abs(self.of[one].alphas - self.of[other].alphas)))

    def other_cuts(self) -> float:
        """Return the share of topics in which expert and crowd lead to different cuts.

        The result is the smallest share over the double-data-set methods.
        """
        shares = []
        for method in DOUBLE:
            expert, crowd = (
                [chosen.cuts for chosen in searched.topics.values()]
                for one, searched in self.of.items()
                if one.method == method
            )
            shares.append(float(np.mean([a != b for a, b in zip(expert, crowd, strict=True)])))
        return min(shares)

    def tops(self) -> FloatArray:
        """Return the highest cuts [method, topic]."""
        return np.array([searched.tops for searched in self.of.values()])


def _searches(inputs: StudyInputs, wanted: Sequence[Transformation]) -> Searches:
    return Searches(dict(zip(wanted, search_all(inputs, wanted), strict=True)))


def _extremes(found: Searches) -> float:
    """Return the share of topics with a best cut above nearly all labels, if 0/0 counts as 1."""
    return math.nan if found.as_one is None else float(np.mean(found.as_one.tops >= _EXTREME))


_TA, _AT = (Transformation(method, 4, 2) for method in ("hit-ta", "hit-at"))
_FIGURE_1: tuple[c.Claim[Searches], ...] = (
    c.claim(
        "The middle cut works best on average for crowd labels on four levels, whatever method is"
        " chosen.",
        ("methods with this cut, of nine", lambda found: found.methods_with(1.0), c.equal_to(9)),
    ),
    c.claim(
        "HIT-centric t+a and a+t produce exactly the same result: the median of nine labels is the"
        " fifth, before and after a cut.",
        (
            "largest difference of α",
            lambda found: found.largest_difference(_TA, _AT),
            c.equal_to(0),
        ),
    ),
)
_FIGURE_2: tuple[c.Claim[Searches], ...] = (
    c.claim(
        "An expert's labels as target lead to other cuts than a crowd's in some topics, such as 421"
        " and 427; on average both lead to the middle one.",
        (
            "smallest share of topics with different cuts, over the methods",
            Searches.other_cuts,
            c.within(0.05, 0.5),
        ),
        ("methods with this cut, of six", lambda f: f.methods_with(1.0), c.equal_to(6)),
    ),
)
_FIGURE_3: tuple[c.Claim[Searches], ...] = (
    c.claim(
        "In two topics of 18 the HIT-centric methods with a single data set choose the cut 99:"
        " nobody gave 100 there, and labels on one level count as perfect agreement.",
        (
            f"share of topics with a best cut of {_EXTREME:g} or above, with 0/0 as 1",
            _extremes,
            c.within(*(round(end, 3) for end in _TWO_OF_18)),
        ),
    ),
    c.claim(
        "Unlike with four levels, the method has an impact on the cut of a topic.",
        (
            "levels between the cuts of the nine methods, median over topics",
            lambda found: float(np.median(np.ptp(found.tops(), axis=0))),
            c.at_least(_FAR),
        ),
    ),
)
_FIGURE_4: tuple[c.Claim[Searches], ...] = (
    c.claim(
        "All proposed methods tend to select quite different cuts for different topics.",
        (
            "smallest standard deviation of the best cuts over topics, in levels",
            lambda found: float(np.nanstd(found.tops(), axis=1, ddof=1).min()),
            c.at_least(_FAR),
        ),
    ),
)


@of_crowds(
    "fig1",
    title="Figure 1: S4 to two levels, with TR2",
    claims=_FIGURE_1,
    deviation="The simulated crowd gives 100 as often as printed, so it finds more relevance"
    " than TR2.",
)
def figure1(inputs: StudyInputs) -> Made:
    """Plot S4 to two levels: the expert TR2 as target, and HITs against the rest of the crowd."""
    every = _searches(inputs, of_scales(4, 2))
    wanted = (Transformation("hit2", 4, 2, "TR2_a"), Transformation("doc-at", 4, 2, "TR2_a"), _TA)
    about = (
        "Ten workers a doc gave one of four levels; there are three cuts. The paper has a picture"
        " and no numbers."
    )
    return _panels("fig1", inputs, wanted, every, _of_four, paragraphs=[about])


@of_crowds(
    "fig2",
    title="Figure 2: S4 to two levels, with S2",
    claims=_FIGURE_2,
    deviation="Ten labels in two equal halves get the lower level; a lower cut compensates for"
    " this.",
)
def figure2(inputs: StudyInputs) -> Made:
    """Plot S4 to two levels: the crowd S2 as target, and the α of a topic's labels."""
    pairs = [Transformation(m, 4, 2, target) for m in DOUBLE for target in ("TR2_a", "S2")]
    wanted = (*(Transformation(m, 4, 2, "S2") for m in ("hit2", "doc-at")),
              Transformation("topicwide", 4, 2))  # fmt: skip
    return _panels("fig2", inputs, wanted, _searches(inputs, pairs), _of_four)


@of_crowds(
    "fig3",
    title="Figure 3: S100 to two levels, with TR2",
    claims=_FIGURE_3,
    deviation="Whether a topic has a label of 100 is chance; 0/0 counts as perfect agreement.",
)
def figure3(inputs: StudyInputs) -> Made:
    """Plot S100 to two levels: HITs against the rest of the crowd, and TR2 as target."""
    single = Transformation("hit-ta", 101, 2)
    (as_one,) = search_all(inputs, [single], undefined="one")
    wanted = (single, *(Transformation(m, 101, 2, "TR2_a") for m in ("hit2", "doc-at")))
    every = _searches(inputs, of_scales(101, 2))._replace(as_one=as_one)
    return _panels("fig3", inputs, wanted, every, _of_hundred)


@of_crowds(
    "fig4",
    title="Figure 4: S100 to two levels, with S2",
    claims=_FIGURE_4,
    deviation="One simulated crowd judges all topics.",
)
def figure4(inputs: StudyInputs) -> Made:
    """Plot S100 to two levels: the α of a topic's labels, and the crowd S2 as target."""
    wanted = (Transformation("topicwide", 101, 2),
              *(Transformation(m, 101, 2, "S2") for m in ("hit2", "doc-at")))  # fmt: skip
    return _panels("fig4", inputs, wanted, _searches(inputs, of_scales(101, 2)), _of_hundred)


_Layout = Callable[[str, Mapping[Transformation, Searched]], tuple[NamedTable, Sequence[Figure]]]


def _panels(
    key: str,
    inputs: StudyInputs,
    wanted: Sequence[Transformation],
    every: Searches,
    layout: _Layout,
    paragraphs: Sequence[str] = (),
) -> Made:
    """Return an artefact with a panel for each transformation in the paper."""
    shown = _searches(inputs, wanted).of
    table, figures = layout(key, shown)
    held: list[c.Held[Searches]] = [hold(inputs, every)]
    return Made(held=held, tables=[table], figures=figures, paragraphs=paragraphs)


def _of_four(
    key: str, result: Mapping[Transformation, Searched]
) -> tuple[NamedTable, Sequence[Figure]]:
    """Return a table, and charts with points for each topic and cut and the mean on the right."""
    rows = [
        (topic, *(cell for searched in result.values() for cell in _best(searched, topic)))
        for topic in next(iter(result.values())).topics
    ]
    last = [
        cell for of in result.values() for cell in (CUTS[int(of.single.cuts[0])], of.single.alpha)
    ]
    table = table_of(
        f"{key}-topics",
        "The best cut of each topic",
        "|".join(["topic", *(f"{entry.written}|α, {entry.written}" for entry in result)]),
        [*rows, ("all, one cut", *last)],
        "The last row: one cut for all topics, with the mean of their α.",
    )
    return table, [
        _points(f"{key}-{letter}", entry, searched)
        for letter, (entry, searched) in zip("abcdef", result.items(), strict=False)
    ]


def _best(searched: Searched, topic: str) -> tuple[Cell, Cell]:
    chosen = searched.topics[topic]
    return CUTS[int(chosen.cuts[0])] if chosen.cuts else "nan", chosen.alpha


def _points(key: str, transformation: Transformation, search: Searched) -> Figure:
    """Return α of the topics as unconnected points, because topics have no order."""
    topics = list(search.topics)
    # A gap separates the last topic from the mean.
    places = [*map(float, range(1, len(topics) + 1)), float(len(topics) + 2)]
    between = [at for place in places for at in (place, place + 0.5)]
    means = ", ".join(
        f"{cut} {mean:.3f}" for cut, mean in zip(CUTS, search.alphas[-1].tolist(), strict=True)
    )
    return Figure(
        key=key,
        title=f"α by topic and cut of S4 into two levels: {transformation.written}",
        drawing=Lines(
            lines=[
                Line(cut, between, [y for value in column.tolist() for y in (value, math.nan)])
                for cut, column in zip(CUTS, search.alphas.T, strict=True)
            ],
            ticks=list(zip(places, [*topics, "mean"], strict=True)),
            x_label="topic",
            y_label="α, ordinal",
        ),
        caption=f"Means over topics: {means}. A label above the cut goes up.",
    )


def _of_hundred(
    key: str, result: Mapping[Transformation, Searched]
) -> tuple[NamedTable, Sequence[Figure]]:
    """Return a heat map of topics and cuts for each transformation."""
    rows = [
        (topic, *(searched.topics[topic].written for searched in result.values()))
        for topic in next(iter(result.values())).topics
    ]
    rows.append(("all, one cut", *(searched.single.written for searched in result.values())))
    table = table_of(
        f"{key}-topics",
        "The best cut of each topic",
        "|".join(["topic", *(one.written for one in result)]),
        rows,
    )
    return table, [
        _map(f"{key}-{letter}", one, searched)
        for letter, (one, searched) in zip("abcdef", result.items(), strict=False)
    ]


def _map(key: str, transformation: Transformation, search: Searched) -> Figure:
    values = search.alphas
    defined = values[~np.isnan(values)]
    return Figure(
        key=key,
        title=f"α by cut of S100 into two levels: {transformation.written}",
        drawing=HeatMap(
            rows=[*search.topics, "mean"],
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
