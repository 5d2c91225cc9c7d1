"""Figure 9: S100 cut into four levels against a crowd."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Finding, Section
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation import figure8
from qrelsmith_papers.scale_transformation.methods import DOUBLE, Transformation
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read
from qrelsmith_papers.scale_transformation.ten_best import Best, best_of, best_table, boxes

_KEY = "fig9"
_HIGH = 90.0
_WANTED = tuple(Transformation(method, 101, 4, "S4") for method in DOUBLE)


@SCALES.add(
    "fig9",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "The experts and the crowd are simulated; the methods differ more than the experts do."
    ),
)
def figure9(inputs: StudyInputs) -> Section:
    """S100 to four levels: the ten best sets of cuts, with S4."""
    by_transformation = best_of(inputs, _WANTED)
    return Section(
        key=_KEY,
        title="Figure 9: S100 to four levels, with S4",
        tables=(best_table(_KEY, by_transformation),),
        figures=boxes(_KEY, by_transformation),
        findings=_findings(
            list(by_transformation.values()), list(best_of(inputs, figure8.WANTED).values())
        ),
    )


def _findings(by_crowd: list[Best], by_expert: list[Best]) -> tuple[Finding, ...]:
    """The analyses of section 4.3.1: the top cut under two targets, and how cuts vary."""
    expert, crowd = (
        np.array([best.searched.tops for best in found]).mean(axis=0)
        for found in (by_expert, by_crowd)
    )
    has_both = ~np.isnan(expert + crowd)
    test = paired_t(np.stack([expert[has_both], crowd[has_both]], axis=1))
    ranges = [
        f"{method} {np.nanmean(first.searched.tops):.1f} and {np.nanmean(second.searched.tops):.1f}"
        for method, first, second in zip(DOUBLE, by_expert, by_crowd, strict=True)
    ]
    hit, *doc = (
        [first.mean_range, second.mean_range]
        for first, second in zip(by_expert, by_crowd, strict=True)
    )
    widest = max(hit)
    return (
        claim(
            bool(np.median(expert[has_both]) >= _HIGH),
            f"The paper: the top cut that So4_a leads to tends to be {_HIGH:g} or higher. Here it"
            f" is so in {np.count_nonzero(expert[has_both] >= _HIGH)} of {test.topics} topics (mean"
            f" over the methods), {np.median(expert[has_both]):.1f} in the median topic.",
            section=_KEY,
        ),
        claim(
            bool(test.difference[0] > 0 and test.p[0] < 0.001),
            "The paper: the top cut that So4_a leads to is higher than that by S4 (t-test,"
            " p < 0.001). Here, mean over topics,"
            f" {test.means[0]:.1f} and {test.means[1]:.1f} (p = {test.p[0]:.2g}, paired t over"
            f" {test.topics} topics; by method {', '.join(ranges)}).",
            section=_KEY,
        ),
        claim(
            min(value for best in doc for value in best) > widest,
            "The paper: doc-centric methods show a higher variability of the best cuts, since an"
            " aggregate leaves gaps between the levels that are used. Here the sets with the ten"
            f" highest α lie {_ranges_text(hit)} levels apart by hit2, {_ranges_text(doc[0])} by"
            f" doc-at and {_ranges_text(doc[1])} by doc-ta (So4_a and S4).",
            section=_KEY,
        ),
    )


def _ranges_text(values: list[float]) -> str:
    return " and ".join(f"{value:.1f}" for value in values)
