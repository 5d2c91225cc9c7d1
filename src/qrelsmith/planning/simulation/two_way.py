"""Scores with given means and residual variance, for checks of published tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.planning.simulation.design import at_least


def two_way_rows(
    means: ArrayLike,
    variance: float,
    *,
    rows: int,
    rng: np.random.Generator,
    row_deviation: float = 0.05,
) -> FloatArray:
    """Draw rows of a two-way model with exactly the given column means and V_E2.

    Parameters
    ----------
    means : array_like, shape (m,)
        The means of the columns, such as systems; two or more.
    variance : float
        V_E2, the residual variance of the two-way analysis of variance.
    rows : int
        The number of rows, such as topics or splits; two or more.
    rng : Generator
        The random numbers.
    row_deviation : float
        The standard deviation of the rows' own effects, which paired tests ignore.

    Returns
    -------
    float array, shape (rows, m)
        x_ti = mean_i + r_t + e_ti with normal r and e, Σ_t r_t = 0, the e of each row and column
        summing to 0, and Σ e² = V_E2·(rows−1)(m−1).

    Raises
    ------
    ShapeError
        If the means are not a list of two or more numbers.
    UsageError
        If there are fewer than two rows, or a variance or deviation is below 0.
    """
    columns = float_array(means, name="means")
    if columns.ndim != 1 or columns.size < 2 or not np.isfinite(columns).all():
        raise ShapeError(f"means has shape {columns.shape}; expected two or more finite numbers")
    at_least("rows", rows, 2)
    at_least("variance", variance, 0.0)
    at_least("row_deviation", row_deviation, 0.0)
    error = rng.standard_normal((rows, columns.size))
    error -= error.mean(axis=0)
    error -= error.mean(axis=1, keepdims=True)
    error *= np.sqrt(variance * (rows - 1) * (columns.size - 1) / (error**2).sum())
    own = row_deviation * rng.standard_normal((rows, 1))
    return np.asarray(columns + (own - own.mean()) + error)
