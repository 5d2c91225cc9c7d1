"""Agreement of two rankings at the top."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.ties import tied_ranks

_LEAST, _MOST = 8, 20  # systems that the best third may count
_BLOCK = 1 << 21  # pairs held at once


def top_agreement(reference: ArrayLike, other: ArrayLike) -> FloatArray:
    """Return the agreement of two rankings on the order of the reference's best systems.

    Parameters
    ----------
    reference, other : array_like, shape (..., n)
        Means of the same n systems, higher is better; equal within 1e-12 is a tie.

    Returns
    -------
    float array, shape (...)
        From −1 (every pair the other way) to 1; nan if the reference ties all its best systems, or
        for fewer than two. A pair tied in the other ranking counts half.

    Raises
    ------
    ShapeError
        If a mean is nan or infinite, or the lists do not fit together.

    Notes
    -----
    Σ |d_ij|·s_ij / Σ |d_ij| over the pairs of the reference's best third of systems (8
    to 20, all if there are fewer, including ties with the last), d the difference in the reference
    and s 1 for the same order in the other ranking, −1 for the other order, 0 for a tie. Kendall's
    τ counts all pairs alike, and at the top most pairs differ by little more than chance.

    Examples
    --------
    >>> float(top_agreement([0.9, 0.5, 0.4], [0.9, 0.4, 0.5]))
    0.8
    """
    means, ranks, places = _means_and_ranks(reference, other)
    return _order_kept(means, ranks, places, _is_best(ranks))


def either_top_agreement(reference: ArrayLike, other: ArrayLike) -> FloatArray:
    """Return `top_agreement` for the pairs of systems in either ranking's best third.

    Unlike `top_agreement`, this agreement includes systems that are in the best third of only the
    other ranking.

    Parameters
    ----------
    reference, other : array_like, shape (..., n)
        As in `top_agreement`.

    Returns
    -------
    float array, shape (...)
        As in `top_agreement`.

    Raises
    ------
    ShapeError
        As in `top_agreement`.

    Examples
    --------
    >>> means = [0.9, 0.89, 0.88, 0.87, 0.86, 0.85, 0.84, 0.83, 0.3]
    >>> lifted = [*means[:8], 1.0]
    >>> float(top_agreement(means, lifted)), round(float(either_top_agreement(means, lifted)), 2)
    (1.0, -0.69)
    """
    means, ranks, places = _means_and_ranks(reference, other)
    return _order_kept(means, ranks, places, _is_best(ranks) | _is_best(places))


def best_third(means: ArrayLike) -> BoolArray:
    """Return whether each system is in the best third, or tied with the last system there.

    Examples
    --------
    >>> best_third([3, 9, 1, 1, 5, 6, 7, 8, 2, 1]).tolist()
    [True, True, True, True, True, True, True, True, True, True]
    """
    return _is_best(tied_ranks(means, name="means"))


def top_size(systems: int) -> int:
    """Return the size of the best third: 8 to 20 systems, or all systems if there are fewer."""
    return min(max(math.ceil(systems / 3), _LEAST), _MOST, systems)


def _means_and_ranks(
    reference: ArrayLike, other: ArrayLike
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the means and ranks under the reference, and the ranks under the other label set."""
    means, compared = np.asarray(reference, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if means.shape != compared.shape or means.ndim == 0:
        raise ShapeError(
            f"both lists need the same systems; found shapes {means.shape} and {compared.shape}"
        )
    return means, tied_ranks(means, name="reference"), tied_ranks(compared, name="other")


def _is_best(ranks: IntArray) -> BoolArray:
    return _is_among(ranks, top_size(ranks.shape[-1]))


def _is_among(ranks: IntArray, best: int) -> BoolArray:
    """Return whether each system is among the best, or tied with the last of the best."""
    n = ranks.shape[-1]
    if n == 0:
        return np.zeros(ranks.shape, dtype=np.bool_)
    return np.asarray(ranks >= np.sort(ranks, axis=-1)[..., n - best, None])


def _order_kept(
    means: FloatArray, ranks: IntArray, places: IntArray, among: BoolArray
) -> FloatArray:
    """Return Σ |d|·s / Σ |d| over the pairs of the selected systems."""
    n = means.shape[-1]
    if n < 2:
        return np.full(means.shape[:-1], math.nan)
    most = int(among.sum(axis=-1).max(initial=0))
    first = np.argsort(~among, axis=-1, kind="stable")[..., :most].reshape(-1, most)
    rows = np.take_along_axis(means.reshape(-1, n), first, axis=-1)
    level, place = (
        np.take_along_axis(array.reshape(-1, n), first, axis=-1) for array in (ranks, places)
    )
    inside = np.take_along_axis(among.reshape(-1, n), first, axis=-1)
    shares = np.empty(len(rows))
    step = max(1, _BLOCK // max(most, 1) ** 2)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        apart = rows[part, :, None] - rows[part, None, :]
        apart[level[part, :, None] == level[part, None, :]] = 0.0
        apart *= inside[part, :, None] & inside[part, None, :]
        order = np.sign(place[part, :, None] - place[part, None, :])
        with np.errstate(invalid="ignore"):
            shares[part] = (apart * order).sum(axis=(1, 2)) / np.abs(apart).sum(axis=(1, 2))
    return shares.reshape(means.shape[:-1])
