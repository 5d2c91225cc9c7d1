"""α of one set of cuts, computed as the methods are defined: slow, and obviously right.

The fast methods are tested against this.
"""

from __future__ import annotations

import numpy as np

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.arrays import FloatArray
from qrelsmith.cuts.registry import CUT_METHODS
from qrelsmith.cuts.topic_labels import TopicLabels, aggregate, aggregated_level
from qrelsmith.scale_operations import Cuts


def direct_alpha(
    method: str,
    labels: TopicLabels,
    cuts: Cuts,
    *,
    by: str = "median",
    level: str = "ordinal",
    undefined: str = "nan",
) -> float:
    """α of a registered method under one set of cuts.

    Parameters
    ----------
    method : str
        A name of `CUT_METHODS`.
    labels : TopicLabels
        The labels of a topic.
    cuts : Cuts
        The cuts.
    by, level, undefined : str
        See `cuts.registry`.

    Returns
    -------
    float
        nan where it is undefined.
    """
    name = CUT_METHODS.get(method).entry.name
    cut = _Direct(labels, cuts, by, level, undefined)
    if name == "topicwide":
        return cut.alpha(cuts.apply(labels.ratings))
    if name == "doc-at":
        return cut.alpha(np.stack([cuts.apply(aggregate(labels.ratings, by)), labels.target]))
    if name == "doc-ta":
        return cut.alpha(
            np.stack([aggregated_level(cuts.apply(labels.ratings), by), labels.target])
        )
    if name == "hit2":
        return cut.mean_over_units(labels.target[labels.doc])
    if name == "hit-at":
        return cut.mean_over_units(cuts.apply(aggregate(labels.others, by)))
    return cut.mean_over_units(aggregated_level(cuts.apply(labels.others), by))


class _Direct:
    """The labels of a topic under one set of cuts."""

    def __init__(
        self, labels: TopicLabels, cuts: Cuts, by: str, level: str, undefined: str
    ) -> None:
        self._labels = labels
        self._cuts = cuts
        self._by = by
        self._level = level
        self._undefined = undefined

    def alpha(self, ratings: FloatArray) -> float:
        """α of `ratings[assessor, unit]`."""
        return krippendorff_alpha(ratings, level=self._level, undefined=self._undefined).value

    def mean_over_units(self, other: FloatArray) -> float:
        """Mean over units of α between the cut labels and another level for each [label]."""
        own = self._cuts.apply(self._labels.grade)
        found = []
        for unit in np.unique(self._labels.unit):
            mine = self._labels.unit == unit
            found.append(self.alpha(np.stack([own[mine], other[mine]])))
        known = [value for value in found if not np.isnan(value)]
        return float(np.mean(known)) if known else float("nan")
