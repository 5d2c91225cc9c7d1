"""Intervals of τ between the rankings under every two of several label sets, all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.arrays import FloatArray
from qrelsmith.errors import ShapeError
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.kendall_stack import kendall_tau_b_pairs
from qrelsmith.stats.population import PopulationInterval, resampled_interval, too_few
from qrelsmith.stats.ranking_intervals import FEWEST_SYSTEMS, ranking_interval
from qrelsmith.stats.topic_draws import DRAWS, SPLITS

CONFIDENCE = 0.95


def pair_intervals(
    scores: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    topics: Sequence[str],
    *,
    over: str = "topics",
    seed: int = 0,
    draws: int = DRAWS,
    splits: int = SPLITS,
) -> list[PopulationInterval]:
    """Kendall's τ-b of pairs of label sets, each with its 95 % interval.

    What `ranking_interval` gives pair by pair; the label sets share the draws of topics, and how
    each of them ranks the systems in a draw is found out once.

    Parameters
    ----------
    scores : array_like, shape (label sets, topics, systems)
        The scores under each label set, on the same topics; nan and infinity are errors.
    pairs : sequence of (int, int)
        Which label sets are compared.
    topics : sequence of str
        Names of the topics. They key the draws.
    over : {'topics', 'systems'}
        What is drawn again.
    seed : int
        The seed of the draws of topics.
    draws, splits : int
        As of `resampled_interval`.

    Returns
    -------
    list of PopulationInterval
        One for each pair. There is no interval below 8 topics, or below 5 systems.

    Raises
    ------
    ShapeError, UnknownNameError, UndefinedError, UsageError
        As of `ranking_interval`.
    """
    array = finite(scores, name="scores", ndim=3)
    if array.shape[1] != len(topics):
        raise ShapeError(f"scores are of {array.shape[1]} topics, and {len(topics)} are named")
    systems = array.shape[2]
    if over != "topics":
        return [
            ranking_interval(array[one], array[other], topics, over=over) for one, other in pairs
        ]

    def values(weights: FloatArray) -> FloatArray:
        shares = weights / weights.sum(axis=1, keepdims=True)
        return kendall_tau_b_pairs(np.stack([shares @ each for each in array]), pairs)

    if systems < FEWEST_SYSTEMS:
        taus = values(np.ones((1, len(topics))))[:, 0]
        reason = too_few(systems, over="systems", fewest=FEWEST_SYSTEMS)
        return [_without(float(tau), len(topics), reason) for tau in taus]
    found = resampled_interval(
        values, topics, seed=seed, confidence=CONFIDENCE, bounds=(-1.0, 1.0), draws=draws,
        splits=splits,
    )  # fmt: skip
    return [
        PopulationInterval(
            over=found.over, size=found.size, value=value, se=se, low=low, high=high,
            confidence=found.confidence, reason=found.reason,
        )
        for value, se, low, high in zip(found.value, found.se, found.low, found.high, strict=True)
    ]  # fmt: skip


def _without(tau: float, topics: int, reason: str) -> PopulationInterval:
    """A τ that has no interval, and why."""
    nothing = np.array(np.nan)
    return PopulationInterval(
        over="topics", size=topics, value=np.array(tau), se=nothing, low=nothing, high=nothing,
        confidence=CONFIDENCE, reason=reason,
    )  # fmt: skip
