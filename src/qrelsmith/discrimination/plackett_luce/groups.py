"""Groups of docs: the order between groups is certain, and the order within groups uncertain.

If a preference is 0 or 1, the minimum of Eq. 5 of pdp may be at infinity. The minimum is at
infinity if the docs form groups such that every doc of one group is certainly preferred to every
doc of the next group. The distance between the groups' scores then has no limit. The groups are the
strongly connected components of "is sometimes preferred to". The limit is an order of these groups,
with scores within each group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray

_FAR = 37.0


@dataclass(frozen=True, slots=True)
class ItemGroups:
    """Groups of one size, from any number of topics.

    Attributes
    ----------
    topics : int array [group]
        The topic of each group.
    docs : int array [group, member]
        The docs of each group.
    """

    topics: IntArray
    docs: IntArray

    @property
    def size(self) -> int:
        """The number of docs in each group."""
        return int(self.docs.shape[1])


def certain_predecessors(preferences: FloatArray) -> IntArray:
    """Return the number of docs that certainly come before each doc.

    Parameters
    ----------
    preferences : float array [topic, doc, doc]
        p(doc > other doc), with p_ij + p_ji = 1. A doc whose diagonal cell is nan is absent. A
        preference p_ij counts as certain if 1 − p_ij is 0 in 64-bit numbers.

    Returns
    -------
    int array [topic, doc]
        Docs of a topic with equal numbers form a group whose order is uncertain. −1: the doc is
        absent, or a preference between two docs of the topic is nan, so that the topic is
        undefined.
    """
    docs = preferences.shape[1]
    present = ~np.isnan(np.diagonal(preferences, axis1=1, axis2=2))
    pair = present[:, :, None] & present[:, None, :]
    undefined: BoolArray = (pair & np.isnan(preferences)).any(axis=(1, 2)).reshape(-1)
    with np.errstate(invalid="ignore"):
        above = pair & (preferences > 0.0) & (preferences.swapaxes(1, 2) < 1.0)
    above |= np.eye(docs, dtype=np.bool_)
    before = np.zeros(present.shape, dtype=np.int64)
    certain = np.flatnonzero((pair & ~above).any(axis=(1, 2)) & ~undefined)
    if certain.size:
        reaches = _closure(above[certain])
        before[certain] = (reaches & ~reaches.swapaxes(1, 2)).sum(axis=1)
    before[~present | undefined[:, None]] = -1
    return before


def _closure(edges: BoolArray) -> BoolArray:
    """Return the docs that can be reached from each doc [topic, from, to] (Warshall)."""
    reaches = edges.copy()
    for doc in range(edges.shape[1]):
        reaches |= reaches[:, :, doc, None] & reaches[:, None, doc, :]
    return reaches


def split_far_apart(scores: FloatArray, before: IntArray) -> IntArray:
    """Return the number of docs that certainly, or almost certainly, come before each doc.

    If neighbouring scores differ by more than 37, docs below this gap are drawn before docs above
    the gap with a probability of about e^−37. Such a small probability is lost in 64-bit sums.
    Separate groups also keep exp(score) within the range of 64-bit numbers.

    Parameters
    ----------
    scores : float array [topic, doc]
        Scores within the groups; nan where `before` is −1.
    before : int array [topic, doc]
        As returned by `certain_predecessors`.

    Returns
    -------
    int array [topic, doc]
        The numbers of docs before each doc, as in `before`, for the smaller groups.
    """
    docs = before.shape[1]
    group = np.where(before < 0, docs, before)
    order = np.lexsort((-np.nan_to_num(scores), group), axis=-1)
    ranked, group = np.take_along_axis(scores, order, 1), np.take_along_axis(group, order, 1)
    apart = np.ones(before.shape, dtype=np.bool_)
    apart[:, 1:] = (group[:, 1:] != group[:, :-1]) | (ranked[:, :-1] - ranked[:, 1:] > _FAR)
    starts = np.maximum.accumulate(np.where(apart, np.arange(docs), 0), axis=1)
    split = np.empty_like(before)
    np.put_along_axis(split, order, np.where(group == docs, -1, starts), axis=1)
    return split


def groups_by_size(before: IntArray) -> Iterator[ItemGroups]:
    """Yield the groups of all topics, combined by size, from the smallest size.

    Parameters
    ----------
    before : int array [topic, doc]
        As returned by `certain_predecessors`; docs with −1 are in no group.
    """
    topics, docs = np.nonzero(before >= 0)
    keys = topics * before.shape[1] + before[topics, docs]
    order = np.argsort(keys, kind="stable")
    _, starts, sizes = np.unique(keys[order], return_index=True, return_counts=True)
    for size in np.unique(sizes).tolist():
        members = order[starts[sizes == size][:, None] + np.arange(size)]
        yield ItemGroups(topics=topics[members[:, 0]], docs=docs[members])
