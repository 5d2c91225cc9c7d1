"""Scores from few labels: model predictions corrected by sampled human labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.influence import Influence

_FEWEST = 4.0  # degrees of freedom without an expected variance
_PRIOR = 2.0  # degrees of freedom of the expected variance


class StandardErrors(NamedTuple):
    """Standard errors and degrees of freedom.

    Attributes
    ----------
    deviation, degrees : float array [...]
        The standard error of each estimate, and its degrees of freedom.
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
        Independent components of the error, scaled so that noise @ noise.T is the covariance: one
        per label for the pool, one per topic for topics.
    over_topics : bool
        Whether the components are topics.
    expected : float array [system, system], optional
        The covariance expected from the predicted grades.
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
        """Return the standard errors of differences between systems [pair]."""
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

    ê_s = Σ_t expected + Σ_{labels} moved (1 − π)/π, where `moved` is the change of a score that a
    human grade causes. `expected` includes the observed labels; the errors of undrawn docs are
    estimated from the drawn docs. If the population is the pool, the estimated score is the score
    when the whole pool is judged. The covariance is then Σ (1 − π)/π² moved moved'
    (Horvitz–Thompson under Poisson sampling). If the population is similar topics, the covariance
    of the mean over the topics' estimates is used, which includes sampling noise.

    Parameters
    ----------
    influence : Influence
        The expansion at the human grades and, for unjudged units, at the predicted grades.
    rows, level : int array [label]
        The units that people judged, and their grades as level indices.
    probability : float array [label]
        The inclusion probability of each judged unit.
    topic : int array [unit]
        The topic of each unit.
    expected : float array [system, system], optional
        The covariance over the pool expected from the predicted grades.
    over_topics : bool
        Population of the error: similar topics, or this pool.
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
    """Return the standard errors for error components [..., part].

    If the components are topics, the degrees of freedom are the number of topics minus one. If the
    components are labels, the degrees of freedom are 2 (Σ q)²/Σ q² for the squared components q
    (Satterthwaite 1946). Σ q² is the variance of the sum of q under Poisson sampling. With few
    labels, the squared components underestimate the variance of systems whose docs were hardly
    drawn. The variance expected from the predicted grades is therefore added with two degrees of
    freedom (a moderated variance, Smyth 2004). Without an expected variance, there are at least 4
    degrees of freedom.

    Parameters
    ----------
    noise : float array [..., part]
        Independent components of errors.
    expected : float array [...], optional
        The variances expected from the predicted grades.
    over_topics : bool
        Whether the components are topics.
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
