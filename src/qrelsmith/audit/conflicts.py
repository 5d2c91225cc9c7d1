"""Whether two label sets point the same way where both tell two systems apart, and how surely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.arrays import BoolArray, FloatArray
from qrelsmith.audit.rules import RESAMPLES
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.proportions import wilson_interval

_LOW, _HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The pairs of systems under a label set, beside those under the reference.

    Attributes
    ----------
    both : int
        Pairs that are significant under both.
    missed : int
        Pairs that are significant under the reference only.
    of : int
        Pairs that are significant under the reference.
    share, low, high : float
        Share of `both` that points the same way, with its interval; nan where there are none.
    """

    both: int
    missed: int
    of: int
    share: float
    low: float
    high: float


def conflicts(
    reference: PairwiseResult,
    other: PairwiseResult,
    scores: tuple[FloatArray, FloatArray],
    *,
    rng: np.random.Generator,
) -> Conflicts:
    """Count the pairs, and put an interval round the share that points the same way.

    Parameters
    ----------
    reference, other : PairwiseResult
        A test with one critical difference for all pairs, under the reference and the label set.
    scores : pair of float array [topic, system]
        What was tested.
    rng : Generator
        Draws the topics.

    Notes
    -----
    Wilson's interval takes the pairs for independent, though they share systems and topics. A
    bootstrap over topics, which keeps the critical differences, knows better, but has no width
    where all pairs agree in every sample. So the interval is the one that covers both.
    """
    both = reference.significant & other.significant
    missed = int((reference.significant & ~other.significant).sum())
    pairs, of = int(both.sum()), int(reference.significant.sum())
    if not pairs:
        return Conflicts(0, missed, of, *[float("nan")] * 3)
    alike = int((np.sign(reference.difference[both]) == np.sign(other.difference[both])).sum())
    low, high = wilson_interval(alike, pairs)
    drawn = _resampled(reference, other, scores, rng)
    if drawn.size:
        ends = np.quantile(drawn, [_LOW, _HIGH])
        low, high = min(low, float(ends[0])), max(high, float(ends[1]))
    return Conflicts(pairs, missed, of, alike / pairs, low, high)


def _resampled(
    reference: PairwiseResult,
    other: PairwiseResult,
    scores: tuple[FloatArray, FloatArray],
    rng: np.random.Generator,
) -> FloatArray:
    """The share in samples of the topics, without those where no pair is significant under both."""
    topics = len(scores[0])
    times = rng.multinomial(topics, np.full(topics, 1 / topics), size=RESAMPLES) / topics
    apart = np.ones((RESAMPLES, len(reference.p)), dtype=bool)
    upwards = []
    for result, values in zip((reference, other), scores, strict=True):
        means = times @ values
        difference = means[:, result.first] - means[:, result.second]
        apart &= np.abs(difference) >= result.critical
        upwards.append(difference > 0)
    alike: BoolArray = apart & (upwards[0] == upwards[1])
    number = apart.sum(axis=1)
    return np.asarray(alike.sum(axis=1)[number > 0] / number[number > 0])
