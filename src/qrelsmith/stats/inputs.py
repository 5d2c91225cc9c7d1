"""Checks of input arrays, with errors that name the position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UndefinedError, UsageError


def finite(
    values: ArrayLike, *, name: str, axes: Sequence[str] = (), ndim: int | None = None
) -> FloatArray:
    """Return `values` as floats; nan and infinite values are errors.

    Parameters
    ----------
    values : array_like
        Numbers, of one dimension or more.
    name : str
        The name in errors.
    axes : sequence of str
        The names of the axes for the error, such as `("topic", "system")`.
    ndim : int, optional
        The required number of dimensions.

    Raises
    ------
    ShapeError
        If the shape is wrong or a value is nan or infinite.
    """
    array = float_array(values, name=name, ndim=ndim)
    if array.ndim == 0:
        raise ShapeError(f"{name} must have at least one dimension; found the single value {array}")
    bad = ~np.isfinite(array)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        named = axes if len(axes) == array.ndim else ["index"] * array.ndim
        place = ", ".join(f"{axis} {i}" for axis, i in zip(named, index, strict=True))
        raise ShapeError(f"{name} must contain finite numbers; found {place} = {array[index]}")
    return array


def topic_scores(scores: ArrayLike) -> FloatArray:
    """Check `scores[topic, system]` for a paired test: complete, with at least two topics.

    Raises
    ------
    ShapeError
        If the array is not two-dimensional, or a score is missing (nan) or infinite.
    UndefinedError
        If there are fewer than two topics; a paired test needs variation.
    """
    array = finite(scores, name="scores", axes=("topic", "system"), ndim=2)
    if array.shape[0] < 2:
        raise UndefinedError(f"a paired test needs at least two topics; found {array.shape[0]}")
    return array


def between_0_and_1(value: float, *, name: str) -> float:
    """Check that the value is strictly between 0 and 1."""
    if not 0 < value < 1:
        raise UsageError(f"{name} must be between 0 and 1; found {value}")
    return value


def positive_count(value: int, *, name: str) -> int:
    """Return the value as an int; the value must be a whole number, 1 or more."""
    if value < 1 or int(value) != value:
        raise UsageError(f"{name} must be a whole number, 1 or more; found {value}")
    return int(value)
