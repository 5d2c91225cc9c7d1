"""Results of simulated searches for the top k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qrelsmith.base.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedSearch:
    """Results of simulated campaigns.

    Attributes
    ----------
    judgments : int array [campaign, round]
        Number of judged pairs per round, over all topics.
    found : float array [campaign]
        Share of topics whose whole true top k was found.
    recall : float array [campaign]
        Mean share of the true top k that was found, over topics.
    first : float array [campaign]
        Share of topics whose true best doc is ranked first, possibly tied.
    size : float array [campaign]
        Mean number of docs found per topic.
    """

    judgments: IntArray
    found: FloatArray
    recall: FloatArray
    first: FloatArray
    size: FloatArray


def join_searches(parts: Sequence[SimulatedSearch]) -> SimulatedSearch:
    """Concatenate the results of several blocks of campaigns."""
    rounds = max(part.judgments.shape[1] for part in parts)
    judgments = [
        np.pad(part.judgments, ((0, 0), (0, rounds - part.judgments.shape[1]))) for part in parts
    ]
    return SimulatedSearch(
        judgments=np.concatenate(judgments),
        found=np.concatenate([part.found for part in parts]),
        recall=np.concatenate([part.recall for part in parts]),
        first=np.concatenate([part.first for part in parts]),
        size=np.concatenate([part.size for part in parts]),
    )


class Tally:
    """Counts of the results of all campaigns so far."""

    def __init__(self, campaigns: int, k: int) -> None:
        self._k = k
        self._judgments: list[IntArray] = []
        self._sums = np.zeros((5, campaigns))

    def count_judged(self, campaign: IntArray, number: int, pairs: int) -> None:
        """Add the number of pairs judged in a round.

        Parameters
        ----------
        campaign : int array [topic]
            The campaign of each topic.
        number : int
            The round, from 0.
        pairs : int
            Number of pairs of each topic.
        """
        campaigns = self._sums.shape[1]
        while len(self._judgments) <= number:
            self._judgments.append(np.zeros(campaigns, dtype=np.int64))
        self._judgments[number] += pairs * np.bincount(campaign, minlength=campaigns)

    def add(
        self, campaign: IntArray, size: IntArray, place: NDArray[np.int16], wins: FloatArray
    ) -> None:
        """Add the results of completed topics.

        Parameters
        ----------
        campaign, size : int array [topic]
            The campaign of each topic, and its initial number of candidates.
        place : int array [topic, candidate]
            The true rank of each remaining candidate, from 0.
        wins : float array [topic, candidate]
            Their wins in the final round.
        """
        ordered = -np.sort(-wins, axis=1)
        kept = wins >= ordered[:, min(self._k, wins.shape[1]) - 1, None]
        sought = np.minimum(size, self._k)
        among = (kept & (place < self._k)).sum(axis=1)
        first = ((place == 0) & (wins >= ordered[:, :1])).any(axis=1)
        outcomes = (among == sought, among / sought, first, kept.sum(axis=1), np.ones(len(size)))
        campaigns = self._sums.shape[1]
        for row, values in enumerate(outcomes):
            self._sums[row] += np.bincount(campaign, weights=values, minlength=campaigns)

    def result(self) -> SimulatedSearch:
        """Return the means over the topics."""
        found, recall, first, size = self._sums[:4] / self._sums[4]
        return SimulatedSearch(np.stack(self._judgments, axis=1), found, recall, first, size)
