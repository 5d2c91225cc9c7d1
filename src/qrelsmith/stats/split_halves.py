"""Split-half consistency: rank correlation between two random halves of the topics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import ShapeError, UndefinedError, UsageError, quoted
from qrelsmith.base.rng import shuffle
from qrelsmith.stats.inputs import finite, positive_count
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack

_BLOCK = 1 << 22  # scores of systems in halves that are held at once


def random_halves(topics: Sequence[str], *, splits: int, seed: int) -> BoolArray:
    """Return random halves of a set of topics, determined by the topic names and the seed.

    Parameters
    ----------
    topics : sequence of str
        Names of topics, each once. Their order has no effect.
    splits : int
        The number B of splits. A longer series begins with the same splits as a shorter one.

    Returns
    -------
    bool array, shape (splits, topics)
        Whether a topic is in the first half of a split; of an odd number of topics, the first half
        has one more (25 topics: 13 and 12, as in ordering-gold-bronze 7.1).

    Raises
    ------
    UndefinedError
        If there are fewer than two topics.
    UsageError
        If a topic is named twice, or splits is not a whole number of 1 or more.

    Notes
    -----
    Split b takes the first ⌈n/2⌉ topics in the order of SHA-256(seed, "halves", b, topic), so that
    all label sets and measures share it.

    Examples
    --------
    >>> random_halves(["a", "b", "c"], splits=2, seed=0).sum(axis=1).tolist()
    [2, 2]
    """
    count = positive_count(splits, name="splits")
    place = {topic: number for number, topic in enumerate(topics)}
    if len(place) < len(topics):
        twice = next(topic for number, topic in enumerate(topics) if place[topic] != number)
        raise UsageError(f"the topic {quoted(twice)} is named twice; expected each topic once")
    if len(topics) < 2:
        raise UndefinedError(f"found {len(place)} topics; expected at least 2 to split into halves")
    return _halves(tuple(topics), splits=count, seed=seed).copy()


# An audit asks for the same halves for every label set and measure.
@lru_cache(maxsize=32)
def _halves(topics: tuple[str, ...], *, splits: int, seed: int) -> BoolArray:
    place = {topic: number for number, topic in enumerate(topics)}
    size = (len(topics) + 1) // 2
    halves = np.zeros((splits, len(topics)), dtype=bool)
    for split in range(splits):
        first = shuffle(topics, seed=seed, keys=("halves", split))[:size]
        halves[split, [place[topic] for topic in first]] = True
    return halves


def half_taus(scores: ArrayLike, halves: BoolArray) -> FloatArray:
    """Return, for every split, Kendall's τ-b between the rankings on the two halves.

    Parameters
    ----------
    scores : array_like, shape (topics, systems)
        One score per topic and system, without nan.
    halves : bool array, shape (splits, topics)
        Whether a topic is in the first half; neither half may be empty.

    Returns
    -------
    float array, shape (splits,)
        τ-b; nan if all systems tie on one half (such as a half of topics without relevant docs),
        or if there are fewer than two systems.

    Raises
    ------
    ShapeError
        If a score is nan or infinite, the topics do not fit, or a half is empty.

    Notes
    -----
    System means that are equal within 1e-12 are tied. A topic on which all systems have one score
    does not change any ranking.
    """
    array = finite(scores, name="scores", axes=("topic", "system"), ndim=2)
    inside = np.asarray(halves, dtype=bool)
    if inside.ndim != 2 or inside.shape[1] != array.shape[0]:
        raise ShapeError(
            f"halves must have the shape [split, {array.shape[0]} topics]; found {inside.shape}"
        )
    sizes = inside.sum(axis=1)
    if ((sizes == 0) | (sizes == inside.shape[1])).any():
        raise ShapeError("a half has no topics; expected topics in both halves")
    taus = np.empty(len(inside))
    step = max(1, _BLOCK // max(1, array.shape[1]))
    for start in range(0, len(inside), step):
        part = slice(start, start + step)
        means = [
            half.astype(np.float64) @ array / half.sum(axis=1, keepdims=True)
            for half in (inside[part], ~inside[part])
        ]
        taus[part] = kendall_tau_b_stack(*means)
    return taus
