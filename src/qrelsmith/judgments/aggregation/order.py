"""Aggregations by order or frequency of grades; only `median-mean` can return a new grade.

Majority, minimum, maximum and the lower and upper median are order statistics or counts, so they
need no distances between levels. Only the mean of the two middle grades needs distances.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.judgments.aggregation.registry import AGGREGATIONS, checked_ratings

MIDDLES = ("lower", "upper", "mean")


@AGGREGATIONS.add(
    "majority",
    formula="the grade that most assessors gave; a tie: the lowest of them",
    source="Sheng, Provost and Ipeirotis 2008",
    aliases=("mode",),
)
def majority(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the most frequent grade, or the lowest if several grades are tied.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan is missing and has no vote.
    levels : array_like, [level], optional
        Every level of the scale, ascending; any other grade is an error.

    Returns
    -------
    ndarray, [unit]
        A grade that was given; nan for a unit without ratings.

    Raises
    ------
    ShapeError, UsageError
        As in `checked_ratings`.
    """
    ranked = np.sort(checked_ratings(ratings, levels), axis=0)
    assessors, units = ranked.shape
    if assessors == 0:
        return np.full(units, np.nan)
    place = np.arange(assessors)[:, None]
    begins = np.ones(ranked.shape, dtype=np.bool_)
    begins[1:] = ranked[1:] != ranked[:-1]
    # The number of occurrences, up to each place, of its grade. Each nan differs from any # other:
    # it counts as 1, and comes last, so that argmax finds it only if there is nothing else.
    votes = place - np.maximum.accumulate(np.where(begins, place, 0), axis=0)
    return _at(ranked, votes.argmax(axis=0))


def median(
    ratings: ArrayLike, *, levels: ArrayLike | None = None, middle: str = "lower"
) -> FloatArray:
    """Return the grade in the middle of the sorted ratings of each unit.

    With an even number of ratings, there are two middle grades: x_(n/2) and x_(n/2+1). The median
    is the Agg(·) of Chu et al. 2021 (PDP), Eq. 9, which does not define the result for an even
    number of ratings.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    levels : array_like, [level], optional
        Every level of the scale, ascending; any other grade is an error.
    middle : str
        Which of two middle grades: `lower`, `upper`, or their `mean`, which may not be on the
        scale.

    Returns
    -------
    ndarray, [unit]
        nan for a unit without ratings.

    Raises
    ------
    ShapeError, UsageError
        As in `checked_ratings`, or for an unknown `middle`.
    """
    if middle not in MIDDLES:
        raise UsageError(f"middle={quoted(middle)}; expected one of {', '.join(MIDDLES)}")
    grades = checked_ratings(ratings, levels)
    if grades.shape[0] == 0:
        return np.full(grades.shape[1], np.nan)
    ranked = np.sort(grades, axis=0)
    count = np.count_nonzero(~np.isnan(grades), axis=0)
    low = _at(ranked, np.maximum(count - 1, 0) // 2)
    high = _at(ranked, np.minimum(count // 2, np.maximum(count - 1, 0)))
    if middle == "mean":
        return low + (high - low) / 2
    return low if middle == "lower" else high


@AGGREGATIONS.add(
    "median",
    formula="x_(⌈n/2⌉): with an even number of grades the lower of the two in the middle",
    source="Chu et al. 2021 (PDP), Eq. 9",
    aliases=("median-lower",),
)
def median_lower(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the median, or the lower of two middle grades."""
    return median(ratings, levels=levels, middle="lower")


@AGGREGATIONS.add(
    "median-upper",
    formula="x_(⌊n/2⌋+1): with an even number of grades the upper of the two in the middle",
    source="Chu et al. 2021 (PDP), Eq. 9, for another Agg(·)",
)
def median_upper(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the median, or the upper of two middle grades."""
    return median(ratings, levels=levels, middle="upper")


@AGGREGATIONS.add(
    "median-mean",
    formula="(x_(⌈n/2⌉) + x_(⌊n/2⌋+1))/2: need not be a level",
    source="Chu et al. 2021 (PDP), Eq. 9, for another Agg(·)",
)
def median_mean(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the median, or the mean of two middle grades."""
    return median(ratings, levels=levels, middle="mean")


@AGGREGATIONS.add("min", formula="x_(1)", source="Chu et al. 2021 (PDP), Eq. 9, for another Agg(·)")
def lowest(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the lowest grade; nan for a unit without ratings."""
    grades = checked_ratings(ratings, levels)
    return _or_nan(grades, np.where(np.isnan(grades), np.inf, grades).min(axis=0, initial=np.inf))


@AGGREGATIONS.add("max", formula="x_(n)", source="Chu et al. 2021 (PDP), Eq. 9, for another Agg(·)")
def highest(ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
    """Return the highest grade; nan for a unit without ratings."""
    grades = checked_ratings(ratings, levels)
    return _or_nan(grades, np.where(np.isnan(grades), -np.inf, grades).max(axis=0, initial=-np.inf))


def _at(ranked: FloatArray, places: IntArray) -> FloatArray:
    """Return the value at one position of each column, [unit]."""
    return np.asarray(np.take_along_axis(ranked, places[None], axis=0)[0])


def _or_nan(grades: FloatArray, values: FloatArray) -> FloatArray:
    """Return the values, with nan for units without ratings, [unit]."""
    return np.where(np.isnan(grades).all(axis=0), np.nan, values)
