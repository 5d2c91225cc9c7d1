"""Intervals for what two label sets' scores say together: τ, and other functions of two rankings.

Two matrices of scores on the same topics give two vectors of system means; topics are drawn again
for both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.arrays import FloatArray
from qrelsmith.errors import ShapeError, UnknownNameError
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

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
"""means of the first [row, system], of the second [row, system] → [..., row]"""


def ranking_interval(
    first: ArrayLike,
    second: ArrayLike,
    topics: Sequence[str],
    *,
    statistic: Statistic = kendall_tau_b_stack,
    over: str = "topics",
    seed: int = 0,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (-1.0, 1.0),
    splits: int = SPLITS,
) -> PopulationInterval:
    """A statistic of two rankings of the same systems, such as Kendall's τ, with its interval.

    Parameters
    ----------
    first : array_like, shape (topics, systems)
        Scores of the reference.
    second : array_like, shape (..., topics, systems)
        Scores of one label set or of several, on the same topics; nan and infinity are errors.
    topics : sequence of str
        Names of the topics, in the order of the rows. They key the draws.
    statistic : callable
        Means [row, system] of both → [..., row]; by default τ-b. It is given means of halves of
        the topics that are shrunken (see the notes), so it may look at their order and at the size
        of differences, but not at scores.
    over : {'topics', 'systems'}
        What is drawn again: topics, or systems (a jackknife, with the topics as they are).
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
        Arrays of shape (...), and before it what the statistic returns for a row. Its target, over
        topics, is what as many other topics would show in the mean, not infinitely many: a rank
        correlation grows with the number of topics. There is none below 8 topics, or below 5
        systems.

    Raises
    ------
    ShapeError
        If the scores do not fit together, or one is nan or infinite.
    UnknownNameError
        If there is no such population.
    UndefinedError, UsageError
        As `topic_halves` raises them.

    Notes
    -----
    Over topics θ ± t_{T−1}·se, clipped to the bounds, with se² = h/(T−h) · the variance of θ over
    random halves of h = ⌊T/2⌋ topics, where each system's mean of a half is moved by what
    `shrunken_means` moves its mean of all topics. A half scatters around all topics as all topics
    scatter around the truth, but all topics bring their own scatter along, which makes rankings of
    halves too loose; taking it from the means gives halves that rank as other topics would. Over
    systems as `jackknife_interval`.

    Examples
    --------
    >>> scores = np.random.default_rng(0).random((8, 5))
    >>> found = ranking_interval(scores, scores, list("abcdefgh"))
    >>> float(found.low), float(found.value), float(found.high)
    (1.0, 1.0, 1.0)
    """
    one = finite(first, name="first", axes=("topic", "system"), ndim=2)
    other = finite(second, name="second")
    if other.shape[-2:] != one.shape or len(topics) != len(one):
        raise ShapeError(
            f"second must be [..., {one.shape[0]} topics, {one.shape[1]} systems] as first is, with"
            f" a name for each topic; not {list(other.shape)} and {len(topics)} names"
        )
    stack = other.reshape(-1, *one.shape)
    if over == "topics":
        found = _over_topics(
            one, stack, statistic, topics, seed=seed, splits=splits,
            confidence=confidence, bounds=bounds,
        )  # fmt: skip
    elif over == "systems":
        found = _over_systems(one, stack, statistic, confidence=confidence, bounds=bounds)
    else:
        raise UnknownNameError("population", over, ("topics", "systems"))
    return _reshaped(found, other.shape[:-2])


def _over_topics(
    first: FloatArray,
    stack: FloatArray,
    statistic: Statistic,
    topics: Sequence[str],
    *,
    seed: int,
    splits: int,
    confidence: float,
    bounds: tuple[float, float],
) -> PopulationInterval:
    count = len(topics)
    one = first.mean(axis=0)
    whole = np.stack([statistic(one[None], other.mean(axis=0)[None])[..., 0] for other in stack])
    if count < FEWEST_TOPICS:
        return student_interval(whole, whole, size=count, confidence=confidence)
    halves = topic_halves(topics, seed=seed, splits=splits).reshape(-1, count) / (count // 2)
    errors = []
    for other in stack:
        both = np.stack([first, other])
        moved = shrunken_means(both) - both.mean(axis=1)
        means = halves @ both + moved[:, None, :]
        errors.append(halves_error(statistic(means[0], means[1]), topics=count))
    se = np.stack(errors)
    return student_interval(whole, se, size=count, confidence=confidence, bounds=bounds)


def _over_systems(
    first: FloatArray,
    stack: FloatArray,
    statistic: Statistic,
    *,
    confidence: float,
    bounds: tuple[float, float],
) -> PopulationInterval:
    systems = first.shape[1]
    kept = ~np.eye(systems, dtype=bool)
    places = np.nonzero(kept)[1].reshape(systems, -1)
    one = first.mean(axis=0)
    others = stack.mean(axis=1)
    whole = [statistic(one[None], other[None])[..., 0] for other in others]
    without = [statistic(one[places], other[places]) for other in others]
    return jackknife_interval(
        np.stack(whole),
        np.stack(without),
        over="systems",
        confidence=confidence,
        bounds=bounds,
        fewest=FEWEST_SYSTEMS,
    )


def _reshaped(found: PopulationInterval, shape: tuple[int, ...]) -> PopulationInterval:
    """The stack of label sets as the caller had it."""
    value, se, low, high = (
        array.reshape(shape + array.shape[1:])
        for array in (found.value, found.se, found.low, found.high)
    )
    return replace(found, value=value, se=se, low=low, high=high)
