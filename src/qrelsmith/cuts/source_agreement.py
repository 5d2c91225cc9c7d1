"""Agreement on the source scale before cutting, a target for the choice of cuts."""

from __future__ import annotations

import numpy as np

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.errors import UsageError
from qrelsmith.cuts.registry import CUT_METHODS
from qrelsmith.cuts.topic_labels import TopicLabels, aggregate


def source_alpha(
    method: str,
    labels: TopicLabels,
    *,
    by: str = "median",
    level: str = "ordinal",
    undefined: str = "nan",
) -> float:
    """Return the α of a single-data-set method on uncut labels.

    Parameters
    ----------
    method : str
        `topicwide`, `hit-at` or `hit-ta`; the last two are equal without cuts.
    labels : TopicLabels
        The labels of a topic.
    by, level, undefined : str
        See `cuts.registry`; here, the level of measurement is the source scale's.

    Returns
    -------
    float
        nan if undefined.

    Raises
    ------
    UsageError
        If the method compares with a second data set, whose target scale differs from the scale of
        uncut labels.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 5 (future work).
    """
    entry = CUT_METHODS.get(method).entry
    if entry.about["needs_target"]:
        raise UsageError(
            f"{entry.name} compares labels with grades on the target scale, so it has no α on the"
            " source scale; expected a method that uses only one data set"
        )
    if entry.about["unit"] == "doc":
        return krippendorff_alpha(labels.ratings, level=level, undefined=undefined).value
    rest = aggregate(labels.others, by)
    found = []
    for unit in np.unique(labels.unit):
        mine = labels.unit == unit
        both = np.stack([labels.grade[mine], rest[mine]])
        found.append(krippendorff_alpha(both, level=level, undefined=undefined).value)
    known = [value for value in found if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
