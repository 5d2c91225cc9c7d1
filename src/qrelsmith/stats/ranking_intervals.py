"""Intervals for what two label sets' scores say together: τ, and other functions of two rankings.

Two matrices of scores on the same topics give two vectors of system means; topics are drawn again
for both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.arrays import FloatArray
from qrelsmith.errors import ShapeError, UnknownNameError
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.population import (
    PopulationInterval,
    jackknife_interval,
    resampled_interval,
)
from qrelsmith.stats.topic_draws import DRAWS, SPLITS

FEWEST_SYSTEMS = 5

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
"""means of the first [row, system], of the second [row, system] → [row]"""


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
    draws: int = DRAWS,
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
        Means [row, system] of both → [row]; by default τ-b. `CORRELATIONS` and `TOP_STATISTICS`
        hold others.
    over : {'topics', 'systems'}
        What is drawn again: topics, or systems (a jackknife, with the topics as they are).
    seed : int
        The seed of the draws of topics.
    confidence : float
        Between 0 and 1.
    bounds : (float, float)
        The ends are clipped to them.
    draws, splits : int
        As of `resampled_interval`.

    Returns
    -------
    PopulationInterval
        Arrays of shape (...). Its target, over topics, is the statistic that as many other topics
        would show. There is none below 8 topics, or below 5 systems.

    Raises
    ------
    ShapeError
        If the scores do not fit together, or one is nan or infinite.
    UnknownNameError
        If there is no such population.
    UndefinedError, UsageError
        As `topic_draws` raises them.

    Notes
    -----
    Over topics as `resampled_interval`, over systems as `jackknife_interval`.

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

        def values(weights: FloatArray) -> FloatArray:
            shares = weights / weights.sum(axis=1, keepdims=True)
            reference = shares @ one
            return np.stack([statistic(reference, shares @ scores) for scores in stack])

        found = resampled_interval(
            values,
            topics,
            seed=seed,
            confidence=confidence,
            bounds=bounds,
            draws=draws,
            splits=splits,
        )
    elif over == "systems":
        found = _over_systems(one, stack, statistic, confidence=confidence, bounds=bounds)
    else:
        raise UnknownNameError("population", over, ("topics", "systems"))
    return _reshaped(found, other.shape[:-2])


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
    whole = [statistic(one[None], other[None])[0] for other in others]
    without = [statistic(one[places], other[places]) for other in others]
    return jackknife_interval(
        np.array(whole),
        np.array(without).reshape(len(stack), systems),
        over="systems",
        confidence=confidence,
        bounds=bounds,
        fewest=FEWEST_SYSTEMS,
    )


def _reshaped(found: PopulationInterval, shape: tuple[int, ...]) -> PopulationInterval:
    return PopulationInterval(
        over=found.over,
        size=found.size,
        value=found.value.reshape(shape),
        se=found.se.reshape(shape),
        low=found.low.reshape(shape),
        high=found.high.reshape(shape),
        confidence=found.confidence,
        reason=found.reason,
    )
