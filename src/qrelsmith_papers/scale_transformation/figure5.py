"""Figure 5: one cut of S100 for the whole collection."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Figure, Line, Lines, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.cuts.label_cuts import LabelCuts
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.methods import Transformation
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.searches import search_all

_KEY = "fig5"
_WORK = "qrelsmith_papers.scale_transformation.figure5:pooled_alphas"
_WANTED = Transformation("hit-ta", 101, 2)
_BEST, _AT_0, _AT_99 = 58, 0.21, 0.51  # as published
_NEAR = 5  # levels between two cuts that lead to much the same labels


@SCALES.add(
    "fig5",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "The simulated crowd is fitted to the paper's α at cuts 0 and 99 and its best cut, with "
        "0/0 taken for 1."
    ),
)
def figure5(inputs: StudyInputs) -> Section:
    """α of every cut of S100 on the entire collection: H_t+a¹."""
    cell = Cell(_WORK, {"labels": labels_of(inputs)}, inputs.seed)
    (found,) = search_all(inputs, [_WANTED])
    (found_as_one,) = search_all(inputs, [_WANTED], undefined="one")
    (table,) = inputs.sweep([cell])
    pooled = np.array([row[0] for row in table.rows], dtype=np.float64)
    mean, as_one = found.alphas[-1], found_as_one.alphas[-1]
    best, of_pooled = int(np.nanargmax(mean)), int(np.nanargmax(pooled))
    cuts = [float(cut) for cut in range(mean.size)]
    rows = [
        ("best cut", best, of_pooled, int(np.nanargmax(as_one)), _BEST),
        (
            "α at the best cut", float(mean[best]), float(pooled[of_pooled]),
            float(np.nanmax(as_one)), None,
        ),
        ("α at cut 0", float(mean[0]), float(pooled[0]), float(as_one[0]), _AT_0),
        ("α at cut 99", float(mean[99]), float(pooled[99]), float(as_one[99]), _AT_99),
    ]  # fmt: skip
    columns = ("what", "mean over topics", "mean over HITs", "topics, 0/0 is 1", "published")
    return Section(
        key=_KEY,
        title="Figure 5: one cut for the collection",
        tables=(
            NamedTable(
                key=_KEY,
                title="One cut of S100 into two levels, H_t+a¹",
                table=Table.of(columns, rows),
                note="mean over HITs: all labels pooled, as in the paper's footnote 1. 0/0 is 1:"
                " HITs whose labels end on one level agree perfectly, as in the paper.",
            ),
        ),
        figures=(
            Figure(
                key=_KEY,
                title="α by cut of S100 into two levels, entire collection",
                drawing=Lines(
                    lines=[
                        Line("mean over topics", cuts, mean.tolist()),
                        Line("mean over HITs", cuts, pooled.tolist()),
                        Line("topics, 0/0 is 1", cuts, as_one.tolist()),
                    ],
                    x_label="cut",
                    y_label="α, ordinal",
                    marks=[(float(best), float(mean[best]), f"best: {best}")],
                ),
                caption="A label above the cut goes up.",
            ),
        ),
        findings=(
            claim(
                bool(mean[0] < mean[99]),
                f"The paper: the lowest cuts have a lower α than the highest ({_AT_0} at 0,"
                f" {_AT_99} at 99), since few docs are relevant. Here it is {mean[0]:.2f} and"
                f" {mean[99]:.2f}, and with 0/0 taken for 1 {as_one[0]:.2f} and"
                f" {as_one[99]:.2f}.",
                section=_KEY,
            ),
            claim(
                abs(best - of_pooled) <= _NEAR,
                "The paper: a single cut from all labels, whatever their topic, is consistent with"
                f" that by the mean over topics. Here they are {of_pooled} and {best}"
                f" (the paper's: {_BEST}).",
                section=_KEY,
            ),
        ),
    )


def pooled_alphas(*, labels: str, seed: int) -> Table:
    """α of every cut, all labels pooled."""
    search = collection(labels=labels, seed=seed).search(_WANTED)
    pooled = LabelCuts(search.topics.pool_topics(), search.sets, search.options).alphas(0)
    return Table.of(("alpha",), [(value,) for value in pooled.alpha.tolist()])
