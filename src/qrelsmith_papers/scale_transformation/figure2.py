"""Figure 2: S4 cut into two levels against a crowd, and topic by topic."""

from __future__ import annotations

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.four_levels import panels, topic_table
from qrelsmith_papers.scale_transformation.methods import DOUBLE, Transformation
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.searches import search_all

_KEY = "fig2"
_WANTED = (
    Transformation("hit2", 4, 2, "S2"),
    Transformation("doc-at", 4, 2, "S2"),
    Transformation("topicwide", 4, 2),
)


@SCALES.add(
    "fig2",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "Cutting ten labels before the median takes the lower level where they are split in "
        "halves, which a lower cut makes up for."
    ),
)
def figure2(inputs: StudyInputs) -> Section:
    """S4 to two levels: the crowd S2 as target, and the α of a topic's labels."""
    searches = dict(zip(_WANTED, search_all(inputs, _WANTED), strict=True))
    pairs = [(Transformation(m, 4, 2, "TR2_a"), Transformation(m, 4, 2, "S2")) for m in DOUBLE]
    searched = search_all(inputs, [one for pair in pairs for one in pair])
    by_expert, by_crowd = (
        [chosen.cuts for one in searched[start::2] for chosen in one.topics.values()]
        for start in (0, 1)
    )
    other = sum(one != two for one, two in zip(by_expert, by_crowd, strict=True))
    return Section(
        key=_KEY,
        title="Figure 2: S4 to two levels, with S2",
        tables=(topic_table(_KEY, searches),),
        figures=panels(_KEY, searches),
        findings=(
            claim(
                other > 0,
                "The paper: an expert's labels as target lead to other cuts than a crowd's in some"
                f" topics. Here they do in {other} of {len(by_crowd)} cases (topics and the"
                " double-data-set methods).",
                section=_KEY,
            ),
        ),
    )
