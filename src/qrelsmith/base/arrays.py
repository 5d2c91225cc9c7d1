"""Array aliases, and the only checks of array input that the numeric core does."""

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
    """`values` as a float array; nan is kept.

    Parameters
    ----------
    values : array_like
        Numbers; nan stands for a missing value.
    name : str
        What the array is called in an error.
    ndim : int, optional
        The number of dimensions it must have.

    Raises
    ------
    ShapeError
        If the values are no numbers or the dimensions are wrong.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ShapeError(f"{name} must contain numbers: {error}") from None
    if ndim is not None and array.ndim != ndim:
        raise ShapeError(f"{name} must have {ndim} dimensions; found {array.ndim}")
    return array


def same_shape(first: AnyArray, second: AnyArray, *, names: tuple[str, str]) -> None:
    """Raise `ShapeError` unless both arrays have one shape."""
    if first.shape != second.shape:
        raise ShapeError(
            f"{names[0]} and {names[1]} must have the same shape; found {first.shape} "
            f"and {second.shape}"
        )
