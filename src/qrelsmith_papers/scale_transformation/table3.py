"""Table 3: two experts, one cut to the other's scale, with and without unjudged docs."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_topics import CutTopics, Filling
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read

_KEY = "table3"
_WORK = "qrelsmith_papers.scale_transformation.table3:expert_alphas"
_CUTS = ("left", "middle", "right")
_SOURCES = (("So4", "TR2"), ("So4_a", "TR2"), ("So4_a", "TR2_a"))
_PUBLISHED = (
    (805, 0.595, 0.136, -0.356),
    (3881, 0.882, 0.620, 0.212),
    (4269, 0.884, 0.625, 0.220),
)


@SCALES.add(
    "table3",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation="The experts are simulated; only the sizes of the collection are the paper's.",
)
def table3(inputs: StudyInputs) -> Section:
    """Agreement of the expert with four levels, cut to two, with the one who has two."""
    (agreements,) = inputs.sweep([Cell(_WORK, {"labels": labels_of(inputs)}, inputs.seed)])
    columns = ("source", "target", "from", "docs", *_CUTS, "topics best left")
    rows = [
        (*names, *row)
        for names, here, published in zip(_SOURCES, agreements.rows, _PUBLISHED, strict=True)
        for row in (("here", *here), ("published", *published, None))
    ]
    return Section(
        key=_KEY,
        title="Table 3: So4 cut to the two levels of TR2",
        paragraphs=(
            "Where the crowds' files are not there, the collection is simulated in the sizes of the"
            " paper's. One expert has four levels and judged few docs, most of which the other, who"
            " has two levels and judged most docs, had found relevant. The mark _a: docs that an"
            " expert did not judge are not relevant. α is ordinal, over the docs of all topics.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="α between So4 under each cut and TR2",
                table=Table.of(columns, rows),
                note="topics best left: topics in which the left cut has the highest α.",
            ),
        ),
        findings=_findings(agreements),
    )


def expert_alphas(*, labels: str, seed: int) -> Table:
    """Docs, α under the three cuts, and in how many topics the left one is best: three rows."""
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
        rows.append((pooled.of, *pooled.alpha.tolist(), left))
    return Table.of(("docs", *_CUTS, "left"), rows)


def _findings(found: Table) -> tuple[Finding, ...]:
    alphas = np.array([row[1:4] for row in found.rows], dtype=np.float64)
    last = int(str(found.rows[-1][4]))
    rises = np.diff(alphas, axis=0)
    return (
        claim(
            bool((alphas.argmax(axis=1) == 0).all()),
            "The paper: in all cases the left cut, which counts marginal relevance as relevant, is"
            " the best. Here α with it is "
            + ", ".join(f"{value:.3f}" for value in alphas[:, 0].tolist())
            + "; with the middle cut "
            + ", ".join(f"{value:.3f}" for value in alphas[:, 1].tolist())
            + f". It is the best in {last} topics where all docs count (the paper: 17 of 18).",
            section=_KEY,
        ),
        claim(
            bool((rises > 0).all()),
            "The paper: the more unjudged docs are taken for not relevant, the higher α. Here it"
            f" rises under every cut, by {rises.sum(axis=0).min():.2f} or more from the first row"
            " to the last."
            if (rises > 0).all()
            else "The paper: the more unjudged docs are taken for not relevant, the higher α. Here"
            f" it rises in {(rises > 0).mean():.0%} of the cases.",
            section=_KEY,
        ),
    )
