"""Moments: about twelve statistics of a collection that a simulated collection should reproduce."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement.coincidence import alpha_of_coincidences
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns

_QUANTILES = (0.1, 0.5, 0.9)
_UNMET, _LEAST = 0.03, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class TopicFigures:
    """The statistics of each topic from which moments of resampled topics are computed.

    Attributes
    ----------
    docs : float array [topic]
        The number of judged docs.
    counts : float array [assessor, level, topic]
        How often each assessor gave each grade.
    coincidences : float array [topic, level, level]
        How often two grades occur together on a doc.
    scores : float array [assessor, topic, system]
        The scores of the systems, by each assessor's labels.
    """

    docs: FloatArray
    counts: FloatArray
    coincidences: FloatArray
    scores: FloatArray

    @classmethod
    def of(cls, judged: JudgedRuns, measure: str) -> TopicFigures:
        """Return the statistics of labels and runs."""
        cells = judged.topics * judged.levels
        counts = []
        for grades in judged.ratings:
            given = ~np.isnan(grades)
            cell = grades[given].astype(np.int64) * judged.topics + judged.topic[given]
            counts.append(np.bincount(cell, minlength=cells).reshape(judged.levels, judged.topics))
        return cls(
            docs=np.bincount(judged.topic, minlength=judged.topics).astype(np.float64),
            counts=np.array(counts, dtype=np.float64),
            coincidences=_coincidences(judged),
            scores=np.stack([judged.scores(grades, measure) for grades in judged.ratings]),
        )

    def moments(self, chosen: IntArray | None = None) -> FloatArray:
        """Return the moments of some topics, which may repeat, or of all topics [moment]."""
        at = np.arange(self.docs.size) if chosen is None else chosen
        docs, counts, scores = self.docs[at], self.counts[..., at], self.scores[:, at]
        met = self.coincidences[at].sum(axis=0)
        shares = counts.sum(axis=-1) / np.maximum(counts.sum(axis=(1, 2)), 1)[:, None]
        levels = np.arange(counts.shape[1])
        grade = (levels @ counts) / np.maximum(counts.sum(axis=1), 1)
        systems = scores.mean(axis=1)
        mean = systems.mean(axis=1, keepdims=True)
        of_topics = scores.mean(axis=2)
        rest = scores - systems[:, None, :] - of_topics[..., None] + mean[..., None]
        freedom = max((scores.shape[1] - 1) * (scores.shape[2] - 1), 1)
        return np.array(
            [
                docs.mean(),
                docs.std(ddof=1),
                *shares[:, 1:].mean(axis=0),
                grade.std(axis=1, ddof=1).mean(),
                float(alpha_of_coincidences(met, levels)),
                mean.mean(),
                *(np.quantile(systems, _QUANTILES, axis=1) - mean[:, 0]).mean(axis=1),
                of_topics.std(axis=1, ddof=1).mean(),
                np.sqrt((rest**2).sum(axis=(1, 2)) / freedom).mean(),
            ]
        )


def moment_names(levels: int) -> Sequence[str]:
    """Return the names of the moments, in order."""
    return (
        "judged docs of a topic",
        "judged docs, sd over topics",
        *(f"share of grade {level}" for level in range(1, levels)),
        "mean grade, sd over topics",
        "agreement (ordinal α)",
        "mean score",
        *(f"score of the systems, {q:.0%} quantile less mean" for q in _QUANTILES),
        "score, sd over topics",
        "score, residual sd",
    )


def moment_errors(
    figures: TopicFigures, *, rng: np.random.Generator, resamples: int = 200
) -> FloatArray:
    """Return the tolerated error of each moment [moment].

    The tolerated error is √(e² + a²), where e is the standard error from topics drawn with
    replacement, and a is an allowance for the simplicity of the model: .03 for a share of docs, 3%
    for other moments. Without the allowance, the shares, which are very precise, would dominate the
    fit.
    """
    topics = figures.docs.size
    drawn = [figures.moments(rng.integers(topics, size=topics)) for _ in range(resamples)]
    levels = figures.counts.shape[1]
    shares = np.array(["share" in name for name in moment_names(levels)])
    unmet = np.where(shares, _UNMET, np.maximum(_UNMET * np.abs(figures.moments()), _LEAST))
    return np.asarray(np.hypot(np.std(drawn, axis=0, ddof=1), unmet))


def _coincidences(judged: JudgedRuns) -> FloatArray:
    """Count how often two grades occur together on a doc, with weight 1/(labels − 1)."""
    levels = np.arange(judged.levels)
    label_counts = np.stack([(judged.ratings == level).sum(axis=0) for level in levels]).astype(
        float
    )
    labels = label_counts.sum(axis=0)
    share = np.divide(1.0, labels - 1, out=np.zeros(labels.shape), where=labels > 1)
    cells = []
    for one in levels:
        for other in levels:
            meetings = label_counts[one] * (label_counts[other] - (one == other)) * share
            cells.append(np.bincount(judged.topic, weights=meetings, minlength=judged.topics))
    by_topic: FloatArray = np.array(cells, dtype=np.float64).T
    return by_topic.reshape(judged.topics, levels.size, levels.size)
