"""Scores from few labels: the prediction, corrected by what people said where they were asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.influence import Influence

_FEWEST = 4.0  # degrees of freedom where nothing is expected
_PRIOR = 2.0  # degrees of freedom of the expected variance


class StandardErrors(NamedTuple):
    """Standard errors, and the degrees of freedom of their squares.

    Attributes
    ----------
    deviation, degrees : float array [...]
        Of each estimate.
    """

    deviation: FloatArray
    degrees: FloatArray


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
    expected : float array [system, system], optional
        The covariance that the predicted grades let expect.
    """

    score: FloatArray
    noise: FloatArray
    over_topics: bool
    expected: FloatArray | None = None

    @property
    def covariance(self) -> FloatArray:
        """The covariance of the scores' errors [system, system]."""
        return np.asarray(self.noise @ self.noise.T)

    def errors(self) -> StandardErrors:
        """Return the standard errors of the scores [system]."""
        expected = None if self.expected is None else np.diag(self.expected)
        return standard_errors(self.noise, expected, over_topics=self.over_topics)

    def difference_errors(self, first: IntArray, second: IntArray) -> StandardErrors:
        """Return the standard errors of differences of systems [pair]."""
        noise, expected = self.noise[first] - self.noise[second], self.expected
        if expected is not None:
            own = np.diag(expected)
            expected = np.maximum(own[first] + own[second] - 2 * expected[first, second], 0.0)
        return standard_errors(noise, expected, over_topics=self.over_topics)


def estimate_scores(
    influence: Influence,
    rows: IntArray,
    level: IntArray,
    probability: FloatArray,
    topic: IntArray,
    *,
    expected: FloatArray | None = None,
    over_topics: bool = False,
) -> ScoreEstimates:
    """Estimate scores with the covariance of their errors.

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
    expected : float array [system, system], optional
        The covariance over the pool that the predicted grades let expect.
    over_topics : bool
        For whom the error is: topics like these, or this pool.
    """
    moved = influence.of_labels(rows, level, topic)
    unseen = moved * (1.0 / probability - 1.0)
    score = influence.expected.sum(axis=1) + unseen.sum(axis=1)
    if not over_topics:
        noise = moved * (np.sqrt(1.0 - probability) / probability)
        return ScoreEstimates(score, noise, over_topics=False, expected=expected)
    topics = influence.expected.shape[1]
    by_topic = influence.expected.copy()
    np.add.at(by_topic.T, topic[rows], unseen.T)
    away = by_topic - by_topic.mean(axis=1, keepdims=True)
    noise = away * np.sqrt(topics / max(topics - 1, 1))
    return ScoreEstimates(score, noise, over_topics=True)


def standard_errors(
    noise: FloatArray, expected: FloatArray | None = None, *, over_topics: bool
) -> StandardErrors:
    """Return the standard errors that belong to sums of noise [..., part].

    Over topics the degrees of freedom are one less than topics; over the pool 2 (Σ q)²/Σ q² of the
    squares q, since Σ q² is the variance of their sum under Poisson sampling (Satterthwaite 1946).
    The squares of few labels know some differences far too well: those of systems whose own docs
    were hardly drawn. So the variance that the predicted grades let expect joins in with two
    degrees of freedom (a moderated variance: Smyth 2004). Without it there are at least 4.

    Parameters
    ----------
    noise : float array [..., part]
        Independent parts of errors.
    expected : float array [...], optional
        The variances that the predicted grades let expect.
    over_topics : bool
        Whether the parts are topics.
    """
    squares = noise**2
    total, fourth = squares.sum(axis=-1), (squares**2).sum(axis=-1)
    if over_topics:
        return StandardErrors(np.sqrt(total), np.full(total.shape, float(noise.shape[-1] - 1)))
    free = np.divide(2.0 * total**2, fourth, out=np.zeros(total.shape), where=fourth > 0)
    if expected is None:
        return StandardErrors(np.sqrt(total), np.maximum(free, _FEWEST))
    variance = (free * total + _PRIOR * expected) / (free + _PRIOR)
    return StandardErrors(np.sqrt(variance), free + _PRIOR)
