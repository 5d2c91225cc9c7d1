"""Table 4: systems ranked by cut labels, against how experts rank them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Finding, NamedTable, Points, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import MEASURE, system_count
from qrelsmith_papers.scale_transformation.four_levels import CUTS
from qrelsmith_papers.scale_transformation.methods import (
    SINGLE,
    TRANSFORMATIONS,
    Transformation,
    expert_of,
)
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.searches import EXPERTS, Searched, search_all
from qrelsmith_papers.scale_transformation.table4_published import PUBLISHED

_KEY = "table4"
_TITLE = "Table 4: rankings under the best cuts"
_LARGE = 0.05  # a difference of τ from here on is no small one

Found = Mapping[Transformation, Searched]


@SCALES.add(
    "table4",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "Simulated systems are easier to rank than the runs of TREC-8: the methods' τ differ by "
        "a few hundredths."
    ),
)
def table4(inputs: StudyInputs) -> Section:
    """τ of the ranking of the systems to that by each expert, for all 27 transformations."""
    systems = system_count(inputs)
    if not systems:
        return Section(key=_KEY, title=_TITLE, missing="the runs of TREC-8, in the folder runs")
    searches = dict(zip(TRANSFORMATIONS, search_all(inputs, TRANSFORMATIONS), strict=True))
    columns = (
        "transformation",
        *(
            f"{start}{expert}, {cut}"
            for cut in ("per topic", "single")
            for expert in EXPERTS
            for start in ("", "published ")
        ),
        "cut", "published cut",
    )  # fmt: skip
    alphas = ("transformation", "per topic", "single", "cut", "degenerate per topic")
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"Kendall's τ-b of {systems} systems by {MEASURE} under the cut labels, to"
            " their ranking under each expert. The paper's systems are the runs of TREC-8, whose"
            " rankings are harder to agree on than those of simulated systems: its τ are lower"
            " throughout, and the differences between rows are what can be compared.",
            "Ten labels of a doc are aggregated by their median, the mean of the two middle ones;"
            " a+t methods aggregate and then cut, t+a methods cut first. Two rows with the same"
            " cuts therefore differ where one is a+t and the other t+a.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="τ with the best cuts of each topic and of the collection",
                table=Table.of(
                    columns,
                    [_row(t, searches[t]) for t in TRANSFORMATIONS],
                ),
                note="Published: on other labels and runs.",
            ),
            NamedTable(
                key=f"{_KEY}-alpha",
                title="α under the best cuts, mean over topics",
                table=Table.of(
                    alphas,
                    [_alphas(t, searches[t]) for t in TRANSFORMATIONS],
                ),
                note="degenerate: topics whose best cuts leave one level only.",
            ),
        ),
        figures=(_figure(searches),),
        findings=_findings(searches),
    )


def _row(transformation: Transformation, search: Searched) -> tuple[Cell, ...]:
    own, single, published = search.own.taus, search.single.taus, PUBLISHED[transformation]
    return (
        transformation.name,
        own["TR2"], published.own_tr2, own["So4"], published.own_so4,
        single["TR2"], published.single_tr2, single["So4"], published.single_so4,
        _cut(transformation, search), published.cuts,
    )  # fmt: skip


def _alphas(one: Transformation, found: Searched) -> tuple[Cell, ...]:
    return (
        one.name, found.own.alpha, found.single.alpha, _cut(one, found), found.own.degenerate,
    )  # fmt: skip


def _cut(one: Transformation, found: Searched) -> str:
    """The single cuts, of four levels by their name."""
    cuts = found.single.cuts
    return CUTS[int(cuts[0])] if one.source == 4 and cuts else found.single.written


def _figure(found: Found) -> Figure:
    own, single = _taus(found)
    return Figure(
        key=_KEY,
        title="τ with a cut for each topic and with a single cut",
        drawing=Points(
            names=[one.name for one in TRANSFORMATIONS],
            x=single.tolist(),
            y=own.tolist(),
            x_label="τ with a single cut",
            y_label="τ with a cut for each topic",
            diagonal=True,
        ),
        caption="τ to the expert with as many levels as the target. Above the line: better with a"
        " cut for each topic.",
    )


def _taus(
    found: Found, kept: Callable[[Transformation], bool] | None = None
) -> tuple[FloatArray, FloatArray]:
    """τ to the expert with the target's levels, per topic and single."""
    chosen = [
        (expert_of(one.levels), found[one]) for one in TRANSFORMATIONS if kept is None or kept(one)
    ]
    return (
        np.array([of.own.taus[expert] for expert, of in chosen]),
        np.array([of.single.taus[expert] for expert, of in chosen]),
    )


def _findings(searches: Found) -> tuple[Finding, ...]:
    own, single = _taus(searches)
    difference = own - single
    hundred = [t for t in TRANSFORMATIONS if t.source == 101]
    one_set = _mean(
        searches,
        lambda t: t in hundred and t.method in SINGLE,
    )
    two_sets = _mean(
        searches,
        lambda t: t in hundred and t.method not in SINGLE,
    )
    expert = _mean(
        searches,
        lambda t: t in hundred and t.target.endswith("_a"),
    )
    crowd = _mean(
        searches,
        lambda t: t in hundred and t.target in ("S2", "S4"),
    )
    doc = _mean(
        searches,
        lambda t: t.levels == 4 and t.method.startswith("doc"),
    )
    others = _mean(
        searches,
        lambda t: t.levels == 4 and not t.method.startswith("doc"),
    )
    third_expert, third_crowd = (
        float(
            np.mean(
                [
                    of.single.cuts[-1]
                    for t, of in searches.items()
                    if (t.levels, t.target) == (4, target)
                ]
            )
        )
        for target in ("So4_a", "S4")
    )
    return (
        claim(
            bool(np.abs(difference).max() < _LARGE),
            "The paper: whether cuts are chosen for each topic or once for the collection has no"
            f" large impact on τ. Here it is {difference.mean():+.3f} on average, from"
            f" {difference.min():+.3f} to {difference.max():+.3f}.",
            section=_KEY,
        ),
        claim(
            two_sets > one_set,
            "The paper: a second data set in the target scale consistently leads to rankings more"
            f" like the experts'. Here τ of S100 is {two_sets:.3f} with one and {one_set:.3f}"
            " without, mean over methods.",
            section=_KEY,
        ),
        claim(
            expert > crowd,
            "The paper: an expert's judgments as that data set lead to a higher τ than a crowd's."
            f" Here {expert:.3f} and {crowd:.3f}.",
            section=_KEY,
        ),
        claim(
            doc > others,
            "The paper: with four levels, doc-centric methods lead to the highest τ and are to be"
            f" preferred. Here {doc:.3f}, the others {others:.3f}.",
            section=_KEY,
        ),
        claim(
            third_expert > third_crowd,
            "The paper: So4 leads to higher cuts than S4. Here the third of the single cuts is at"
            f" {third_expert:.1f} and {third_crowd:.1f}, mean over methods.",
            section=_KEY,
        ),
    )


def _mean(found: Found, kept: Callable[[Transformation], bool]) -> float:
    return float(_taus(found, kept)[0].mean())
