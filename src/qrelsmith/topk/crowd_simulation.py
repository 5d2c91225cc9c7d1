"""Simulation of many crowd campaigns: cost and accuracy.

The rounds of `rounds.Rounds` are simulated together for topics with the same number of candidates.
Each block of campaigns has its own stream of random numbers, so results do not depend on the order
or process of computation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.topk.culling import Keep, check_keep, check_sizes, survivors
from qrelsmith.topk.reliability import Reliability
from qrelsmith.topk.simulated_pairings import many_pairings
from qrelsmith.topk.simulated_search import SimulatedSearch, Tally, join_searches

# Campaigns that are played at once: enough for numpy, few enough for memory.
BLOCK = 100
_CHUNK = 2_000_000  # answers that are held at once


@dataclass(frozen=True, slots=True)
class CrowdDesign:
    """The parameters of crowd rounds; see `rounds.Rounds`."""

    k: int = 5
    finalists: int = 9
    pairings: int = 7
    keep: Keep = "majority"
    forced: bool = False

    def __post_init__(self) -> None:
        check_keep(self.keep)
        check_sizes(self.k, finalists=self.finalists, pairings=self.pairings, forced=self.forced)


def simulate_crowd(
    pools: Sequence[ArrayLike],
    design: CrowdDesign,
    reliability: Reliability,
    *,
    campaigns: int,
    seed: int,
    advance: Callable[[], None] | None = None,
) -> SimulatedSearch:
    """Simulate many crowd campaigns over the same topics.

    Parameters
    ----------
    pools : sequence of array_like [candidate]
        The grades of the candidates of each topic; a topic without candidates is ignored.
    design : CrowdDesign
        k, F, P and who stays.
    reliability : Reliability
        Model of doc worths, redrawn in each campaign, and of correct answers.
    campaigns : int
        Number of campaigns, at least 1.
    advance : callable, optional
        Called after every block of campaigns, to show progress.

    Raises
    ------
    UsageError
        If there are no campaigns or no candidates.
    """
    parts = []
    for block, count in blocks(campaigns):
        parts.append(
            simulate_block(pools, design, reliability, campaigns=count, seed=seed, block=block)
        )
        if advance is not None:
            advance()
    return join_searches(parts)


def blocks(campaigns: int) -> list[tuple[int, int]]:
    """Return the number and size of each block of campaigns."""
    if campaigns < 1:
        raise UsageError(f"campaigns={campaigns}; expected 1 or more")
    starts = range(0, campaigns, BLOCK)
    return [(place, min(BLOCK, campaigns - start)) for place, start in enumerate(starts)]


def simulate_block(
    pools: Sequence[ArrayLike],
    design: CrowdDesign,
    reliability: Reliability,
    *,
    campaigns: int,
    seed: int,
    block: int = 0,
) -> SimulatedSearch:
    """Simulate one block of campaigns, with random numbers seeded by the block's number."""
    rng = rng_for(seed, "crowd simulation", block)
    tally = Tally(campaigns, design.k)
    waiting: dict[tuple[int, bool], list[_Topics]] = {}
    for size, graded in _by_size(pools).items():
        grades = np.tile(graded, (campaigns, 1))
        worth = -np.sort(-reliability.worth(grades, rng), axis=1)
        topics = _Topics(
            campaign=np.repeat(np.arange(campaigns), len(graded)),
            size=np.full(len(grades), size),
            worth=worth.astype(np.float32),
            place=np.tile(np.arange(size, dtype=np.int16), (len(grades), 1)),
        )
        _enqueue(waiting, topics, design, ends=False)
    number = 0
    while waiting:
        going, waiting = waiting, {}
        for (size, final), parts in sorted(going.items()):
            topics = _Topics.concatenate(parts)
            for chunk in topics.chunks(size, size if final else design.pairings):
                if final:
                    wins, pairs = _all_pairs(chunk, reliability, rng)
                    tally.add(chunk.campaign, chunk.size, chunk.place, wins)
                else:
                    wins, asked, pairs = _pair_up(chunk, design.pairings, reliability, rng)
                    stays = survivors(wins, asked, k=design.k, keep=design.keep)
                    for left, ends in chunk.thin(stays):
                        _enqueue(waiting, left, design, ends=ends)
                tally.count_judged(chunk.campaign, number, pairs)
        number += 1
    return tally.result()


