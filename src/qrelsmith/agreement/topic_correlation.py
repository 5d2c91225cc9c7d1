"""Rank correlation of two label sets inside topics, which does not depend on their scales."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from qrelsmith.stats.correlation import CORRELATIONS

Graded = Mapping[str, Mapping[str, float]]
"""topic → doc → grade"""


def mean_topic_correlation(first: Graded, second: Graded) -> float:
    """Spearman's ρ over the docs that both grade, mean over the topics where it is defined.

    Parameters
    ----------
    first, second : mapping of str to mapping of str to float
        Grades by topic and doc; codes below 0 are no grades.

    Returns
    -------
    float
        nan where no topic has a value.

    Examples
    --------
    >>> mean_topic_correlation({"t": {"a": 0, "b": 1}}, {"t": {"a": 20, "b": 70}})
    1.0
    """
    spearman = CORRELATIONS.get("spearman")
    values = []
    for topic in sorted(first.keys() & second.keys()):
        one, other = first[topic], second[topic]
        docs = [
            doc for doc in sorted(one.keys() & other.keys()) if one[doc] >= 0 and other[doc] >= 0
        ]
        if len(docs) > 1:
            values.append(float(spearman([one[doc] for doc in docs], [other[doc] for doc in docs])))
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan
