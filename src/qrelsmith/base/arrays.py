"""Type aliases of arrays, and the only checks of array input in the numeric core."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrelsmith.base.errors import ShapeError

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]


def float_array(values: ArrayLike, *, name: str, ndim: int | None = None) -> FloatArray:
    """Convert `values` to a float array, keeping nan.

    Parameters
    ----------
    values : array_like
        Numbers; nan means a missing value.
    name : str
        The name of the array in errors.
    ndim : int, optional
        The required number of dimensions.

    Raises
    ------
    ShapeError
        If the values are not numbers or the dimensions are wrong.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ShapeError(f"{name} must contain numbers: {error}") from None
    if ndim is not None and array.ndim != ndim:
        raise ShapeError(f"{name} must have {ndim} dimensions; found {array.ndim}")
    return array


def same_shape(first: AnyArray, second: AnyArray, *, names: tuple[str, str]) -> None:
    """Raise `ShapeError` if the shapes of two arrays differ."""
    if first.shape != second.shape:
        raise ShapeError(
            f"{names[0]} and {names[1]} must have the same shape; found {first.shape} "
            f"and {second.shape}"
        )
