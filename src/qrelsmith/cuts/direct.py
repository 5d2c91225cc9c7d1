"""α of one set of cuts, computed directly from the definitions (slow but simple).

Tests compare the results of the fast methods with the results of this module.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.arrays import FloatArray
from qrelsmith.cuts.registry import CUT_METHODS
from qrelsmith.cuts.topic_labels import TopicLabels, aggregate
from qrelsmith.judgments.scale_operations import Cuts


@dataclass(frozen=True, slots=True, eq=False)
class OneCut:
    """The labels of a topic under one set of cuts.

    Attributes
    ----------
    by, level, undefined : str
        See `cuts.registry`.
    """

    labels: TopicLabels
    cuts: Cuts
    by: str
    level: str
    undefined: str

    def alpha(self, ratings: FloatArray) -> float:
        """α of `ratings[assessor, unit]`."""
        return krippendorff_alpha(ratings, level=self.level, undefined=self.undefined).value

    def mean_over_units(self, other: FloatArray) -> float:
        """Mean over units of α between the cut labels and another level for each label [label]."""
        own = self.cuts.apply(self.labels.grade)
        found = []
        for unit in np.unique(self.labels.unit):
            mine = self.labels.unit == unit
            found.append(self.alpha(np.stack([own[mine], other[mine]])))
        known = [value for value in found if not np.isnan(value)]
        return float(np.mean(known)) if known else float("nan")

    def aggregated_then_cut(self, ratings: FloatArray) -> FloatArray:
        """One level for each column of `ratings[slot, unit]`."""
        return self.cuts.apply(aggregate(ratings, self.by))

    def cut_then_aggregated(self, ratings: FloatArray) -> FloatArray:
        """One level for each column; an aggregate between two levels is rounded down."""
        return np.asarray(np.floor(aggregate(self.cuts.apply(ratings), self.by)))


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
    by, level, undefined : str
        See `cuts.registry`.

    Returns
    -------
    float
        nan if undefined.
    """
    direct = CUT_METHODS.get(method).entry.about["direct"]
    return float(direct(OneCut(labels, cuts, by, level, undefined)))
