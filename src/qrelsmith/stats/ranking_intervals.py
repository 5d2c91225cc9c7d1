"""Intervals over topics for statistics of system means, such as τ and ranks.

Each label set on the same topics gives a vector of system means. Topics are resampled for all label
sets together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.population import (
    FEWEST_TOPICS,
    PopulationInterval,
    halves_error,
    jackknife_interval,
    student_interval,
)
from qrelsmith.stats.shrunken_means import shrunken_means
from qrelsmith.stats.topic_draws import SPLITS, topic_halves

FEWEST_SYSTEMS = 5

OfMeans = Callable[[FloatArray, FloatArray], FloatArray]
"""means[k, row, system], shares of the topics behind them [row, topic] → [..., row]"""
OfTwoMeans = Callable[[FloatArray, FloatArray], FloatArray]
"""means of the first [row, system], of the second [row, system] → [..., row]"""


def ranking_interval(
    first: ArrayLike,
    second: ArrayLike,
    topics: Sequence[str],
    *,
    statistic: OfTwoMeans = kendall_tau_b_stack,
    over: str = "topics",
    seed: int = 0,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (-1.0, 1.0),
    splits: int = SPLITS,
) -> PopulationInterval:
    """Compute a statistic of two rankings, such as Kendall's τ, with its interval.

    Parameters
    ----------
    first : array_like, shape (topics, systems)
        Scores of the reference.
    second : array_like, shape (..., topics, systems)
        Scores of one label set or of several, on the same topics.
    topics : sequence of str
        Names of the topics, in the order of the rows; they determine the random draws.
    statistic : callable
        Means [row, system] of both → [..., row]; by default τ-b. Any of `CORRELATIONS` is allowed,
        and `top_agreement`.
    over, seed, confidence, bounds, splits
        As in `means_interval`.

    Returns
    -------
    PopulationInterval
        Arrays of shape (...) plus the statistic's own shape, with label sets treated separately.

    Raises
    ------
    ShapeError
        If the scores do not fit together, or one is nan or infinite.
    UnknownNameError, UndefinedError, UsageError
        As in `means_interval`.

    Examples
    --------
    >>> scores = np.random.default_rng(0).random((8, 5))
    >>> found = ranking_interval(scores, scores, list("abcdefgh"))
    >>> float(found.low), float(found.value), float(found.high)
    (1.0, 1.0, 1.0)
    """
    base = finite(first, name="first", axes=("topic", "system"), ndim=2)
    other = finite(second, name="second")
    if other.shape[-2:] != base.shape:
        raise ShapeError(
            f"“second” must have the shape [..., {base.shape[0]} topics, {base.shape[1]} "
            f"systems] of “first”; found {list(other.shape)}"
        )
    intervals = [
        means_interval(
            np.stack([base, scores]),
            topics,
            statistic=lambda means, _: statistic(means[0], means[1]),
            over=over,
            seed=seed,
            confidence=confidence,
            bounds=bounds,
            splits=splits,
        )
        for scores in other.reshape(-1, *base.shape)
    ]
    shape = other.shape[:-2]
    value, se, low, high = (
        np.reshape([getattr(each, name) for each in intervals], shape + intervals[0].value.shape)
        for name in ("value", "se", "low", "high")
    )
    return replace(intervals[0], value=value, se=se, low=low, high=high)


def means_interval(
    scores: ArrayLike,
    topics: Sequence[str],
    *,
    statistic: OfMeans,
    over: str = "topics",
    seed: int = 0,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (-1.0, 1.0),
    splits: int = SPLITS,
) -> PopulationInterval:
    """Return a statistic of the system means of k label sets, with its interval.

    Parameters
    ----------
    scores : array_like, shape (k, topics, systems)
        Scores of the same systems on the same topics; nan and infinity are errors.
    topics : sequence of str
        Topic names; they determine the random draws.
    statistic : callable
        Function of means[k, row, system] and shares[row, topic] that returns [..., row], each row
        independently. It is called with the means, then with the means from
        `means_of_other_topics`. The shares are the weights of the topics, which add up to 1.
    over : {'topics', 'systems'}
        The resampled units: topics, or systems (with fixed topics).
    seed : int
        The seed of the draws of topics.
    confidence : float
        Between 0 and 1.
    bounds : (float, float)
        The ends are clipped to them.
    splits : int
        Pairs of halves of the topics.

    Returns
    -------
    PopulationInterval
        Over topics, the target is the expected value on the same number of other topics, because a
        rank correlation grows with the number of topics. There is no interval for fewer than 8
        topics or fewer than 5 systems.

    Raises
    ------
    ShapeError
        If the scores do not fit together, or one is nan or infinite.
    UnknownNameError
        If the population is unknown.
    UndefinedError, UsageError
        As in `topic_halves`.

    Notes
    -----
    Over topics θ ± t_{T−1}·se with se² = h/(T−h) · the variance of θ over `means_of_other_topics`;
    over systems `jackknife_interval`.
    """
    array = finite(scores, name="scores", axes=("label set", "topic", "system"), ndim=3)
    _, count, systems = array.shape
    if len(topics) != count:
        raise ShapeError(f"topics must name the {count} topics of the scores; found {len(topics)}")
    means = array.mean(axis=1)
    alike = np.full((1, count), 1.0 / max(count, 1))
    whole = statistic(means[:, None], alike)[..., 0]
    if over == "topics":
        se = np.full(whole.shape, np.nan)
        if count >= FEWEST_TOPICS:
            shares = half_shares(topics, seed=seed, splits=splits)
            se = halves_error(statistic(means_of_other_topics(array, shares), shares), topics=count)
        return student_interval(whole, se, size=count, confidence=confidence, bounds=bounds)
    if over != "systems":
        raise UnknownNameError("population", over, ("topics", "systems"))
    kept = np.nonzero(~np.eye(systems, dtype=bool))[1].reshape(systems, -1)
    return jackknife_interval(
        whole,
        statistic(means[:, kept], np.tile(alike, (systems, 1))),
        over="systems",
        confidence=confidence,
        bounds=bounds,
        fewest=FEWEST_SYSTEMS,
    )


def half_shares(topics: Sequence[str], *, seed: int, splits: int = SPLITS) -> FloatArray:
    """Return the weight of each topic in the mean over each random half, [half, topic]."""
    count = len(topics)
    halves = topic_halves(topics, seed=seed, splits=splits)
    return np.asarray(halves.reshape(-1, count) / (count // 2))


def means_of_other_topics(scores: FloatArray, shares: FloatArray) -> FloatArray:
    """Return simulated system means on other topics.

    Parameters
    ----------
    scores : float array, shape (k, topics, systems)
        Scores of k label sets.
    shares : float array, shape (halves, topics)
        The weights of the topics in random halves.

    Returns
    -------
    float array, shape (k, halves, systems)
        The mean over each half, shifted as `shrunken_means` shifts the mean over all topics.

    Notes
    -----
    A half varies around all topics as all topics vary around the truth. The variance of
    all topics is removed from the centre of the halves; otherwise rankings of halves would vary
    more than rankings on other topics.
    """
    moved = shrunken_means(scores) - scores.mean(axis=1)
    return np.asarray(shares @ scores + moved[:, None, :])
