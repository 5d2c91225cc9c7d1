"""Ties of system means, defined once for every statistic."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.stats.inputs import finite

TOLERANCE = 1e-12


def tied_ranks(values: ArrayLike, *, name: str = "values") -> IntArray:
    """Return dense ranks; values with a relative difference of up to 1e-12 share a rank.

    Rounding depends on the order of summation, so mathematically equal means may differ in the last
    bits. Every coefficient and test compares these ranks instead of means.

    Parameters
    ----------
    values : array_like, shape (..., n)
        System means or other scores, without nan.
    name : str
        The name in errors.

    Returns
    -------
    int array, shape (..., n)
        0 for the lowest value, one more for each higher one. Neighbours x ≤ y in sorted order share
        a rank if y − x ≤ 1e-12·max(|x|, |y|), so a chain of such neighbours is one tie.

    Raises
    ------
    ShapeError
        If a value is nan or infinite.

    Examples
    --------
    >>> tied_ranks([0.3, 0.1 + 0.2, 0.1])
    array([1, 1, 0])
    """
    array = finite(values, name=name)
    order = np.argsort(array, axis=-1)
    ordered = np.take_along_axis(array, order, axis=-1)
    low, high = ordered[..., :-1], ordered[..., 1:]
    with np.errstate(over="ignore"):
        rises = high - low > TOLERANCE * np.maximum(np.abs(low), np.abs(high))
    ranks = np.zeros(array.shape, dtype=np.int64)
    ranks[..., 1:] = np.cumsum(rises, axis=-1)
    result = np.empty_like(ranks)
    np.put_along_axis(result, order, ranks, axis=-1)
    return result


def mean_ranks(values: ArrayLike) -> FloatArray:
    """Return ranks from 1 for the highest value; tied values share the mean of their ranks.

    Parameters
    ----------
    values : array_like, shape (n,)
        System means or other scores, without nan.

    Examples
    --------
    >>> mean_ranks([0.3, 0.1 + 0.2, 0.5])
    array([2.5, 2.5, 1. ])
    """
    tied = tied_ranks(values)
    above = (tied[None, :] > tied[:, None]).sum(axis=1)
    same = (tied[None, :] == tied[:, None]).sum(axis=1)
    return np.asarray(above + (same + 1) / 2)


def average_ranks(values: ArrayLike) -> FloatArray:
    """Return ranks along the last axis, from 1 for the lowest value; ties share a rank.

    Examples
    --------
    >>> average_ranks([0.3, float("nan"), 0.1, 0.3])
    array([2.5, nan, 1. , 2.5])
    """
    numbers = np.asarray(values, dtype=np.float64)
    order = np.argsort(numbers, axis=-1)
    ordered = np.take_along_axis(numbers, order, axis=-1)
    place = np.arange(numbers.shape[-1])
    differs = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*numbers.shape[:-1], 1), dtype=bool)[..., : place.size]
    first = np.where(np.concatenate([edge, differs], axis=-1), place, 0)
    last = np.where(np.concatenate([differs, edge], axis=-1), place, place.size)
    first = np.maximum.accumulate(first, axis=-1)
    last = np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(numbers.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(numbers), np.nan, ranks)


def pair_differences(means: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Return `means[first] − means[second]`, exactly 0 if the two means are tied."""
    ranks = tied_ranks(means, name="means")
    return np.where(ranks[first] == ranks[second], 0.0, means[first] - means[second])
