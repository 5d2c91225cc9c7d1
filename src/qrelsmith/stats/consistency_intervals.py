"""Ranking consistency of label sets between halves of the topics, with its interval.

Random splits of the same topics do not generalise to other topics: with enough splits, any two
label sets differ significantly. This module therefore resamples the topics.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.population import FEWEST_TOPICS, PopulationInterval, student_interval
from qrelsmith.stats.shrunken_means import shrunken_means
from qrelsmith.stats.split_halves import half_taus
from qrelsmith.stats.topic_draws import topic_halves

_DRAWS, _SPLITS = 100, 20


@dataclass(frozen=True, slots=True, eq=False)
class ConsistencyIntervals:
    """Mean τ between halves of the topics, with intervals over topics.

    Attributes
    ----------
    means : PopulationInterval, shape (k,)
        The mean τ of each label set or measure.
    differences : PopulationInterval, shape (k, k)
        Mean τ of the row minus mean τ of the column.
    """

    means: PopulationInterval
    differences: PopulationInterval


def consistency_intervals(
    scores: ArrayLike,
    topics: Sequence[str],
    halves: BoolArray,
    *,
    seed: int = 0,
    confidence: float = 0.95,
    values: ArrayLike | None = None,
) -> ConsistencyIntervals:
    """Return the consistency of k label sets or measures on the same topics, and their differences.

    Parameters
    ----------
    scores : array_like, shape (k, topics, systems)
        Scores of the same systems on the same topics.
    topics : sequence of str
        Topic names; they determine the random draws.
    halves : bool array, shape (splits, topics)
        The splits, as returned by `random_halves`; the consistency is the mean τ of all splits.
    seed : int
        The seed of the draws.
    confidence : float
        Between 0 and 1.
    values : array_like, shape (k,), optional
        The mean τ over these splits, if already computed.

    Returns
    -------
    ConsistencyIntervals
        The target is the mean τ on equally many other topics. nan if a split has no τ; no interval
        below 8 topics.

    Raises
    ------
    ShapeError
        If the scores do not fit together, or one is nan or infinite.
    UndefinedError, UsageError
        As in `topic_halves`, or if the confidence is out of range.

    Notes
    -----
    θ ± t_{T−1}·se. se² = h/(T−h) · the variance, over random halves H of h topics, of the mean τ
    between two random quarters A and B inside H, less what the choice of quarters adds to it. The
    means of A and B are made to scatter as those of halves of T topics do: they are the shrunken
    mean of all topics (`shrunken_means`), and how far H lies from all topics, and c times how far A
    or B lies from H, with c² = (1/T)/(1/q − 1/h) for quarters of q = ⌊h/2⌋ topics.
    """
    array = finite(scores, name="scores", axes=("label set", "topic", "system"), ndim=3)
    count = array.shape[1]
    if len(topics) != count:
        raise ShapeError(f"topics must name the {count} topics of the scores; found {len(topics)}")
    if values is None:
        values = [half_taus(matrix, halves).mean() for matrix in array]
    values = np.asarray(values, dtype=np.float64)
    errors = np.full((len(array), len(array)), math.nan)
    alone = np.full(len(array), math.nan)
    if count >= FEWEST_TOPICS:
        inside, first, second = _quarters(topics, seed=seed)
        taus = np.stack([_other_taus(matrix, inside, first, second) for matrix in array])
        alone = _error(taus, topics=count)
        errors = np.stack([_error(taus - other, topics=count) for other in taus], axis=1)
    means = student_interval(values, alone, size=count, confidence=confidence, bounds=(-1.0, 1.0))
    apart = values[:, None] - values[None, :]
    differences = student_interval(
        apart, errors, size=count, confidence=confidence, bounds=(-2.0, 2.0)
    )
    return ConsistencyIntervals(means, differences)


def _quarters(topics: Sequence[str], *, seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return random halves [draw, topic], and two quarters of each half [draw, split, topic].

    Each value is the topic's weight in the mean over the half or quarter.
    """
    count = len(topics)
    half, quarter = count // 2, count // 4
    inside = topic_halves(topics, seed=seed, splits=_DRAWS // 2).reshape(-1, count)
    place = {name: column for column, name in enumerate(sorted(topics))}
    columns = [place[name] for name in topics]
    rng = rng_for(seed, "topics", "quarters", *sorted(topics))
    keys = rng.random((_DRAWS, _SPLITS, count))[..., columns] + np.where(inside > 0, 0, 1)[:, None]
    order = keys.argsort(axis=-1)
    quarters = np.zeros((2, _DRAWS, _SPLITS, count))
    np.put_along_axis(quarters[0], order[..., :quarter], 1 / quarter, axis=-1)
    np.put_along_axis(quarters[1], order[..., quarter : 2 * quarter], 1 / quarter, axis=-1)
    return inside / half, quarters[0], quarters[1]


def _other_taus(
    scores: FloatArray, inside: FloatArray, first: FloatArray, second: FloatArray
) -> FloatArray:
    """Return τ between halves of topics that other collections might have, [draw, split]."""
    count, systems = scores.shape
    half, quarter = count // 2, count // 4
    spread = math.sqrt((1 / count) / (1 / quarter - 1 / half))
    means = inside @ scores
    centre = shrunken_means(scores[None])[0] + means - scores.mean(axis=0)
    both = [
        centre[:, None] + spread * (quarters @ scores - means[:, None])
        for quarters in (first, second)
    ]
    taus = kendall_tau_b_stack(*(array.reshape(-1, systems) for array in both))
    return taus.reshape(_DRAWS, _SPLITS)


def _error(taus: FloatArray, *, topics: int) -> FloatArray:
    """Return the standard error of the mean τ of all splits, from τ [..., draw, split]."""
    half = topics // 2
    between = taus.mean(axis=-1).var(axis=-1)
    chance = taus.var(axis=-1, ddof=1).mean(axis=-1) / taus.shape[-1]
    return np.asarray(np.sqrt(half / (topics - half) * np.maximum(between - chance, 0.0)))
