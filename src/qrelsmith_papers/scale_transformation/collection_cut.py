"""Figure 5 and Table 3: one cut for the collection, for a crowd's and an expert's labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.tables import Table
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_topics import CutTopics, Filling
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.scale_transformation.collection import cell_of, collection
from qrelsmith_papers.scale_transformation.methods import Transformation
from qrelsmith_papers.scale_transformation.published_scales import hold, of_crowds
from qrelsmith_papers.scale_transformation.searches import search_all
from qrelsmith_papers.scale_transformation.two_levels import CUTS

_BEST, _AT_0, _AT_99 = 58, 0.21, 0.51  # as published
_NEAR = 5  # distance of two cuts with nearly the same labels, in levels
_WANTED = Transformation("hit-ta", 101, 2)


class _Curves(NamedTuple):
    """α of S100 by cut: mean over topics, all labels pooled, and with 0/0 treated as 1."""

    at_0: float
    at_99: float
    best: int
    pooled: int | None


_FIGURE_5: tuple[c.Claim[_Curves], ...] = (
    c.claim(
        "The lowest cuts lead to a lower α than the highest ones, since few docs are relevant.",
        ("α at cut 99 minus α at cut 0, with 0/0 as 1", lambda of: of.at_99 - of.at_0, c.over(0)),
    ),
    c.claim(
        "The best single cut from all labels, whatever their topic, is consistent with that by the"
        " mean over topics.",
        (
            "levels between the two cuts",
            lambda of: math.nan if of.pooled is None else float(abs(of.best - of.pooled)),
            c.at_most(_NEAR),
        ),
    ),
)


@of_crowds(
    "fig5",
    title="Figure 5: one cut for the collection",
    claims=_FIGURE_5,
    deviation="The simulated crowd is fitted to the printed α at cuts 0 and 99, with 0/0 counted"
    " as 1.",
)
def figure5(inputs: StudyInputs) -> Made:
    """Plot α of every cut of S100 on the entire collection: H_t+a¹."""
    cell = cell_of(inputs, pooled_alphas)
    (found,) = search_all(inputs, [_WANTED])
    (found_as_one,) = search_all(inputs, [_WANTED], undefined="one")
    (table,) = inputs.sweep([cell])
    curves: dict[str, FloatArray] = {
        "mean over topics": found.alphas[-1],
        "mean over HITs": np.array([row[0] for row in table.rows], dtype=np.float64),
        "topics, 0/0 is 1": found_as_one.alphas[-1],
    }
    best = [int(np.nanargmax(curve)) for curve in curves.values()]
    as_one = curves["topics, 0/0 is 1"]
    rows = [
        ("best cut", *best, _BEST),
        ("α at the best cut", *(float(np.nanmax(one)) for one in curves.values()), None),
        ("α at cut 0", *(float(one[0]) for one in curves.values()), _AT_0),
        ("α at cut 99", *(float(one[99]) for one in curves.values()), _AT_99),
    ]
    cuts = [float(cut) for cut in range(as_one.size)]
    mark = (float(best[0]), float(curves["mean over topics"][best[0]]), f"best: {best[0]}")
    here = _Curves(float(as_one[0]), float(as_one[99]), best[0], best[1])
    return Made(
        held=[c.on_print(_Curves(_AT_0, _AT_99, _BEST, None)), hold(inputs, here)],
        tables=[
            table_of(
                "fig5",
                "One cut of S100 into two levels, H_t+a¹",
                f"what|{'|'.join(curves)}|published",
                rows,
                "mean over HITs: all labels pooled, as in the paper's footnote 1. 0/0 is 1: HITs"
                " whose labels end on one level agree perfectly, as in the paper.",
            )
        ],
        figures=[
            Figure(
                key="fig5",
                title="α by cut of S100 into two levels, entire collection",
                drawing=Lines(
                    lines=[Line(name, cuts, curve.tolist()) for name, curve in curves.items()],
                    x_label="cut",
                    y_label="α, ordinal",
                    marks=[mark],
                ),
                caption="A label above the cut goes up.",
            )
        ],
    )


def pooled_alphas(*, labels: str, seed: int) -> Table:
    """Return α of every cut, all labels pooled."""
    search = collection(labels=labels, seed=seed).search(_WANTED)
    pooled = LabelCuts(search.topics.pool_topics(), search.sets, search.options).alphas(0)
    return Table.of(("alpha",), [(value,) for value in pooled.alpha.tolist()])


class _Experts(NamedTuple):
    """α between So4 under each cut and TR2, and the share of topics whose best cut is the left cut.

    `alphas` has the shape [filling, cut]; later fillings treat more unjudged docs as not relevant.
    """

    alphas: FloatArray
    left: float


_SOURCES = (("So4", "TR2"), ("So4_a", "TR2"), ("So4_a", "TR2_a"))
_PUBLISHED = ((805, 0.595, 0.136, -0.356), (3881, 0.882, 0.620, 0.212), (4269, 0.884, 0.625, 0.220))
_LEFT = 17 / 18
_TABLE_3: tuple[c.Claim[_Experts], ...] = (
    c.claim(
        "In all cases the left cut, which counts marginal relevance as relevant, is the best; on a"
        " per-topic basis in 17 of 18 topics.",
        (
            "smallest lead of the left cut's α",
            lambda e: float((e.alphas[:, 0] - e.alphas[:, 1:].max(axis=1)).min()),
            c.over(0),
        ),
        ("share of topics with the left cut", lambda e: e.left, c.at_least(round(_LEFT, 3))),
    ),
    c.claim(
        "The more unjudged docs are taken for not relevant, the higher the agreement.",
        ("smallest rise of α", lambda e: float(np.diff(e.alphas, axis=0).min()), c.over(0)),
    ),
)


@of_crowds(
    "table3",
    title="Table 3: So4 cut to the two levels of TR2",
    claims=_TABLE_3,
    deviation="The experts are simulated.",
)
def table3(inputs: StudyInputs) -> Made:
    """Compute agreement of the four-level expert, cut to two, with the two-level expert."""
    cell = cell_of(inputs, expert_alphas)
    (result,) = inputs.sweep([cell])
    rows = [
        (*names, *row)
        for names, here, published in zip(_SOURCES, result.rows, _PUBLISHED, strict=True)
        for row in (("here", *here[:5]), ("published", *published, None))
    ]
    topics = float(str(result.rows[-1][5]))
    about = (
        "So4 has four levels and few docs, TR2 two levels and most docs. The mark _a: unjudged docs"
        " are not relevant. α is ordinal, over the docs of all topics."
    )
    return Made(
        held=[
            c.on_print(_experts(_PUBLISHED, _LEFT)),
            hold(inputs, _experts(result.rows, float(str(result.rows[-1][4])) / topics)),
        ],
        paragraphs=[about],
        tables=[
            table_of(
                "table3",
                "α between So4 under each cut and TR2",
                f"source|target|from|docs|{'|'.join(CUTS)}|topics best left",
                rows,
                "topics best left: topics in which the left cut has the highest α.",
            )
        ],
    )


def _experts(rows: Sequence[Sequence[object]], left: float) -> _Experts:
    return _Experts(np.array([row[1:4] for row in rows], dtype=np.float64), round(left, 3))


def expert_alphas(*, labels: str, seed: int) -> Table:
    """Return α by cut, with counts: docs, topics whose best cut is the left cut, and all topics."""
    data = collection(labels=labels, seed=seed)
    judged = Judgments.from_qrels({"So4": data.expert(4)})
    sets = CutSets.of(range(4), targets=2)
    fillings = (None, Filling(source=0.0), Filling(source=0.0, also=data.pairs()))
    rows = []
    for filling in fillings:
        topics = CutTopics.of(judged, target=data.expert(2), filling=filling)
        pooled = LabelCuts(topics.pool_topics(), sets, CutOptions("doc-at")).alphas(0)
        chosen = [one for one, _ in LabelCuts(topics, sets, CutOptions("doc-at")).per_topic()]
        left = sum(one.place == 0 for one in chosen)
        rows.append((pooled.of, *pooled.alpha.tolist(), left, len(chosen)))
    return Table.of(("docs", *CUTS, "left", "topics"), rows)
