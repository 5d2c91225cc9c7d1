"""Figure 7: S100 cut into four levels against an expert who judged few docs."""

from __future__ import annotations

from qrelsmith.base.content import Section
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.methods import DOUBLE, Transformation
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.ten_best import best_of, best_table, boxes

_KEY = "fig7"
WANTED = tuple(Transformation(method, 101, 4, "So4") for method in DOUBLE)


@SCALES.add(
    "fig7",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation="The simulated expert looked again at relevant docs, and these fix the cuts.",
)
def figure7(inputs: StudyInputs) -> Section:
    """S100 to four levels: the ten best sets of cuts, with So4."""
    found = best_of(inputs, WANTED)
    return Section(
        key=_KEY,
        title="Figure 7: S100 to four levels, with So4",
        tables=(best_table(_KEY, found),),
        figures=boxes(_KEY, found),
    )
