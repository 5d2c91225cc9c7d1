"""Figure 4: S100 cut into two levels, topic by topic and against a crowd."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.hundred_levels import maps, topic_table
from qrelsmith_papers.scale_transformation.methods import Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.searches import search_all

_KEY = "fig4"
_WANTED = (
    Transformation("topicwide", 101, 2),
    Transformation("hit2", 101, 2, "S2"),
    Transformation("doc-at", 101, 2, "S2"),
)
_FAR = 10.0


@SCALES.add(
    "fig4",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "One simulated crowd judges all topics; only the share of relevant docs differs "
        "between topics."
    ),
)
def figure4(inputs: StudyInputs) -> Section:
    """S100 to two levels: the α of a topic's labels, and the crowd S2 as target."""
    searches = dict(zip(_WANTED, search_all(inputs, _WANTED), strict=True))
    deviations = np.array(
        [np.nanstd(searched.tops, ddof=1) for searched in search_all(inputs, of_scales(101, 2))]
    )
    return Section(
        key=_KEY,
        title="Figure 4: S100 to two levels, with S2",
        tables=(topic_table(_KEY, searches),),
        figures=maps(_KEY, searches),
        findings=(
            claim(
                bool(deviations.min() >= _FAR),
                "The paper: all methods tend to select quite different cuts for different topics."
                " Here the standard deviation of the best cuts over topics is"
                f" {deviations.min():.1f} to {deviations.max():.1f} levels by method.",
                section=_KEY,
            ),
        ),
    )
