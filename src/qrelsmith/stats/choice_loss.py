"""The loss in the reference's score when the best system is chosen by other labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.population import (
    FEWEST_TOPICS,
    PopulationInterval,
    jackknife_interval,
    student_interval,
)
from qrelsmith.stats.topic_draws import SPLITS, topic_halves

_BLOCK = 1 << 21  # numbers held at once
_TIE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceLosses:
    """Losses when choosing the best system by each of k label sets.

    Attributes
    ----------
    value : float array, shape (k,)
        The loss, in the measure's units; negative if the label set chooses better than the
        reference. nan for fewer than 4 topics.
    without : float array, shape (k, topics)
        The loss with each topic left out.
    by_half : float array, shape (k, halves)
        The loss of the choice on each half, by the reference's means over all topics.
    best : float
        The reference's best mean score.
    """

    value: FloatArray
    without: FloatArray
    by_half: FloatArray
    best: float

    def interval(self, *, confidence: float = 0.95) -> PopulationInterval:
        """Return the losses with their intervals over topics, which need 8 topics or more.

        Notes
        -----
        θ ± t_{T−1}·se with se² three fifths of the jackknife's, which chooses again
        without each topic, and a fifth of the variance of `by_half`. The jackknife alone is too
        small if the choice is the same on all halves of these topics but would differ on others.
        These weights were chosen for qrelsmith; docs/intervals.md shows the coverage.
        """
        found = jackknife_interval(self.value, self.without, confidence=confidence)
        return student_interval(
            self.value,
            np.sqrt(0.6 * found.se**2 + 0.2 * self.by_half.var(axis=-1)),
            size=self.without.shape[-1],
            confidence=confidence,
        )

    def less(self, place: int) -> ChoiceLosses:
        """Return the paired differences between each loss and the loss of one label set."""
        value, without, by_half = (
            array - array[place] for array in (self.value, self.without, self.by_half)
        )
        return ChoiceLosses(value, without, by_half, self.best)


def choice_losses(
    reference: ArrayLike,
    scores: ArrayLike,
    topics: Sequence[str],
    *,
    seed: int = 0,
    splits: int = SPLITS,
) -> ChoiceLosses:
    """Compute the loss of choosing the best system by other labels.

    Parameters
    ----------
    reference : array_like, shape (topics, systems)
        Scores under the reference.
    scores : array_like, shape (k, topics, systems)
        Scores under each of k label sets, on the same topics.
    topics : sequence of str
        Topic names; they determine the random draws.
    seed : int
        Seed of the draws.
    splits : int
        Pairs of halves of the topics.

    Raises
    ------
    ShapeError
        If the scores do not fit together, or one is nan or infinite.
    UndefinedError, UsageError
        As in `topic_halves`.

    Notes
    -----
    The label set and the reference each choose the system with the highest mean on one half of the
    topics. The loss is the difference between the reference's means of these two systems on the
    other half, which avoids selection bias. The loss is averaged over the halves. Tied systems are
    chosen with equal probability. It is the loss of a choice on half as many topics. When a topic
    is left out, both sides choose again, because fixed choices give too low coverage.

    Examples
    --------
    >>> gold = np.tile([0.5, 0.25], (8, 1))
    >>> found = choice_losses(gold, [gold, gold[:, ::-1]], list("abcdefgh"))
    >>> found.value.tolist(), found.best
    ([0.0, 0.25], 0.5)
    """
    base = finite(reference, name="reference", axes=("topic", "system"), ndim=2)
    other = finite(scores, name="scores", axes=("label set", "topic", "system"), ndim=3)
    if other.shape[1:] != base.shape or len(topics) != len(base):
        raise ShapeError(
            f"the reference has the shape {list(base.shape)} and the scores have the shape"
            f" {list(other.shape)}; expected scores of {len(topics)} topics by label set"
        )
    best = float(base.mean(axis=0).max()) if base.size else np.nan
    count = len(topics)
    if count < FEWEST_TOPICS // 2 or not base.size:
        nothing = np.full((len(other), count), np.nan)
        return ChoiceLosses(np.full(len(other), np.nan), nothing, nothing, best)
    halves = topic_halves(topics, seed=seed, splits=splits)
    choosing, judging = np.concatenate(halves), np.concatenate(halves[::-1])
    ideal, *gained = (_gains(each, base, choosing, judging) for each in (base, *other))
    value, without, by_half = (
        np.array([ideal[part] - gains[part] for gains in gained]) for part in range(3)
    )
    return ChoiceLosses(value, without.reshape(-1, count), by_half.reshape(-1, len(choosing)), best)


def _gains(
    chosen_by: FloatArray, reference: FloatArray, choosing: FloatArray, judging: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the chosen systems' mean score: over all halves, without each topic, and by half."""
    count, systems = reference.shape
    half = count // 2
    total, without, by_half = 0.0, np.zeros(count), []
    step = max(1, _BLOCK // (count * systems))
    for start in range(0, len(choosing), step):
        first, second = choosing[start : start + step], judging[start : start + step]
        sums, judged = first @ chosen_by, second @ reference
        whole = _best(sums)
        # Other topics scatter more around these than halves of these do.
        centre = chosen_by.mean(axis=0)
        wider = centre + np.sqrt(2.0) * (sums / half - centre)
        by_half.append(_best(wider) @ reference.mean(axis=0))
        score = (whole * judged).sum(axis=1)
        total += score.sum() / half
        # A topic of neither half changes nothing; one of a half is taken from its sums.
        gained = np.repeat(score[:, None] / half, count, axis=1)
        rows, left = np.nonzero(second)
        of_topic = (whole[rows] * reference[left]).sum(axis=1)
        gained[rows, left] = (score[rows] - of_topic) / (half - 1)
        rows, left = np.nonzero(first)
        gained[rows, left] = (_best(sums[rows] - chosen_by[left]) * judged[rows]).sum(axis=1) / half
        without += gained.sum(axis=0)
    every = len(choosing)
    return np.asarray(total / every), without / every, np.concatenate(by_half)


def _best(sums: FloatArray) -> FloatArray:
    """Return the probability [row, system] that a system is chosen; tied systems share it."""
    best = sums >= sums.max(axis=1, keepdims=True) - _TIE * max(1.0, float(np.abs(sums).max()))
    return np.asarray(best / best.sum(axis=1, keepdims=True))
