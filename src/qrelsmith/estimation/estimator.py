"""Scores from few labels: the prediction, corrected by what people said where they were asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.influence import Influence

_FEWEST = 4.0  # degrees of freedom


@dataclass(frozen=True, slots=True, eq=False)
class ScoreEstimates:
    """Estimated scores of systems.

    Attributes
    ----------
    score : float array [system]
        The estimates.
    noise : float array [system, part]
        Independent parts of the error, scaled so that noise @ noise.T is the covariance: over the
        pool one for each label, over topics one for each topic.
    over_topics : bool
        Whether the parts are topics.
    """

    score: FloatArray
    noise: FloatArray
    over_topics: bool

    @property
    def covariance(self) -> FloatArray:
        """Of the scores' errors [system, system]."""
        return np.asarray(self.noise @ self.noise.T)


def estimate_scores(
    influence: Influence,
    rows: IntArray,
    level: IntArray,
    probability: FloatArray,
    topic: IntArray,
    *,
    over_topics: bool = False,
) -> ScoreEstimates:
    """Scores with the covariance of their errors.

    ê_s = Σ_t expected + Σ_{labels} moved (1 − π)/π: `expected` holds the labels themselves, and the
    docs that were not drawn are off from their prediction as those that were. Over the pool the
    covariance is Σ (1 − π)/π² moved moved' (Horvitz–Thompson under Poisson sampling: what complete
    judging of this pool would say), over topics that of the mean of the topics' estimates, which
    holds the sampling's noise as well.

    Parameters
    ----------
    influence : Influence
        The expansion at what people said and, elsewhere, at the predicted grades.
    rows, level : int array [label]
        The units that people judged, and what they said, as places on the scale.
    probability : float array [label]
        The probability with which each was drawn.
    topic : int array [unit]
        The topic of each unit.
    over_topics : bool
        For whom the error is: topics like these, or this pool.

    Returns
    -------
    ScoreEstimates
    """
    moved = influence.of_labels(rows, level, topic)
    unseen = moved * (1.0 / probability - 1.0)
    score = influence.expected.sum(axis=1) + unseen.sum(axis=1)
    if not over_topics:
        noise = moved * (np.sqrt(1.0 - probability) / probability)
        return ScoreEstimates(score, noise, over_topics=False)
    topics = influence.expected.shape[1]
    by_topic = influence.expected.copy()
    np.add.at(by_topic.T, topic[rows], unseen.T)
    away = by_topic - by_topic.mean(axis=1, keepdims=True)
    noise = away * np.sqrt(topics / max(topics - 1, 1))
    return ScoreEstimates(score, noise, over_topics=True)


def degrees(noise: FloatArray, *, over_topics: bool) -> FloatArray:
    """The degrees of freedom of variances that are sums of squares [...] of noise [..., part].

    Over topics one less than topics; over the pool 2 (Σ q)²/Σ q² of the squares q, since Σ q² is
    the variance of their sum under Poisson sampling (Satterthwaite 1946), and at least 4.
    """
    if over_topics:
        return np.full(noise.shape[:-1], float(noise.shape[-1] - 1))
    squares = noise**2
    total, fourth = squares.sum(axis=-1), (squares**2).sum(axis=-1)
    lowest = np.full(total.shape, _FEWEST)
    free = np.divide(2.0 * total**2, fourth, out=lowest.copy(), where=fourth > 0)
    return np.asarray(np.maximum(lowest, free))
