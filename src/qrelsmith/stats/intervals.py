"""Intervals for a mean over topics: by Student's t, and by the bootstrap over topics."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from qrelsmith.arrays import FloatArray
from qrelsmith.stats.inputs import between_0_and_1, finite, positive_count
from qrelsmith.stats.resampling import resample_counts


def t_interval(values: ArrayLike, *, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Student's t interval for the mean along the last axis.

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
        If the level does not lie between 0 and 1.

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
    n = array.shape[-1]
    if n < 2:
        return np.full(array.shape[:-1], np.nan), np.full(array.shape[:-1], np.nan)
    mean = array.mean(axis=-1)
    half = special.stdtrit(n - 1, (1 + level) / 2) * array.std(axis=-1, ddof=1) / np.sqrt(n)
    return np.asarray(mean - half), np.asarray(mean + half)


def bootstrap_interval(
    values: ArrayLike,
    *,
    rng: np.random.Generator,
    trials: int = 1000,
    level: float = 0.95,
) -> tuple[FloatArray, FloatArray]:
    """Percentile bootstrap interval for the mean along the last axis, resampling topics.

    Parameters
    ----------
    values : array_like, shape (..., n)
        Scores on n topics, without nan. Rows are resampled together: every system sees the same
        topics.
    rng : Generator
        Where the samples come from.
    trials : int
        The number B of samples.
    level : float
        Level of the interval, such as 0.95.

    Returns
    -------
    low, high : float array, shape (...)
        The (1−level)/2 and (1+level)/2 quantiles of the resampled means; nan for fewer than two
        topics.

    Raises
    ------
    ShapeError
        If a value is nan or infinite.
    UsageError
        If level or trials is out of range.

    Notes
    -----
    Efron & Tibshirani 1993, Ch. 13. Quantiles interpolate linearly between samples.
    """
    between_0_and_1(level, name="level")
    count = positive_count(trials, name="trials")
    array = finite(values, name="values")
    n = array.shape[-1]
    if n < 2:
        return np.full(array.shape[:-1], np.nan), np.full(array.shape[:-1], np.nan)
    counts = resample_counts(rng, count, n)
    means = array.reshape(-1, n) @ counts.T.astype(np.float64) / n
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=-1)
    return low.reshape(array.shape[:-1]), high.reshape(array.shape[:-1])
