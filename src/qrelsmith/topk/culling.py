"""Culling: the candidates that stay after a round of pairings (topk-preferences 4.3)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, float_array, same_shape
from qrelsmith.base.errors import UsageError, quoted

Keep = Literal["majority", "half"]


def survivors(
    wins: ArrayLike, pairings: ArrayLike, *, k: int, keep: Keep = "majority"
) -> BoolArray:
    """Return a mask of the candidates (at least k) that stay after a round.

    Parameters
    ----------
    wins : array_like [..., candidate]
        Pairings won; a tie counts half.
    pairings : array_like [..., candidate]
        Number of pairings; 0 for eliminated candidates.
    k : int
        At least k candidates stay. If the rule would keep fewer, the candidates with the most wins
        stay, including all candidates tied with the last of them.
    keep : {'majority', 'half'}
        Whether staying requires wins in more than half of the pairings (as in the paper), or in
        half (4 of 8, as in the program of the paper's authors).

    Raises
    ------
    UsageError
        If the rule is unknown.
    ShapeError
        If the shapes differ.

    References
    ----------
    topk-preferences, 4.3 ("failing to win a majority of pairings are culled") and 4 ("losing more
    than a majority of pairings are eliminated"), which differ at half.

    Examples
    --------
    >>> survivors([4, 4, 3], [7, 8, 7], k=1)
    array([ True, False, False])
    >>> survivors([4, 4, 3], [7, 8, 7], k=1, keep="half")
    array([ True,  True, False])
    """
    check_keep(keep)
    won, asked = float_array(wins, name="wins"), float_array(pairings, name="pairings")
    same_shape(won, asked, names=("wins", "pairings"))
    inside = asked > 0
    stays = inside & ((2 * won > asked) if keep == "majority" else (2 * won >= asked))
    ordered = -np.sort(-np.where(inside, won, -np.inf), axis=-1)
    floor = ordered[..., min(k, won.shape[-1]) - 1, None]
    short = stays.sum(axis=-1, keepdims=True) < k
    return np.where(short, inside & (won >= floor), stays)


def check_keep(keep: str) -> None:
    """Raise `UsageError` for an unknown rule."""
    if keep not in get_args(Keep):
        raise UsageError(f"keep is {quoted(keep)}; expected one of {', '.join(get_args(Keep))}")


def check_sizes(k: int, *, finalists: int, pairings: int, forced: bool = False) -> None:
    """Raise `UsageError` unless F > P > k ≥ 1 or, if forced, unless all are 1 or more."""
    if min(k, finalists, pairings) < 1:
        raise UsageError(
            f"k, F and P are {k}, {finalists} and {pairings}; expected 1 or more of each"
        )
    if not forced and not finalists > pairings > k:
        raise UsageError(
            f"F = {finalists}, P = {pairings} and k = {k}; expected F > P > k, unless forced"
        )
