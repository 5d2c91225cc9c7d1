"""The level of each doc under cuts, as in a transformed data set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.cuts.counted_levels import levels_above
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.topic_labels import BY_PLACE, TopicLabels, aggregate, name_of

ORDERS = ("at", "ta")


def doc_levels(
    labels: TopicLabels, sets: CutSets, places: ArrayLike, *, by: str = "median", order: str = "at"
) -> FloatArray:
    """Compute each doc's level on the target scale under the given sets of cuts.

    Parameters
    ----------
    labels : TopicLabels
        The labels of a topic.
    sets : CutSets
        All sets of cuts.
    places : array_like of int, [set]
        Indices of the sets to use.
    by : str
        Aggregation of labels: one of `AGGREGATED_BY`.
    order : str
        `at`: aggregated, then cut; `ta`: cut, then aggregated, with an aggregate between two levels
        rounded down. The two orders give different results only for non-positional aggregations.

    Returns
    -------
    ndarray, [set, doc]
        Levels 0 … m−1; nan for a doc without labels.

    Raises
    ------
    UnknownNameError, UsageError
        If the aggregation or order is unknown.
    """
    chosen = sets.places[np.asarray(places, dtype=np.int64)]
    unlabelled = np.bincount(labels.doc, minlength=labels.docs) == 0
    grade = aggregate(labels.ratings, by)
    if not _cut_first(by, order):
        position = sets.positions(grade)
        levels = np.asarray((position > chosen[:, :, None]).sum(axis=1), dtype=np.float64)
    else:
        width = sets.candidates.size
        flat = labels.doc * (width + 1) + sets.positions(labels.grade)
        counts = np.bincount(flat, minlength=labels.docs * (width + 1))
        not_above = np.cumsum(counts.reshape(labels.docs, width + 1), axis=1)
        above = levels_above(
            [not_above[:, column].T for column in chosen.T], not_above[:, -1], name_of(by)
        )
        levels = np.asarray(sum(one.astype(np.float64) for one in above))
    levels[:, unlabelled] = np.nan
    return levels


def distinct_sets(
    labels: TopicLabels, sets: CutSets, *, by: str = "median", order: str = "at"
) -> tuple[IntArray, IntArray]:
    """Return one set of cuts for each distinct result of cutting a topic's docs.

    Parameters
    ----------
    labels, sets, by, order
        As in `doc_levels`.

    Returns
    -------
    places : ndarray of int, [distinct]
        Index of one set of each kind.
    kind : ndarray of int, [set]
        The kind of every set, as an index into `places`. Sets of one kind give every doc the same
        level.
    """
    grades = labels.grade if _cut_first(by, order) else aggregate(labels.ratings, by)
    taken = np.unique(sets.positions(grades[~np.isnan(grades)]))
    interval = np.searchsorted(taken, np.arange(sets.candidates.size), side="right")
    shape = (taken.size + 1,) * (sets.targets - 1)
    code = np.ravel_multi_index(tuple(interval.take(column) for column in sets.columns), shape)
    _, places, kind = np.unique(code, return_index=True, return_inverse=True)
    return places.astype(np.int64), kind.astype(np.int64)


def _cut_first(by: str, order: str) -> bool:
    """Return whether cutting labels before their aggregation affects the result."""
    if order not in ORDERS:
        raise UsageError(f"order={quoted(order)}; expected one of {', '.join(ORDERS)}")
    return order == "ta" and name_of(by) not in BY_PLACE
