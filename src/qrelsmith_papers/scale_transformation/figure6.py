"""Figure 6: S100 cut into four levels with a single data set."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.methods import SINGLE, Transformation
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.ten_best import READING, best_of, best_table, boxes

_KEY = "fig6"
_WANTED = tuple(Transformation(method, 101, 4) for method in SINGLE)


@SCALES.add("fig6", kind=kind_of_scales, reads=scales_read, sized=True)
def figure6(inputs: StudyInputs) -> Section:
    """S100 to four levels: the ten best sets of cuts, single data set."""
    best = best_of(inputs, _WANTED)
    ta, at = (
        np.array([transformation.alpha for transformation in best[each].searched.topics.values()])
        for each in _WANTED[:2]
    )
    return Section(
        key=_KEY,
        title="Figure 6: S100 to four levels, single data set",
        paragraphs=(
            "All 161,700 sets of three cuts are tried. Among nine labels a+t and t+a are the same;"
            " the figure has them once.",
            READING,
        ),
        tables=(best_table(_KEY, best),),
        figures=boxes(
            _KEY,
            {transformation: best[transformation] for transformation in (_WANTED[0], _WANTED[2])},
        ),
        findings=(
            claim(
                bool(np.abs(ta - at).max() < 1e-9),
                "The paper: a+t and t+a do not differ significantly. Here, with a median of nine,"
                " their best α of every topic is the same.",
                section=_KEY,
            ),
        ),
    )
