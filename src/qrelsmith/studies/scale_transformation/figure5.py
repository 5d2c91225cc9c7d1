"""Figure 5: one cut of S100 for the whole collection."""

from __future__ import annotations

import numpy as np

from qrelsmith.analyses.label_cuts import LabelCuts
from qrelsmith.content import Figure, Line, Lines, NamedTable, Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import SCALES, StudyInputs
from qrelsmith.studies.scale_transformation.collection import collection
from qrelsmith.studies.scale_transformation.methods import Transformation
from qrelsmith.studies.scale_transformation.searches import search_all
from qrelsmith.sweep import Cell
from qrelsmith.tables import Table

_KEY = "fig5"
_WORK = "qrelsmith.studies.scale_transformation.figure5:pooled_alphas"
_WANTED = Transformation("hit-ta", 101, 2)
_BEST, _AT_0, _AT_99 = 58, 0.21, 0.51  # as published
_NEAR = 5  # levels between two cuts that lead to much the same labels


@SCALES.add("fig5")
def figure5(inputs: StudyInputs) -> Section:
    """α of every cut of S100 on the entire collection: H_t+a¹."""
    cell = Cell(_WORK, {"paper_size": inputs.paper_size}, inputs.seed)
    (found,) = search_all(inputs, [_WANTED])
    (table,) = inputs.sweep([cell])
    pooled = np.array([row[0] for row in table.rows], dtype=np.float64)
    mean = found.alphas[-1]
    best, of_pooled = int(np.nanargmax(mean)), int(np.nanargmax(pooled))
    cuts = [float(cut) for cut in range(mean.size)]
    rows = [
        ("best cut", best, of_pooled, _BEST),
        ("α at the best cut", float(mean[best]), float(pooled[of_pooled]), None),
        ("α at cut 0", float(mean[0]), float(pooled[0]), _AT_0),
        ("α at cut 99", float(mean[99]), float(pooled[99]), _AT_99),
    ]
    return Section(
        key=_KEY,
        title="Figure 5: one cut for the collection",
        tables=(
            NamedTable(
                key=_KEY,
                title="One cut of S100 into two levels, H_t+a¹",
                table=Table.of(("what", "mean over topics", "mean over HITs", "published"), rows),
                note="mean over HITs: all labels pooled, as in the paper's footnote 1.",
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
                f" {mean[99]:.2f}.",
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


def pooled_alphas(*, paper_size: bool, seed: int) -> Table:
    """α of every cut, all labels pooled."""
    search = collection(paper_size=paper_size, seed=seed).search(_WANTED)
    pooled = LabelCuts(search.topics.pooled(), search.sets, search.options).alphas(0)
    return Table.of(("alpha",), [(value,) for value in pooled.alpha.tolist()])
