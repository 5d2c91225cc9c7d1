"""Figure 1: S4 cut into two levels against an expert, and with a single data set."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.four_levels import CUTS, panels, topic_table
from qrelsmith_papers.scale_transformation.methods import Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.searches import search_all

_KEY = "fig1"
_WANTED = (
    Transformation("hit2", 4, 2, "TR2_a"),
    Transformation("doc-at", 4, 2, "TR2_a"),
    Transformation("hit-ta", 4, 2),
)
_OTHER = Transformation("hit-at", 4, 2)


@SCALES.add(
    "fig1",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "To give 100 as often as is printed, the simulated crowd must see much that TR2 does not: "
        "held against TR2, a higher cut is best."
    ),
)
def figure1(inputs: StudyInputs) -> Section:
    """S4 to two levels: the expert TR2 as target, and HITs against the rest of the crowd."""
    every = of_scales(4, 2)
    all_found = dict(zip(every, search_all(inputs, every), strict=True))
    searches = {transformation: all_found[transformation] for transformation in _WANTED}
    middle = [
        transformation
        for transformation in every
        if all_found[transformation].single.cuts == (1.0,)
    ]
    names = ", ".join(
        f"{transformation.written} {CUTS[int(all_found[transformation].single.cuts[0])]}"
        for transformation in every
        if transformation not in middle
    )
    ta, at = (all_found[transformation].alphas for transformation in (_WANTED[2], _OTHER))
    return Section(
        key=_KEY,
        title="Figure 1: S4 to two levels, with TR2",
        paragraphs=(
            "Ten workers a doc gave one of four levels; there are three cuts. The paper has a"
            " picture and no numbers but those named below.",
        ),
        tables=(topic_table(_KEY, searches),),
        figures=panels(_KEY, searches),
        findings=(
            claim(
                len(middle) == len(every),
                "The paper: whatever the method, the middle cut is the best on average for crowd"
                f" labels on four levels. Here it is for {len(middle)} of {len(every)} methods"
                + (f"; not for {names}." if names else "."),
                section=_KEY,
            ),
            claim(
                bool(np.array_equal(ta, at, equal_nan=True)),
                "The paper: the HIT-centric methods t+a and a+t give exactly the same α here, the"
                " median of nine labels being the fifth before and after a cut. So it is: the"
                f" largest difference is {np.nanmax(np.abs(ta - at)):g}.",
                section=_KEY,
            ),
        ),
    )