@dataclass(frozen=True, slots=True, eq=False)
class _Topics:
    """Topics with the same number of remaining candidates.

    The arrays are `campaign` [topic], `size` of the whole pool [topic], `worth` and true `place`
    [topic, candidate].
    """

    campaign: IntArray
    size: IntArray
    worth: NDArray[np.float32]
    place: NDArray[np.int16]

    @classmethod
    def concatenate(cls, parts: Sequence[_Topics]) -> _Topics:
        return cls(
            campaign=np.concatenate([part.campaign for part in parts]),
            size=np.concatenate([part.size for part in parts]),
            worth=np.concatenate([part.worth for part in parts]),
            place=np.concatenate([part.place for part in parts]),
        )

    def chunks(self, size: int, opponents: int) -> Iterator[_Topics]:
        """Yield blocks whose answers fit into memory."""
        step = max(1, 2 * _CHUNK // max(1, size * opponents))
        for start in range(0, len(self.campaign), step):
            yield self._part(slice(start, start + step))

    def thin(self, stays: BoolArray) -> Iterator[tuple[_Topics, bool]]:
        """Yield the topics of each candidate count, and whether no candidate was removed."""
        counts = stays.sum(axis=1)
        for count in np.unique(counts).tolist():
            rows = np.flatnonzero(counts == count)
            part, stay = self._part(rows), stays[rows]
            yield (
                _Topics(
                    campaign=part.campaign,
                    size=part.size,
                    worth=part.worth[stay].reshape(len(rows), count),
                    place=part.place[stay].reshape(len(rows), count),
                ),
                count == stays.shape[1],
            )

    def _part(self, rows: IntArray | slice) -> _Topics:
        return _Topics(self.campaign[rows], self.size[rows], self.worth[rows], self.place[rows])


def _enqueue(
    waiting: dict[tuple[int, bool], list[_Topics]],
    topics: _Topics,
    design: CrowdDesign,
    *,
    ends: bool,
) -> None:
    size = topics.worth.shape[1]
    final = ends or size <= max(design.finalists, design.k)
    waiting.setdefault((size, final), []).append(topics)


def _by_size(pools: Sequence[ArrayLike]) -> dict[int, FloatArray]:
    """Return grades [topic, candidate] by number of candidates."""
    by_size: dict[int, list[FloatArray]] = {}
    for pool in pools:
        grades = float_array(pool, name="grades", ndim=1)
        if grades.size:
            by_size.setdefault(grades.size, []).append(grades)
    if not by_size:
        raise UsageError("no topic has candidates; expected at least one")
    return {size: np.stack(rows) for size, rows in sorted(by_size.items())}


def _all_pairs(
    topics: _Topics, reliability: Reliability, rng: np.random.Generator
) -> tuple[FloatArray, int]:
    """Return the wins [topic, candidate] against all other candidates, and the number of pairs."""
    size = topics.worth.shape[1]
    first, second = np.triu_indices(size, 1)
    won = _is_preferred(topics.worth[:, first] - topics.worth[:, second], reliability, rng)
    of_first, of_second = np.zeros((2, len(first), size), dtype=np.float32)
    of_first[np.arange(len(first)), first] = 1.0
    of_second[np.arange(len(first)), second] = 1.0
    wins = won @ of_first + (1.0 - won) @ of_second
    return wins.astype(np.float64), len(first)


def _pair_up(
    topics: _Topics, opponents: int, reliability: Reliability, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, int]:
    """Return each candidate's wins and pairings [topic, candidate], and the number of pairs."""
    count, size = topics.worth.shape
    drawn = many_pairings(size, opponents)
    who = np.argsort(rng.random((count, size), dtype=np.float32), axis=1)
    edges = drawn[rng.integers(len(drawn), size=count)]
    row = np.arange(count)[:, None]
    first, second = who[row, edges[..., 0]], who[row, edges[..., 1]]
    won = _is_preferred(topics.worth[row, first] - topics.worth[row, second], reliability, rng)
    flat_first, flat_second = (first + row * size).ravel(), (second + row * size).ravel()
    shares = won.ravel().astype(np.float64)
    cells = count * size
    won_first = np.bincount(flat_first, weights=shares, minlength=cells)
    won_second = np.bincount(flat_second, weights=1.0 - shares, minlength=cells)
    asked = np.bincount(np.concatenate([flat_first, flat_second]), minlength=cells)
    wins: FloatArray = np.asarray(won_first + won_second, dtype=np.float64).reshape(count, size)
    return wins, asked.reshape(count, size).astype(np.float64), int(edges.shape[1])


def _is_preferred(
    gaps: NDArray[np.float32], reliability: Reliability, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return 1 for each pair whose first doc was preferred, and 0 for each other pair."""
    drawn = rng.random(gaps.shape, dtype=np.float32)
    return (drawn < reliability.preference(gaps)).astype(np.float32)
