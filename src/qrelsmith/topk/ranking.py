"""Ranks by wins with shared ranks, and the cut at rank k that keeps ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray, float_array

# Wins are sums of halves and thirds: far apart or equal.
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class RankedDoc:
    """A doc among the best of its topic.

    Attributes
    ----------
    rank : int
        Rank from 1; ties share the better rank and skip the following ones (1, 2, 2, 4).
    wins : float
        Number of comparisons won, with a tie as half.
    """

    doc: str
    rank: int
    wins: float


def competition_ranks(wins: ArrayLike) -> IntArray:
    """Return ranks: 1 + the number of docs with more wins.

    Parameters
    ----------
    wins : array_like [..., doc]
        Wins; −inf ranks a doc behind all others.

    Examples
    --------
    >>> competition_ranks([2, 3, 2, 0])
    array([2, 1, 2, 4])
    """
    values = float_array(wins, name="wins")
    above = values[..., None, :] > values[..., :, None] + _TOLERANCE
    return np.asarray(1 + above.sum(axis=-1), dtype=np.int64)


def best_places(docs: Sequence[str], wins: Sequence[float], *, k: int) -> tuple[RankedDoc, ...]:
    """Return the docs at rank k or better, with ties, sorted by rank and name."""
    if not docs:
        return ()
    ranks = competition_ranks(list(wins)).tolist()
    rows = sorted(zip(ranks, docs, wins, strict=True))
    return tuple(RankedDoc(doc, rank, float(won)) for rank, doc, won in rows if rank <= k)
