"""Simulation of many winner trees: comparisons and accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.topk.reliability import Reliability
from qrelsmith.topk.simulated_search import SimulatedSearch
from qrelsmith.topk.thinning import check_k

_EMPTY = -1


def simulate_tournaments(
    pools: Sequence[ArrayLike], k: int, reliability: Reliability, *, campaigns: int, seed: int
) -> SimulatedSearch:
    """Simulate the winner trees of all topics many times; see `tournament.Tournament`.

    Parameters
    ----------
    pools : sequence of array_like [candidate]
        The grades of the candidates of each topic; a topic without candidates is ignored.
    k : int
        Number of docs to find.
    reliability : Reliability
        Model of doc worths, redrawn in each campaign, and of correct answers.
    campaigns : int
        Number of campaigns, at least 1.
    seed : int
        The seed. Each topic has its own stream.

    Returns
    -------
    SimulatedSearch
        With one round.

    Raises
    ------
    UsageError
        If there are no campaigns or no candidates.
    """
    check_k(k)
    graded = [float_array(pool, name="grades", ndim=1) for pool in pools]
    graded = [grades for grades in graded if grades.size]
    if campaigns < 1 or not graded:
        raise UsageError(
            f"campaigns={campaigns}, topics with candidates: {len(graded)}; expected both above 0"
        )
    sums = np.zeros((5, campaigns))
    for number, grades in enumerate(graded):
        rng = rng_for(seed, "tournament simulation", number)
        worth = reliability.worth(np.broadcast_to(grades, (campaigns, grades.size)), rng)
        best, comparisons = play_trees(-np.sort(-worth, axis=1), k, reliability, rng)
        sought = min(k, grades.size)
        among = (best < sought).sum(axis=1)
        outcomes = (among == sought, among / sought, best[:, 0] == 0, best.shape[1], comparisons)
        sums += np.stack([np.broadcast_to(values, campaigns) for values in outcomes])
    found, recall, first, size = sums[:4] / len(graded)
    judgments = sums[4].round().astype(np.int64)[:, None]
    return SimulatedSearch(judgments, found, recall, first, size)


def play_trees(
    worth: FloatArray, k: int, reliability: Reliability, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Simulate a winner tree per row, with leaves in random order.

    Parameters
    ----------
    worth : float array [tree, candidate]
        The true worths, best first.
    k : int
        Number of docs to find.
    reliability : Reliability
        Probability of correct answers.
    rng : numpy.random.Generator
        Draws leaves and answers.

    Returns
    -------
    best : int array [tree, min(k, candidates)]
        True ranks of the found docs, from 0, in the order found.
    comparisons : int array [tree]
        Number of judged pairs.
    """
    trees, size = worth.shape
    rows = np.arange(trees)
    nodes = np.full((trees, 2 * size), _EMPTY, dtype=np.int64)
    nodes[:, size:] = np.argsort(rng.random((trees, size)), axis=1)
    leaf = np.argsort(nodes[:, size:], axis=1) + size
    comparisons = np.zeros(trees, dtype=np.int64)

    def play(at: IntArray) -> None:
        """Return the node to decide in each tree, or 0 if no node is left."""
        first, second = nodes[rows, 2 * at], nodes[rows, np.minimum(2 * at + 1, 2 * size - 1)]
        gaps = worth[rows, first] - worth[rows, second]
        won = rng.random(trees) < reliability.preference(gaps)
        both = (first != _EMPTY) & (second != _EMPTY)
        alone = np.where(first == _EMPTY, second, first)
        winner = np.where(both, np.where(won, first, second), alone)
        comparisons[both & (at > 0)] += 1
        nodes[rows, at] = np.where(at > 0, winner, nodes[rows, 0])

    for node in range(size - 1, 0, -1):
        play(np.full(trees, node))
    best = np.empty((trees, min(k, size)), dtype=np.int64)
    for place in range(best.shape[1]):
        best[:, place] = nodes[:, 1]
        if place + 1 < best.shape[1]:
            at = leaf[rows, best[:, place]]
            nodes[rows, at] = _EMPTY
            while (at > 1).any():
                at = at // 2
                play(at)
    return best, comparisons
