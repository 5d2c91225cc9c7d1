"""Topics whose judgments come from the same people."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import csgraph, sparse


def batches_by_assessor(judged: ArrayLike) -> IntArray:
    """Return batches of topics that share assessors, directly or through other topics.

    Parameters
    ----------
    judged : array_like of bool [topic, assessor]
        Whether the assessor, who is the same person in every row, judged docs of the topic.

    Returns
    -------
    int array [topic]
        Batches numbered from 0 in the order of their first topics. A topic without judgments is a
        separate batch.

    Raises
    ------
    ShapeError
        If `judged` does not have two dimensions.
    """
    links = np.asarray(judged, dtype=np.bool_)
    if links.ndim != 2:
        raise ShapeError(f"judged must have the shape [topic, assessor]; found {list(links.shape)}")
    bridge = sparse.csr_array(links.astype(np.int64))
    _, batch = csgraph.connected_components(bridge @ bridge.T, directed=False)
    _, first, names = np.unique(batch, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[names], dtype=np.int64)


def batch_codes(batches: ArrayLike | None, *, topics: int) -> IntArray:
    """Return the batch of each topic; all are 0 if no batches are given.

    Raises
    ------
    ShapeError
        Unless there is a whole number of 0 or more for each topic.
    """
    if batches is None:
        return np.zeros(topics, dtype=np.int64)
    codes = np.asarray(batches)
    if codes.shape != (topics,) or not np.issubdtype(codes.dtype, np.integer):
        raise ShapeError(f"batches must contain a whole number for each of the {topics} topics")
    if codes.size and codes.min() < 0:
        raise ShapeError("a batch number is below 0; expected 0 or more")
    return codes.astype(np.int64)
