"""Student's t interval for a mean."""

from __future__ import annotations

from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.inputs import between_0_and_1, finite
from qrelsmith.stats.population import mean_interval


def t_interval(values: ArrayLike, *, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return Student's t interval for the mean along the last axis.

    Parameters
    ----------
    values : array_like, shape (..., n)
        Scores on n topics, or any other sample, without nan.
    level : float
        Level of the interval, such as 0.95.

    Returns
    -------
    low, high : float array, shape (...)
        nan for fewer than two values.

    Raises
    ------
    ShapeError
        If a value is nan or infinite.
    UsageError
        If the level is not between 0 and 1.

    Notes
    -----
    x̄ ± t_{n−1}((1+level)/2)·s/√n, s with n−1.

    Examples
    --------
    >>> [round(float(end), 3) for end in t_interval([0.2, 0.4, 0.6])]
    [-0.097, 0.897]
    """
    between_0_and_1(level, name="level")
    array = finite(values, name="values")
    found = mean_interval(array, confidence=level, fewest=2)
    return found.low, found.high
