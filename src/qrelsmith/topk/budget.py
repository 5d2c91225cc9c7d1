"""The budget of top-k preferences: the number of pairs and HITs, the cost and the hours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.tournament import comparisons_bound

_HOUR = 3600.0


@dataclass(frozen=True, slots=True, eq=False)
class Cost:
    """The cost of judging.

    Attributes
    ----------
    hits : float array [...]
        Number of paid HITs; 0 for dedicated assessors.
    money : float array [...]
        In the currency of the terms.
    hours : float array [...]
        Of all assessors together.
    """

    hits: FloatArray
    money: FloatArray
    hours: FloatArray


def crowd_pairs(candidates: ArrayLike, design: CrowdDesign) -> IntArray:
    """Return the expected number of pairs in each crowd round, by a formula.

    Parameters
    ----------
    candidates : array_like of int [topic]
        The sizes of the pools.
    design : CrowdDesign
        k, F, P and the rule for staying.

    Returns
    -------
    int array [round]
        Number of pairs over all topics; a topic's final begins when F candidates are left.

    Notes
    -----
    For a topic with n candidates: ⌈nP/2⌉ pairs and n ← max(⌈n·s⌉, k) while n > max(F,
    k), then n(n − 1)/2. The share s stays. With correct answers, a candidate's rank among its P
    random opponents is uniform, so 0, 1, … P wins are equally likely. Candidates with more than P/2
    wins (or at least P/2) stay, which is half of them for odd P.
    """
    wins = np.arange(design.pairings + 1)
    enough = (
        2 * wins > design.pairings if design.keep == "majority" else 2 * wins >= design.pairings
    )
    left = np.asarray(candidates, dtype=np.int64).ravel()
    rounds: list[int] = []
    while left.size:
        culled = left > max(design.finalists, design.k)
        final, left = left[~culled], left[culled]
        paired = np.minimum(left * design.pairings, left * (left - 1))
        rounds.append(int((final * (final - 1) // 2).sum() + ((paired + 1) // 2).sum()))
        # Whole numbers, so that a share of 3/7 does not round up by accident.
        stay = -(-left * int(enough.sum()) // enough.size)
        left = np.minimum(np.maximum(stay, design.k), np.maximum(left - 1, design.k))
    return np.array(rounds, dtype=np.int64)


def tournament_pairs(candidates: ArrayLike, k: int) -> IntArray:
    """Return the upper bound |C| + (k − 1)⌈log2 |C|⌉ of the number of pairs (4.2) [topic]."""
    sizes = np.asarray(candidates, dtype=np.int64).ravel().tolist()
    return np.array([comparisons_bound(size, k) for size in sizes], dtype=np.int64)


def crowd_cost(
    pairs: ArrayLike,
    *,
    size: int = 10,
    challenge_pairs: int = 3,
    price: float = 2.40,
    seconds: float = 46.0,
    failing: float = 0.0,
) -> Cost:
    """Return the number of HITs, the cost and the hours of crowd rounds.

    The defaults are from topk-preferences 4.3: ten pairs and three attention checks for $2.00 and a
    fee of $0.40, "roughly one HIT every 10 minutes".

    Parameters ---------- pairs : array_like [..., round] Pairs of each round, over all topics.
    size, challenge_pairs : int m and c: pairs per HIT, and additional attention checks. price :
    float Price of a HIT, including the fee. seconds : float Seconds per pair, including attention
    checks. failing : float Share of HITs with a failed attention check, which are paid and
    repeated.

    Returns
    -------
    Cost
        Sums over the rounds, with ⌈pairs / m⌉ HITs per round divided by the accepted share.

    Raises
    ------
    UsageError
        If `size` is below 1, `failing` is not at least 0 and less than 1, or another number is
        below 0.
    """
    if not 0 <= failing < 1:
        raise UsageError(
            f"the share of failing HITs is {failing:g}; expected at least 0 and less than 1"
        )
    if size < 1 or min(challenge_pairs, price, seconds) < 0:
        raise UsageError(
            f"found {size} pairs and {challenge_pairs} attention checks per HIT, {price:g} per HIT"
            f" and {seconds:g} seconds per pair; expected at least one pair, and no number below 0"
        )
    asked = float_array(pairs, name="pairs")
    counts = np.ceil(asked / size)
    # The last HIT of a round is not full.
    shown = (asked + counts * challenge_pairs).sum(axis=-1)
    hits = counts.sum(axis=-1) / (1.0 - failing)
    return Cost(
        hits=np.asarray(hits),
        money=np.asarray(hits * price),
        hours=np.asarray(shown / (1.0 - failing) * seconds / _HOUR),
    )


def dedicated_cost(pairs: ArrayLike, *, seconds: float, wage: float) -> Cost:
    """Return the cost and the hours of dedicated assessors.

    Parameters
    ----------
    pairs : array_like [...]
        Pairs judged.
    seconds : float
        Seconds per pair; the authors needed 27 hours for 2,498 pairs (4.2), which is 39 s.
    wage : float
        Cost per hour.
    """
    asked = float_array(pairs, name="pairs")
    hours = asked * seconds / _HOUR
    return Cost(hits=np.zeros(asked.shape), money=np.asarray(hours * wage), hours=np.asarray(hours))


def pool_sizes(pools: Sequence[ArrayLike]) -> IntArray:
    """Return the number of candidates of each topic [topic]."""
    return np.array([np.size(pool) for pool in pools], dtype=np.int64)
