"""Correlations of two arrays row by row, over their common values."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray


def row_correlations(first: FloatArray, second: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return Pearson's r of each pair of rows of two arrays, and the number of common values.

    Parameters
    ----------
    first, second : ndarray, [..., row, value]
        The values; nan if missing.

    Returns
    -------
    (ndarray of float, ndarray of int), both [..., row]
        r and the number of common values; r is nan if one of the two rows is constant.
    """
    shared = ~(np.isnan(first) | np.isnan(second))
    count = shared.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (
            np.where(
                shared, each - (np.where(shared, each, 0.0).sum(axis=-1) / count)[..., None], 0
            )
            for each in (first, second)
        )
        squares = (x**2).sum(axis=-1) * (y**2).sum(axis=-1)
        return np.asarray((x * y).sum(axis=-1) / np.sqrt(squares)), count
