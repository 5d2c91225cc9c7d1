"""Kendall's τ-b of thousands of pairs of rankings at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.ties import tied_ranks

# So many systems and fewer: ranks, their differences, and sums over systems fit into the bytes.
_BYTES = ((1 << 7, np.int8), (1 << 15, np.int16))


def kendall_tau_b_stack(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Kendall's τ-b of many pairs of rankings of the same systems, row by row.

    The result equals the result of `kendall_tau_b`. For a thousand rows or more, this function is
    several times faster than `kendall_tau_b`: it processes each pair of systems once for all rows.

    Parameters
    ----------
    first, second : array_like, shape (rows, n)
        Scores of the same n systems, higher is better. Scores equal within 1e-12 are tied.

    Returns
    -------
    float array, shape (rows,)
        τ-b in [−1, 1]; nan (0/0) where one ranking ties all systems, and for fewer than two
        systems.

    Raises
    ------
    ShapeError
        If a score is nan or infinite, or the two are not of one shape (rows, n).

    Examples
    --------
    >>> kendall_tau_b_stack([[3, 2, 2, 0], [1, 2, 3, 4]], [[3, 2, 2, 0], [4, 3, 2, 1]]).tolist()
    [1.0, -1.0]
    """
    left, right = _by_system(first, "first"), _by_system(second, "second")
    if left.shape != right.shape:
        raise ShapeError(
            f"both stacks must have the same shape; found {left.shape[::-1]} and "
            f"{right.shape[::-1]}"
        )
    systems, rows = left.shape
    balance, untied, other_untied = (np.zeros(rows, dtype=np.int64) for _ in range(3))
    for system in range(1, systems):
        signs = np.sign(left[system] - left[:system])
        others = np.sign(right[system] - right[:system])
        balance += np.add.reduce(signs * others, axis=0, dtype=left.dtype)
        untied += np.add.reduce(signs * signs, axis=0, dtype=left.dtype)
        other_untied += np.add.reduce(others * others, axis=0, dtype=left.dtype)
    with np.errstate(invalid="ignore"):
        tau: FloatArray = balance / np.sqrt(untied * other_untied.astype(np.float64))
    return tau


def _by_system(scores: ArrayLike, name: str) -> NDArray[Any]:
    """Return the ranks [system, row] in the smallest sufficient integer type."""
    ranks = tied_ranks(scores, name=name)
    if ranks.ndim != 2:
        raise ShapeError(f"{name} must have 2 dimensions (rows, systems); found {ranks.ndim}")
    kind = next((kind for most, kind in _BYTES if ranks.shape[1] <= most), np.int64)
    return np.ascontiguousarray(ranks.T.astype(kind))
