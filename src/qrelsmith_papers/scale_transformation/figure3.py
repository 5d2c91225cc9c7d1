"""Figure 3: S100 cut into two levels, with a single data set and against an expert."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Finding, Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.hundred_levels import maps, topic_table
from qrelsmith_papers.scale_transformation.methods import Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.searches import Searched, search_all

_KEY = "fig3"
_SINGLE = Transformation("hit-ta", 101, 2)
_WANTED = (
    _SINGLE,
    Transformation("hit2", 101, 2, "TR2_a"),
    Transformation("doc-at", 101, 2, "TR2_a"),
)
_EXTREME = 90.0  # the cuts that the paper calls the highest possible ones begin here


@SCALES.add(
    "fig3",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "How often a topic has no label at 100 is chance in the simulation; there 0/0 counts as "
        "perfect agreement."
    ),
)
def figure3(inputs: StudyInputs) -> Section:
    """S100 to two levels: HITs against the rest of the crowd, and TR2 as target."""
    searches = dict(zip(_WANTED, search_all(inputs, _WANTED), strict=True))
    (as_one,) = search_all(inputs, [_SINGLE], undefined="one")
    every = search_all(inputs, of_scales(101, 2))
    return Section(
        key=_KEY,
        title="Figure 3: S100 to two levels, with TR2",
        tables=(topic_table(_KEY, searches),),
        figures=maps(_KEY, searches),
        findings=(_extremes(searches[_SINGLE], as_one), _methods(every)),
    )


def _extremes(found: Searched, as_one: Searched) -> Finding:
    """Whether cuts beyond which there is hardly a label win, by what 0/0 is."""
    counts = [int(np.count_nonzero(searched.tops >= _EXTREME)) for searched in (found, as_one)]
    return claim(
        0 < counts[1] <= len(as_one.topics) // 2,
        "The paper: in two topics of 18 the HIT-centric methods with a single data set choose the"
        " cut 99, since nobody gave 100 there and all labels on one level count as perfect"
        f" agreement. Here, with 0/0 taken for 1, the best cut is {_EXTREME:g} or above in"
        f" {counts[1]} of {len(as_one.topics)} topics, with 0/0 left out in {counts[0]}.",
        section=_KEY,
    )


def _methods(every: list[Searched]) -> Finding:
    tops = np.array([searched.tops for searched in every])
    apart = np.ptp(tops, axis=0)
    return claim(
        bool(np.median(apart) >= 10),
        "The paper: unlike with four levels, the method matters to the cut that is found for a"
        " topic. Here the cuts of the nine methods lie"
        f" {np.median(apart):.0f} levels apart in the median topic, {apart.max():.0f} at most.",
        section=_KEY,
    )
