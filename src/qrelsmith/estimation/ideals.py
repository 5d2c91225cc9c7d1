"""The expected DCG of a topic's ideal ranking under uncertain grades."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.linear_measures import LinearMeasure

_MOST = 1 << 20  # most numbers in one table of counts; topics are handled in batches


def expected_ideals(
    measure: LinearMeasure, topic: IntArray, probability: FloatArray, topics: int
) -> tuple[FloatArray, FloatArray]:
    """Return the expected ideal DCG of each topic, and the contribution of each level of a unit.

    Parameters
    ----------
    topic : int array [unit]
        The topic of each unit, ascending.
    probability : float array [unit, level]
        Independent probabilities of the grades.
    topics : int
        Number of topics, including topics without units.

    Returns
    -------
    expected : float array [topic]
    added : float array [unit, level]
        Increase of the expectation if the unit has the level instead of the lowest.
    """
    depth = measure.depth
    discount = measure.discount[1:]
    steps = np.diff(measure.worth)
    expected, added = np.zeros(topics), np.zeros(probability.shape)
    # What a further doc adds when a and b docs are there already, on either side of it.
    place = np.add.outer(np.arange(depth), np.arange(depth))
    gain = np.where(place < depth, discount[np.minimum(place, depth - 1)], 0.0)
    sums = np.append(0.0, np.cumsum(discount))
    chance = np.cumsum(probability[:, ::-1], axis=1)[:, ::-1][:, 1:]  # of level 1, 2, … or better
    chance = np.clip(chance, 0.0, 1.0)
    sizes = np.bincount(topic, minlength=topics)
    first = np.cumsum(sizes) - sizes
    for some in _topic_batches(sizes, steps.size * depth):
        # [doc, topic, level − 1]; a topic with fewer docs than others is filled up with impossible.
        units = first[some] + np.arange(sizes[some].max())[:, None]
        is_there = units < (first + sizes)[some]
        units = np.where(is_there, units, 0)
        of_topics = chance[units] * is_there[:, :, None]
        before, after = _counts(of_topics, depth), _counts(of_topics[::-1], depth)[::-1]
        more = ((before[:-1] @ gain) * after[1:]).sum(axis=-1)
        added[units[is_there], 1:] = np.cumsum(more * steps, axis=-1)[is_there]
        count = before[-1]  # [topic, level − 1, n], n below the cutoff
        full = 1.0 - count.sum(axis=-1)
        expected[some] = (count @ sums[:-1] + full * sums[-1]) @ steps
    return expected, added


def _topic_batches(sizes: IntArray, cells: int) -> Iterator[IntArray]:
    """Yield batches of topics of similar size, each of which fits into one table."""
    order = np.argsort(sizes, kind="stable")
    order = order[sizes[order] > 0]
    begin = 0
    while begin < order.size:
        end = begin + 1
        while end < order.size and (end + 1 - begin) * (sizes[order[end]] + 1) * cells <= _MOST:
            end += 1
        yield order[begin:end]
        begin = end


def _counts(chance: FloatArray, depth: int) -> FloatArray:
    """Return distributions of the number of docs at a level [docs so far, ..., count < depth].

    Parameters
    ----------
    chance : float array [doc, ...]
        Probability that each doc has this level or a higher level.
    depth : int
        Counts of at least the depth are left out.
    """
    distribution = np.zeros((len(chance) + 1, *chance.shape[1:], depth))
    distribution[0, ..., 0] = 1.0
    for doc, of_doc in enumerate(chance):
        p = of_doc[..., None]
        distribution[doc + 1] = distribution[doc] * (1.0 - p)
        distribution[doc + 1, ..., 1:] += distribution[doc, ..., :-1] * p
    return distribution
