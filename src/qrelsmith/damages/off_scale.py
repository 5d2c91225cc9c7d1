"""Grades that are not on the declared scale."""

from __future__ import annotations

from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES


@DAMAGES.add(
    "off-scale",
    culprit="set",
    sentence="{value:,.0f} grades are outside the declared scale",
    otherwise="labels on a different scale",
    action="correct the grades, or declare the scale of the labels",
    against=False,
    by_chance=False,
    formula="a count",
    source="the scale of campaign.toml",
)
def off_scale(labels: LabelArrays, examined: int, other: int) -> Evidence:  # noqa: ARG001
    """Count the grades of a label set outside its declared scale; the test involves no chance.

    Candidate: the label set itself.
    """
    count = int(labels.off_scale[examined])
    return Evidence.of([()], count, 0.0 if count else 1.0, large=count > 0)
