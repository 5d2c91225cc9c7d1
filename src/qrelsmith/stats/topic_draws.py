"""Resampling of topics, shared by all intervals.

Draws depend only on the seed, the kind of draw and the sorted names of the topics. Draws do not
depend on labels, names of label sets or other questions. All comparisons on the same topics
therefore use the same draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UndefinedError, UsageError, quoted
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.inputs import positive_count
from qrelsmith.stats.resampling import resample_counts

DRAWS, SPLITS = 1000, 200


def topic_samples(topics: Sequence[str], *, seed: int, draws: int = DRAWS) -> FloatArray:
    """Return bootstrap samples of a set of topics.

    Parameters
    ----------
    topics : sequence of str
        Names of topics, each once; the columns of the result have the same order.
    draws : int
        Number of samples. A longer series begins with the samples of a shorter series.

    Returns
    -------
    float array, shape (draws, topics)
        The number of times that each topic is in a sample of the original size. The same names and
        seed, in any order, always give the same samples.

    Raises
    ------
    UndefinedError
        If there are fewer than two topics.
    UsageError
        If a topic is named twice, or draws is not a whole number of 1 or more.

    Examples
    --------
    >>> topic_samples(["a", "b", "c"], seed=0, draws=2).sum(axis=1)
    array([3., 3.])
    """
    ordered, columns = _sorted(topics)
    count = positive_count(draws, name="draws")
    return np.asarray(_samples(ordered, seed=seed, draws=count)[:, columns])


def topic_halves(
    topics: Sequence[str], *, seed: int, splits: int = SPLITS, parts: int = 2
) -> FloatArray:
    """Return two random disjoint halves, or two disjoint thirds, of a set of topics.

    Parameters
    ----------
    topics, seed, splits
        As `topics`, `seed` and `draws` of `topic_samples`.
    parts : int
        2 for halves; of 3 parts and more two are drawn.

    Returns
    -------
    float array, shape (2, splits, topics)
        1 for the topics of a part, else 0. Each half has ⌊T/2⌋ of the T topics, so if T is odd, one
        topic is in neither half. (`random_halves` uses all topics.)

    Raises
    ------
    UndefinedError, UsageError
        As in `topic_samples`.

    Examples
    --------
    >>> first, second = topic_halves(["a", "b", "c"], seed=0, splits=4)
    >>> (first + second).sum(axis=1)
    array([2., 2., 2., 2.])
    """
    ordered, columns = _sorted(topics)
    count = positive_count(splits, name="splits")
    halves = _halves(ordered, seed=seed, splits=count, parts=positive_count(parts, name="parts"))
    return np.asarray(halves[:, :, columns])


def _sorted(topics: Sequence[str]) -> tuple[tuple[str, ...], list[int]]:
    """Return the sorted names, and the position of each given name among them."""
    names = [str(topic) for topic in topics]
    ordered = tuple(sorted(names))
    for name, following in pairwise(ordered):
        if name == following:
            raise UsageError(f"the topic {quoted(name)} is named twice; expected each topic once")
    if len(names) < 2:
        raise UndefinedError(f"found {len(names)} topics; expected at least 2 to resample")
    place = {name: column for column, name in enumerate(ordered)}
    return ordered, [place[name] for name in names]


# An audit asks for the same draws hundreds of times.
@lru_cache(maxsize=32)
def _samples(topics: tuple[str, ...], *, seed: int, draws: int) -> FloatArray:
    rng = rng_for(seed, "topics", "samples", *topics)
    return resample_counts(rng, draws, len(topics)).astype(np.float64)


@lru_cache(maxsize=32)
def _halves(topics: tuple[str, ...], *, seed: int, splits: int, parts: int) -> FloatArray:
    count = len(topics)
    keys = rng_for(seed, "topics", "halves", *topics).random((splits, count))
    places, rows, half = keys.argsort(axis=1), np.arange(splits)[:, None], count // max(parts, 2)
    halves = np.zeros((2, splits, count))
    halves[0, rows, places[:, :half]] = 1.0
    halves[1, rows, places[:, half : 2 * half]] = 1.0
    return halves
