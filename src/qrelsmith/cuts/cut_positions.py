"""Positions of the best, median and worst cuts of topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.cuts import cut_groups
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.cuts.label_cuts import LabelCuts
from qrelsmith.stats.pearson import PearsonResult, pearson

_TOLERANCE = 1e-9  # values of α that differ by less are treated as equal


@dataclass(frozen=True, slots=True, eq=False)
class CutPositions:
    """The best, median and worst sets of cuts of every topic.

    Attributes
    ----------
    cuts : mapping of str to tuple of ndarray [topic] [set of the group, cut]
        The cuts of the groups `best`, `median` and `worst`, best first.
    """

    topics: tuple[str, ...]
    cuts: Mapping[str, tuple[FloatArray, ...]]

    def widths(self) -> dict[str, FloatArray]:
        """Mean distance between first and last cut, by group [topic]; nan if there are no cuts."""
        return {
            group: np.array(
                [(one[:, -1] - one[:, 0]).mean() if len(one) else np.nan for one in of_topics]
            )
            for group, of_topics in self.cuts.items()
        }


def cut_positions(search: LabelCuts, *, size: int = 1000) -> CutPositions:
    """Return the best, median and worst sets of cuts of each topic by α.

    Parameters
    ----------
    search : LabelCuts
        The data set, and how cuts are evaluated.
    size : int
        Number of sets per group.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 4.3.2.
    """
    sets = search.sets
    positions = [
        {
            group: sets.candidates[sets.places[places]]
            for group, places in cut_groups(search.alphas(place).alpha, size=size).items()
        }
        for place in range(len(search.topics.topics))
    ]
    return CutPositions(
        topics=search.topics.topics,
        cuts={group: tuple(one[group] for one in positions) for group in positions[0]},
    )


@dataclass(frozen=True, slots=True, eq=False)
class HighestCuts:
    """The sets of cuts with the highest α of every topic.

    Attributes
    ----------
    candidates : ndarray, [candidate]
        The possible cut values.
    counts : ndarray of int, [topic, cut, candidate]
        Number of these sets with their first, second, … cut at each candidate.
    """

    topics: tuple[str, ...]
    candidates: FloatArray
    counts: IntArray

    def ranges(self) -> FloatArray:
        """Range of the positions of each cut [topic, cut]; nan if a topic has no sets."""
        there = self.counts > 0
        low = self.candidates[there.argmax(axis=2)]
        high = self.candidates[-1 - there[..., ::-1].argmax(axis=2)]
        return np.where(there.any(axis=2), high - low, np.nan)


def highest_cuts(search: LabelCuts, *, values: int = 10) -> HighestCuts:
    """Return the sets of cuts whose α is among a topic's highest values.

    Sets that give the same levels to all labels have equal α. All such sets are returned, so there
    may be many more sets than values.

    Parameters
    ----------
    search : LabelCuts
        The data set, and how cuts are evaluated.
    values : int
        Number of distinct values of α to include; values within 1e-9 are equal.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, Figures 6 to 9.
    """
    sets = search.sets
    topics = search.topics.topics
    counts = np.zeros((len(topics), sets.targets - 1, sets.candidates.size), dtype=np.int64)
    for place in range(len(topics)):
        chosen = sets.places[_highest(search.alphas(place).alpha, values)]
        for cut, column in enumerate(chosen.T):
            counts[place, cut] = np.bincount(column, minlength=sets.candidates.size)
    return HighestCuts(topics, sets.candidates, counts)


def relevant_shares(topics: CutTopics) -> FloatArray:
    """Return the share of graded docs above the lowest level of the target scale.

    Returns
    -------
    ndarray, [topic]
        nan if no doc has a grade.
    """
    targets = [labels.target[~np.isnan(labels.target)] for labels in topics.labels]
    return np.array([(target > 0).mean() if target.size else np.nan for target in targets])


def width_correlations(positions: CutPositions, shares: FloatArray) -> dict[str, PearsonResult]:
    """Pearson's r over topics between the share of relevant docs and the width of a cut group."""
    return {group: pearson(shares, widths) for group, widths in positions.widths().items()}


def _highest(alpha: FloatArray, values: int) -> IntArray:
    """Return the indices of the sets with the highest values of α."""
    order = np.argsort(-alpha, kind="stable")[: np.count_nonzero(~np.isnan(alpha))]
    steps = -np.diff(alpha[order], prepend=alpha[order[:1]]) > _TOLERANCE
    return order[np.cumsum(steps) < values]
