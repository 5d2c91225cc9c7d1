"""Effect sizes and residual variances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.ties import TOLERANCE


def standardise(difference: ArrayLike, variance: ArrayLike) -> FloatArray:
    """Express a difference in units of a standard deviation: ES_E1, ES_E2 and similar.

    Parameters
    ----------
    difference : array_like, shape (...)
        Differences of means.
    variance : array_like, shape (...)
        The variance whose root is the unit: V_E1 gives ES_E1, V_E2 gives ES_E2.

    Returns
    -------
    float array, shape (...)
        difference / √variance. nan if both are 0 (0/0) or one is nan; infinite if only the variance
        is 0.

    Notes
    -----
    ES_E1 = (x̄_i − x̄_j)/√V_E1 and ES_E2 = (x̄_i − x̄_j)/√V_E2 (Sakai 2018, Laboratory Experiments in
    Information Retrieval, Ch. 5).

    Examples
    --------
    >>> round(float(standardise(0.5324 - 0.4445, 0.03511)), 3)
    0.469
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            float_array(difference, name="difference")
            / np.sqrt(float_array(variance, name="variance"))
        )


def glass_delta(
    mean: ArrayLike, control_mean: ArrayLike, control_deviation: ArrayLike
) -> FloatArray:
    """Glass's Δ: a difference of means in units of the control group's standard deviation.

    Parameters
    ----------
    mean, control_mean : array_like, shape (...)
        Means of the two groups.
    control_deviation : array_like, shape (...)
        Sample standard deviation (n−1) of the group that was chosen as control.

    Returns
    -------
    float array, shape (...)
        (mean − control_mean) / control_deviation; nan for 0/0.

    Notes
    -----
    Glass, McGaw & Smith 1981. ordering-gold-bronze, Table 3, takes the randomised pools as control.

    Examples
    --------
    >>> round(float(glass_delta(65.4, 41.7, 47.5)), 3)
    0.499
    """
    difference = np.subtract(float_array(mean, name="mean"), float_array(control_mean, name="mean"))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(difference / float_array(control_deviation, name="control_deviation"))


def residual_variance_one_way(samples: Sequence[ArrayLike]) -> float:
    """V_E1: the within-group variance of a one-way analysis of variance.

    Parameters
    ----------
    samples : sequence of array_like, each of shape (n_i,)
        Independent samples, without nan.

    Returns
    -------
    float
        Σ_i Σ_j (x_ij − x̄_i)² / (N − m) for N values in m groups; nan where N = m.

    Raises
    ------
    ShapeError
        If a sample is empty, not one-dimensional, or contains nan.
    """
    groups = independent_samples(samples)
    freedom = sum(len(group) for group in groups) - len(groups)
    squares = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    return squares / freedom if freedom else float("nan")


def residual_variance_two_way(scores: ArrayLike) -> float:
    """V_E2: the residual variance of a two-way analysis of variance.

    Parameters
    ----------
    scores : array_like, shape (topics, systems)
        One score per topic and system (no replication), without nan.

    Returns
    -------
    float
        Σ_t Σ_i (x_ti − x̄_t· − x̄_·i + x̄)² / ((n−1)(m−1)) for n topics and m systems; exactly 0 if
        no residual exceeds 1e-12 of the largest score; nan for one topic or one system.

    Raises
    ------
    ShapeError
        If the scores do not have two dimensions, or one is nan or infinite.
    """
    array = finite(scores, name="scores", axes=("topic", "system"), ndim=2)
    topics, systems = array.shape
    if min(topics, systems) < 2:
        return float("nan")
    rest = array - array.mean(axis=0) - array.mean(axis=1, keepdims=True) + array.mean()
    if np.abs(rest).max() <= TOLERANCE * np.abs(array).max():
        return 0.0
    return float(np.sum(rest**2) / ((topics - 1) * (systems - 1)))


def independent_samples(samples: Sequence[ArrayLike]) -> list[FloatArray]:
    """Check that every sample has one dimension, is not empty and contains no nan.

    Raises
    ------
    ShapeError
        If a sample is invalid, or a matrix is given: its columns are paired by topic, so they are
        not independent samples.
    """
    if getattr(samples, "ndim", 1) != 1:
        raise ShapeError(
            "scores[topic, system] are paired; use a paired test, or pass a list of arrays"
        )
    groups = [
        finite(sample, name=f"sample {number}", ndim=1) for number, sample in enumerate(samples)
    ]
    for number, group in enumerate(groups):
        if not len(group):
            raise ShapeError(f"sample {number} is empty; expected at least one value")
    return groups
