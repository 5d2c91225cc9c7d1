"""Pools of simulated runs, and the orders in which their docs are shown."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.arrays import AnyArray, IntArray
from qrelsmith.errors import ShapeError
from qrelsmith.simulate.design import at_least

ORDERINGS = ("prioritised", "randomised")


def prioritised_pool(ranked: ArrayLike, *, depth: int) -> IntArray:
    """The docs that any run ranks within the pool's depth, most promising first.

    Runs that returned the doc within the depth, descending; sum of its ranks there, ascending; then
    its number (NTCIRPOOL's order, Sakai et al. 2023).

    Parameters
    ----------
    ranked : array_like of int, [system, rank]
        Numbers of the docs of one topic, best first.
    depth : int
        The depth of the pool.

    Returns
    -------
    ndarray of int, [doc]
    """
    at_least("depth", depth, 1)
    docs: AnyArray = np.asarray(ranked)
    if docs.ndim != 2 or not np.issubdtype(docs.dtype, np.integer):
        raise ShapeError("ranked must hold numbers of docs, [system, rank]")
    top = docs[:, :depth]
    pool, place = np.unique(top, return_inverse=True)
    ranks = np.broadcast_to(np.arange(1.0, top.shape[1] + 1.0), top.shape)
    runs = np.bincount(place.ravel(), minlength=pool.size)
    rank_sum = np.bincount(place.ravel(), weights=ranks.ravel(), minlength=pool.size)
    return np.asarray(pool[np.lexsort((pool, rank_sum, -runs))], dtype=np.int64)
