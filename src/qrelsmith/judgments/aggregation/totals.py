"""Aggregations that sum grades, that is, treat levels as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.judgments.aggregation.registry import AGGREGATIONS, checked_ratings
from qrelsmith.judgments.scale_operations import log_sum


@AGGREGATIONS.add(
    "mean",
    formula="Σ x/n: need not be a level",
    source="Chu et al. 2021 (PDP), Eq. 9, for another Agg(·)",
)
def mean(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the mean grade, [unit]; nan for a unit without ratings."""
    grades = checked_ratings(ratings, levels)
    count = np.count_nonzero(~np.isnan(grades), axis=0)
    return np.asarray(_sum(grades) / np.maximum(count, 1))


@AGGREGATIONS.add("sum", formula="Σ x", source="Chu et al. 2021 (PDP), 5.1.2: S", adds_up=True)
def total(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the sum of the grades, [unit]; nan for a unit without ratings.

    Sums of units with different numbers of judgments are not comparable.
    """
    return _sum(checked_ratings(ratings, levels))


@AGGREGATIONS.add(
    "logsum",
    formula="int(log2(Σ x + 1))",
    source="Chu et al. 2021 (PDP), 5.1.2: 3to5; Sakai et al. 2020, overview of NTCIR-15 WWW-3",
    adds_up=True,
)
def log_of_sum(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the integer part of log2(sum + 1), [unit]; nan for a unit without ratings.

    Grades 0 to 2 by eight assessors become grades 0 to 4. A negative sum is an error.
    """
    return log_sum(_sum(checked_ratings(ratings, levels)))


def _sum(grades: FloatArray) -> FloatArray:
    """Return the sums, [unit]; nan for a unit without grades."""
    missing = np.isnan(grades)
    sums = np.where(missing, 0.0, grades).sum(axis=0)
    return np.where(missing.all(axis=0), np.nan, sums)
