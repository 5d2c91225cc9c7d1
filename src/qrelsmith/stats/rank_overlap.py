"""Rank-biased overlap of two rankings of the same systems, with ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.stats.comparisons import Rankings, rankings
from qrelsmith.stats.inputs import between_0_and_1
from qrelsmith.stats.registries import CORRELATIONS

_TIES = ("a", "b", "w")
_TAILS = ("extrapolated", "truncated", "normalised")


@CORRELATIONS.add(
    "rbo",
    formula="(1−p) Σ_d p^{d−1} A_d",
    source="Webber, Moffat & Zobel 2010; Corsi & Urbano 2024",
    always=("p",),
    symmetric=True,
)
def rank_biased_overlap(
    first: ArrayLike,
    second: ArrayLike,
    *,
    p: float = 0.9,
    ties: str = "b",
    tail: str = "extrapolated",
    cutoff: int | None = None,
) -> FloatArray:
    """Rank-biased overlap: agreement at the top, with less weight for deeper ranks.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1: rank d has the weight (1−p)·p^(d−1).
    ties : {"b", "a", "w"}
        The meaning of a tie. "a": the order is unknown, and the result is the expected RBO over all
        ways to break the ties. "b": as "a", but corrected for the unknown order, so that equal
        rankings have 1. "w": tied systems share the top rank of their group.
    tail : {"extrapolated", "truncated", "normalised"}
        The treatment of ranks below the last rank. "extrapolated": the agreement remains as at the
        last rank. "truncated": nothing is added (equal rankings have 1 − p^k). "normalised": the
        truncated sum is divided by its largest value, 1 − p^k.
    cutoff : int, optional
        The last rank k that is used; by default, all n ranks.

    Returns
    -------
    float array, shape (...)
        RBO in [0, 1]; nan if there are no systems.

    Raises
    ------
    UsageError
        If p, ties, tail or cutoff is out of range.

    Notes
    -----
    Let a group of tied systems take the ranks t … b. A system of it counts at depth d as
    c(d) = 0 for d < t, (d−t+1)/(b−t+1) for t ≤ d < b, 1 for d ≥ b; x and y are c in the rankings.

    - a: A_d = Σ x·y / d
    - b: A_d = Σ x·y / √(Σ x² · Σ y²)
    - w: A_d = 2·|X ∩ Y| / (|X| + |Y|), where X and Y are the systems with t ≤ d

    RBO = (1−p) Σ_{d=1}^{k} p^{d−1} A_d, plus p^k A_k if extrapolated (Webber, Moffat & Zobel 2010,
    Eq. 30; Corsi & Urbano 2024, "The treatment of ties in rank-biased overlap").

    Examples
    --------
    >>> round(float(rank_biased_overlap([3, 2, 1], [2, 3, 1], p=0.5)), 6)
    0.5
    """
    between_0_and_1(p, name="p")
    for value, choices, name in ((ties, _TIES, "ties"), (tail, _TAILS, "tail")):
        if value not in choices:
            raise UsageError(f"{name} must be one of {', '.join(choices)}; found {quoted(value)}")
    pair = rankings(first, second)
    if pair.systems == 0:
        return np.full(pair.shape, np.nan)
    if cutoff is not None and not 1 <= cutoff <= pair.systems:
        raise UsageError(f"cutoff must be between 1 and {pair.systems}; found {cutoff}")
    last = cutoff or pair.systems
    agreement = _agreement(pair, last, ties)
    total = (1 - p) * agreement @ p ** np.arange(last)
    if tail == "extrapolated":
        total += p**last * agreement[:, -1]
    elif tail == "normalised":
        total /= 1 - p**last
    return np.asarray(total).reshape(pair.shape)


def _agreement(pair: Rankings, last: int, ties: str) -> FloatArray:
    """Return A_d of every row for d = 1 … last [row, d]."""
    groups = [_group_ends(ranks) for ranks in (pair.first, pair.second)]
    result = np.empty((len(pair.first), last))
    for depth in range(1, last + 1):
        if ties == "w":
            x, y = ((top <= depth).astype(np.float64) for top, _ in groups)
            size = (x.sum(axis=-1) + y.sum(axis=-1)) / 2
        else:
            x, y = (_contribution(top, bottom, depth) for top, bottom in groups)
            size = np.full(len(x), float(depth))
            if ties == "b":
                size = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
        result[:, depth - 1] = (x * y).sum(axis=-1) / size
    return result


def _contribution(top: FloatArray, bottom: FloatArray, depth: int) -> FloatArray:
    """Return the probability that a system is in the top `depth` if ties are broken at random."""
    return np.clip((depth - top + 1) / (bottom - top + 1), 0.0, 1.0)


def _group_ends(ranks: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> tuple[FloatArray, ...]:
    """Return the first and the last rank (from 1, best first) of every system's tied group."""
    rows, n = ranks.shape
    size = np.zeros((rows, n), dtype=np.int64)
    np.add.at(size, (np.arange(rows)[:, None], ranks), 1)
    at_or_above = size[:, ::-1].cumsum(axis=-1)[:, ::-1]
    bottom = np.take_along_axis(at_or_above, ranks.astype(np.int64), axis=-1)
    own = np.take_along_axis(size, ranks.astype(np.int64), axis=-1)
    return (bottom - own + 1).astype(np.float64), bottom.astype(np.float64)
