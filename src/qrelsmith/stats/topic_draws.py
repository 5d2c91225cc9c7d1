"""Topics drawn again: the one place where topics are resampled.

What is drawn follows from the seed, the kind of draw and the sorted names of the topics, and from
nothing else: not from labels, their names or what else is asked. So a question has the same draws
wherever it is asked, and all that is compared on the same topics shares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from qrelsmith.arrays import FloatArray
from qrelsmith.errors import UndefinedError, UsageError, quoted
from qrelsmith.rng import rng_for
from qrelsmith.stats.inputs import positive_count
from qrelsmith.stats.resampling import resample_counts

DRAWS, SPLITS = 1000, 200


@dataclass(frozen=True, slots=True, eq=False)
class TopicDraws:
    """Weights of topics: as they are, drawn again, and in random disjoint halves.

    Attributes
    ----------
    drawn : float array, shape (draws, topics)
        How often each topic stands in a bootstrap sample of as many topics as there are.
    first, second : float array, shape (splits, topics)
        1 for the topics of a half, else 0: two disjoint halves of ⌊T/2⌋ topics each, so that one of
        an odd number of topics is in neither.
    """

    drawn: FloatArray
    first: FloatArray
    second: FloatArray

    @property
    def half(self) -> int:
        """The number of topics in a half."""
        return int(self.first.shape[1]) // 2

    def stacked(self) -> FloatArray:
        """All topics once, then the samples, the first halves and the second [row, topic]."""
        whole = np.ones((1, self.drawn.shape[1]))
        return np.concatenate([whole, self.drawn, self.first, self.second])


def topic_draws(
    topics: Sequence[str], *, seed: int, draws: int = DRAWS, splits: int = SPLITS
) -> TopicDraws:
    """Bootstrap samples and disjoint halves of a set of topics.

    Parameters
    ----------
    topics : sequence of str
        Names of topics, each once; the columns of what comes back are in their order.
    seed : int
        The seed.
    draws, splits : int
        How many samples and pairs of halves. The first of a longer series are the shorter one.

    Returns
    -------
    TopicDraws
        The same for the same names and seed, whatever their order.

    Raises
    ------
    UndefinedError
        If there are fewer than two topics.
    UsageError
        If a topic is named twice, or draws or splits is no whole number of 1 or more.

    Examples
    --------
    >>> topic_draws(["a", "b", "c"], seed=0, draws=2).drawn.sum(axis=1)
    array([3., 3.])
    """
    names = [str(topic) for topic in topics]
    ordered = sorted(names)
    for name, following in pairwise(ordered):
        if name == following:
            raise UsageError(f"the topic {quoted(name)} is named twice; expected each once")
    if len(names) < 2:
        raise UndefinedError(f"topics are drawn again: 2 or more are needed, not {len(names)}")
    sorted_draws = _of_sorted(
        tuple(ordered),
        seed=seed,
        draws=positive_count(draws, name="draws"),
        splits=positive_count(splits, name="splits"),
    )
    if names == ordered:
        return sorted_draws
    place = {name: column for column, name in enumerate(ordered)}
    columns = [place[name] for name in names]
    return TopicDraws(
        drawn=sorted_draws.drawn[:, columns],
        first=sorted_draws.first[:, columns],
        second=sorted_draws.second[:, columns],
    )


@lru_cache(maxsize=64)
def _of_sorted(topics: tuple[str, ...], *, seed: int, draws: int, splits: int) -> TopicDraws:
    """The draws of topics in the order of their names; an audit asks for them hundreds of times."""
    count = len(topics)
    drawn = resample_counts(rng_for(seed, "topics", "bootstrap", *topics), draws, count)
    keys = rng_for(seed, "topics", "halves", *topics).random((splits, count))
    places = keys.argsort(axis=1)
    halves = np.zeros((2, splits, count))
    rows = np.arange(splits)[:, None]
    half = count // 2
    halves[0, rows, places[:, :half]] = 1.0
    halves[1, rows, places[:, half : 2 * half]] = 1.0
    found = TopicDraws(drawn.astype(np.float64), halves[0], halves[1])
    for array in (found.drawn, found.first, found.second):
        array.flags.writeable = False
    return found
