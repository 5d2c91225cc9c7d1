"""Whether two rankings agree where it matters to who chooses the best: at the top."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.ties import tied_ranks

_LEAST, _MOST = 8, 20  # systems that the best third may count
_BLOCK = 1 << 21  # pairs held at once


def top_agreement(reference: ArrayLike, other: ArrayLike) -> FloatArray:
    """Agreement of two rankings on the order of the reference's best systems, by difference.

    Parameters
    ----------
    reference, other : array_like, shape (..., n)
        Means of the same n systems, higher is better; equal within 1e-12 is a tie.

    Returns
    -------
    float array, shape (...)
        From −1 (every pair the other way) to 1; nan where the reference ties all its best systems,
        and for fewer than two. A pair that the other ranking ties counts half.

    Raises
    ------
    ShapeError
        If a mean is nan or infinite, or the lists do not fit together.

    Notes
    -----
    Σ |d_ij|·s_ij / Σ |d_ij| over the pairs of the reference's best third of systems (8 to 20, all
    if there are fewer; whoever ties with the last of them is among them), d the difference in the
    reference and s 1 for the same order in the other ranking, −1 for the other order, 0 for a tie.
    Kendall's τ counts all pairs alike, and at the top most pairs differ by little more than chance.

    Examples
    --------
    >>> float(top_agreement([0.9, 0.5, 0.4], [0.9, 0.4, 0.5]))
    0.8
    """
    base, compared = np.asarray(reference, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if base.shape != compared.shape or base.ndim == 0:
        raise ShapeError(
            f"both lists must score the same systems: {base.shape} and {compared.shape} given"
        )
    n = base.shape[-1]
    if n < 2:
        return np.full(base.shape[:-1], math.nan)
    rows, others = base.reshape(-1, n), compared.reshape(-1, n)
    ranks, places = tied_ranks(rows, name="reference"), tied_ranks(others, name="other")
    last = np.sort(ranks, axis=-1)[:, n - top_size(n), None]
    shares = np.empty(len(rows))
    step = max(1, _BLOCK // n**2)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        top = np.where(ranks[part] >= last[part], 1.0, 0.0)
        apart = rows[part, :, None] - rows[part, None, :]
        apart[ranks[part, :, None] == ranks[part, None, :]] = 0.0
        apart *= top[:, :, None] * top[:, None, :]
        order = np.sign(places[part, :, None] - places[part, None, :])
        with np.errstate(invalid="ignore"):
            shares[part] = (apart * order).sum(axis=(1, 2)) / np.abs(apart).sum(axis=(1, 2))
    return shares.reshape(base.shape[:-1])


def top_size(systems: int) -> int:
    """How many of so many systems are the best third: 8 to 20, all where there are fewer."""
    return min(max(math.ceil(systems / 3), _LEAST), _MOST, systems)
