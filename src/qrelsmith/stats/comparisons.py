"""Pairwise comparison of two rankings, the basis of every rank correlation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.ties import tied_ranks

_BLOCK = 1 << 20  # comparisons held at once, so that 1,000 splits of 60 systems need a few MB
_Signs = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """Two stacks of rankings of the same systems.

    Attributes
    ----------
    first, second : int array, shape (rows, n)
        Dense ranks of each system, 0 for the worst; ties share a rank.
    shape : tuple of int
        The shape of the stack and of results.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    shape: tuple[int, ...]

    @property
    def systems(self) -> int:
        """The number of systems ranked."""
        return int(self.first.shape[-1])

    def reversed_roles(self) -> Rankings:
        """Swap the two rankings."""
        return Rankings(self.second, self.first, self.shape)

    def signs(self) -> Iterator[tuple[slice, _Signs, _Signs]]:
        """Yield blocks of systems i with sign(rank_i − rank_j) in both rankings, for every j.

        Each block consists of the systems i, the signs[rows, i, j] of the first ranking, and the
        signs of the second ranking.
        """
        rows, systems = self.first.shape
        size = max(1, _BLOCK // max(1, rows * systems))
        for start in range(0, systems, size):
            block = slice(start, min(start + size, systems))
            yield block, _signs(self.first, block), _signs(self.second, block)


@dataclass(frozen=True, slots=True, eq=False)
class Dominance:
    """Comparisons of each system i with all other systems j, counted as integers [row, system].

    Attributes
    ----------
    balance : int array
        Σ_j s_ij·t_ij: concordant minus discordant pairs (s, t: signs in the two rankings).
    untied_first, untied_second, untied_both : int array
        The number of j that are not tied with i in the first, the second, in neither ranking.
    """

    balance: IntArray
    untied_first: IntArray
    untied_second: IntArray
    untied_both: IntArray


def rankings(first: ArrayLike, second: ArrayLike) -> Rankings:
    """Return both lists of scores as ranks; stacks are broadcast against each other.

    Parameters
    ----------
    first, second : array_like, shape (..., n)
        Scores of the same n systems, higher is better.

    Raises
    ------
    ShapeError
        If a score is nan or infinite, the systems differ in number or the stacks do not fit.
    """
    ranks = (tied_ranks(first, name="first"), tied_ranks(second, name="second"))
    shapes = [array.shape for array in ranks]
    if shapes[0][-1] != shapes[1][-1]:
        raise ShapeError(
            f"both lists need the same systems; found {shapes[0][-1]} and {shapes[1][-1]} systems"
        )
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(
            f"stacks have the shapes {shapes[0]} and {shapes[1]}; expected matching shapes"
        ) from None
    rows: list[Any] = [
        np.broadcast_to(array, shape).reshape(-1, shape[-1]).astype(np.int32)
        if shape[-1]
        else np.zeros((int(np.prod(shape[:-1])), 0), dtype=np.int32)
        for array in ranks
    ]
    return Rankings(rows[0], rows[1], shape[:-1])


def dominance(pair: Rankings) -> Dominance:
    """Count the concordant, discordant and tied comparisons of every system."""
    shape = pair.first.shape
    counts = Dominance(*(np.zeros(shape, dtype=np.int64) for _ in range(4)))
    for block, s, t in pair.signs():
        product = s * t
        counts.balance[:, block] = product.sum(axis=-1)
        counts.untied_first[:, block] = np.count_nonzero(s, axis=-1)
        counts.untied_second[:, block] = np.count_nonzero(t, axis=-1)
        counts.untied_both[:, block] = np.count_nonzero(product, axis=-1)
    return counts


def _signs(ranks: NDArray[np.int32], block: slice) -> _Signs:
    signs: _Signs = np.sign(ranks[:, block, None] - ranks[:, None, :])
    return signs
