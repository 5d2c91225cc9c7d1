"""Figure 8: S100 cut into four levels against that expert, unjudged docs not relevant."""

from __future__ import annotations

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation import figure7
from qrelsmith_papers.scale_transformation.methods import DOUBLE, Transformation
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.ten_best import best_of, best_table, boxes

_KEY = "fig8"
_FAR = 1.0  # levels by which a range is narrower for all to see
WANTED = tuple(Transformation(method, 101, 4, "So4_a") for method in DOUBLE)


@SCALES.add(
    "fig8",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation="The simulated expert looked again at relevant docs, and these fix the cuts.",
)
def figure8(inputs: StudyInputs) -> Section:
    """S100 to four levels: the ten best sets of cuts, with So4_a."""
    by_transformation = best_of(inputs, WANTED)
    judged = [best.mean_range for best in best_of(inputs, figure7.WANTED).values()]
    filled = [best.mean_range for best in by_transformation.values()]
    return Section(
        key=_KEY,
        title="Figure 8: S100 to four levels, with So4_a",
        tables=(best_table(_KEY, by_transformation),),
        figures=boxes(_KEY, by_transformation),
        findings=(
            claim(
                all(few - all_docs >= _FAR for few, all_docs in zip(judged, filled, strict=True)),
                "The paper: where docs that So4 lacks do not count, far more cuts are about as good"
                " as the best, and counting them as not relevant narrows that down. Here the sets"
                " with one of the ten highest α of a topic lie "
                + ", ".join(f"{value:.1f}" for value in judged)
                + " levels apart without these docs and "
                + ", ".join(f"{value:.1f}" for value in filled)
                + f" with them ({', '.join(DOUBLE)}).",
                section=_KEY,
            ),
        ),
    )
