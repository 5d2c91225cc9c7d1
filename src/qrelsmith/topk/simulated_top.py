"""The docs found by one simulation of crowd rounds on one topic.

`crowd_simulation` simulates thousands of campaigns and returns counts; this module simulates one
topic and returns the docs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.culling import survivors
from qrelsmith.topk.reliability import Reliability
from qrelsmith.topk.simulated_pairings import many_pairings


@dataclass(frozen=True, slots=True, eq=False)
class FoundTop:
    """The top docs found on one topic.

    Attributes
    ----------
    docs : int array [found]
        Indices of the found candidates, best first: k, or more with ties at rank k.
    rank : int array [found]
        Their ranks from 1; ties share the best rank.
    pairs : int array [round]
        Number of judged pairs per round.
    """

    docs: IntArray
    rank: IntArray
    pairs: IntArray


def simulate_top(
    worth: ArrayLike, design: CrowdDesign, reliability: Reliability, *, rng: np.random.Generator
) -> FoundTop:
    """Simulate the rounds of one topic.

    Parameters
    ----------
    worth : array_like [candidate]
        The true worth of each candidate, in the unit of the reliability's gaps.
    design : CrowdDesign
        k, F, P and who stays.
    reliability : Reliability
        Probability of correct answers, by the difference in worth.
    rng : Generator
        The random numbers.

    Returns
    -------
    FoundTop
        Empty without candidates.

    References
    ----------
    topk-preferences, 4.3; see `rounds.Rounds`.
    """
    values = float_array(worth, name="worth", ndim=1)
    left = np.arange(values.size)
    pairs: list[int] = []
    while left.size > max(design.finalists, design.k):
        wins, asked, judged = _round(values[left], design.pairings, reliability, rng)
        pairs.append(judged)
        stays = survivors(wins, asked, k=design.k, keep=design.keep)
        if stays.all():
            break
        left = left[stays]
    if left.size == 0:
        return FoundTop(left, left, np.array(pairs, dtype=np.int64))
    wins, _, judged = _round(values[left], left.size, reliability, rng)
    pairs.append(judged)
    order = np.argsort(-wins, kind="stable")
    ordered = wins[order]
    kept = ordered >= ordered[min(design.k, left.size) - 1]
    rank = 1 + np.searchsorted(-ordered, -ordered[kept])
    return FoundTop(
        left[order[kept]], np.asarray(rank, dtype=np.int64), np.array(pairs, dtype=np.int64)
    )


def _round(
    worth: FloatArray, opponents: int, reliability: Reliability, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, int]:
    """Return each candidate's wins and pairings [candidate], and the number of pairs."""
    size = worth.size
    drawn = many_pairings(size, opponents)
    edges = drawn[rng.integers(len(drawn))] if size > 1 else np.empty((0, 2), dtype=np.int64)
    # The pairings depend on the order of the candidates, which is therefore shuffled.
    first, second = rng.permutation(size)[edges.T]
    won = rng.random(len(edges)) < reliability.preference(worth[first] - worth[second])
    winner = np.where(won, first, second)
    wins = np.bincount(winner, minlength=size).astype(np.float64)
    asked = np.bincount(np.concatenate([first, second]), minlength=size).astype(np.float64)
    return wins, asked, len(edges)
