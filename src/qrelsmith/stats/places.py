"""Ranks of systems, with intervals over topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.inputs import between_0_and_1, finite
from qrelsmith.stats.population import FEWEST_TOPICS, few_topics_note
from qrelsmith.stats.ranking_intervals import half_shares, means_of_other_topics
from qrelsmith.stats.ties import tied_ranks
from qrelsmith.stats.topic_draws import SPLITS

_BLOCK = 1 << 21  # comparisons held at once


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The rank of each system, 1 for the best, with an interval over topics.

    Attributes
    ----------
    place : int array, shape (systems,)
        One more than the number of better systems; ties share a rank.
    low, high : int array, shape (systems,)
        The best and worst rank of the interval. Without an interval (see `reason`), 1 and the
        number of systems.
    confidence : float
        The confidence, such as 0.95.
    reason : str
        Reason for a missing interval; otherwise empty.
    """

    place: IntArray
    low: IntArray
    high: IntArray
    confidence: float
    reason: str = ""


def place_intervals(
    scores: ArrayLike,
    topics: Sequence[str],
    *,
    seed: int = 0,
    confidence: float = 0.95,
    splits: int = SPLITS,
) -> Places:
    """Rank systems by mean score, with an interval over topics for each rank.

    Parameters
    ----------
    scores : array_like, shape (topics, systems)
        One score per topic and system.
    topics : sequence of str
        Topic names; they determine the random draws.
    seed : int
        The seed of the draws.
    confidence : float
        Between 0 and 1.
    splits : int
        Pairs of halves of the topics.

    Returns
    -------
    Places
        Each system's interval holds individually, not simultaneously. The target is the rank by the
        true means over the population of topics.

    Raises
    ------
    ShapeError
        If the scores do not fit the topics, or one is nan or infinite.
    UndefinedError, UsageError
        As in `topic_halves`, or if the confidence is out of range.

    Notes
    -----
    The (1−confidence)/2 quantiles, rounded outwards, of the place in
    `means_of_other_topics`. These means are shrunken, which corrects for selection of the best
    system on these topics.
    """
    between_0_and_1(confidence, name="confidence")
    array = finite(scores, name="scores", axes=("topic", "system"), ndim=2)
    count, systems = array.shape
    if len(topics) != count:
        raise ShapeError(f"topics must name the {count} topics of the scores; found {len(topics)}")
    place = places(array.mean(axis=0)) if count else np.ones(systems, dtype=np.int64)
    if count < FEWEST_TOPICS:
        low, high = np.ones_like(place), np.full_like(place, systems)
        return Places(place, low, high, confidence, few_topics_note(count))
    shares = half_shares(topics, seed=seed, splits=splits)
    drawn = places(means_of_other_topics(array[None], shares)[0])
    tail = (1 - confidence) / 2
    ends = np.quantile(drawn, [tail, 1 - tail], axis=0)
    low = np.minimum(np.floor(ends[0]).astype(np.int64), place)
    high = np.maximum(np.ceil(ends[1]).astype(np.int64), place)
    return Places(place, low, high, confidence)


def places(means: FloatArray) -> IntArray:
    """Return the rank of each system by means [..., system]."""
    ranks = tied_ranks(means, name="means")
    rows = ranks.reshape(-1, ranks.shape[-1])
    found = np.empty_like(rows)
    step = max(1, _BLOCK // max(1, rows.shape[-1] ** 2))
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        found[start : start + step] = 1 + (part[:, None, :] > part[:, :, None]).sum(axis=-1)
    return np.asarray(found.reshape(ranks.shape))
