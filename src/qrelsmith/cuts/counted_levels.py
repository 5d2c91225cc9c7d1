"""Aggregation of cut labels to one level per doc, computed from counts at each cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from qrelsmith.base.arrays import AnyArray, BoolArray
from qrelsmith.base.errors import UnknownNameError

Counts = Sequence[AnyArray]
"""[cut][...]: how many labels of each doc are not above the cut; whole numbers."""


def levels_above(not_above: Counts, size: AnyArray, by: str) -> list[BoolArray]:
    """Return whether the aggregate of the labels is above each cut [cut][...].

    The result is the same as cutting the labels, aggregating the levels and rounding down, but is
    computed from counts only.

    Parameters
    ----------
    not_above : sequence of ndarray of int, [cut][...]
        Number of labels not above each cut; the cuts ascend.
    size : ndarray of int, [...]
        Number of labels.
    by : str
        The registered name of an aggregation in `AGGREGATED_BY`.

    Returns
    -------
    list of ndarray of bool, [cut][...]
        Arbitrary if there are no labels.

    Raises
    ------
    UnknownNameError
        If the aggregation is unsupported.
    """
    if by in _PLACES:
        place = _PLACES[by](size)
        return [count < place for count in not_above]
    if by not in _LEVELS:
        raise UnknownNameError("aggregation", by, (*_PLACES, *_LEVELS))
    level = _LEVELS[by](not_above, size)
    return [level > cut for cut in range(len(not_above))]


# Index from 1 of the selected label, ascending: above a cut if fewer labels are not above it.
_PLACES: dict[str, Callable[[AnyArray], AnyArray]] = {
    "median": lambda size: (size + 1) // 2,
    "median-upper": lambda size: size // 2 + 1,
    "min": np.ones_like,
    "max": lambda size: size,
}


def _middle(not_above: Counts, size: AnyArray) -> AnyArray:
    low, high = _PLACES["median"](size), _PLACES["median-upper"](size)
    both = np.zeros_like(not_above[0])
    for count in not_above:
        both += count < low
        both += count < high
    return both // 2


def _most_frequent(not_above: Counts, size: AnyArray) -> AnyArray:
    """Return the most frequent level of the labels; if tied, the lowest."""
    level = np.zeros_like(not_above[0])
    most = not_above[0]
    for place, low in enumerate(not_above):
        high = not_above[place + 1] if place + 1 < len(not_above) else size
        here = high - low
        level = np.where(here > most, level.dtype.type(place + 1), level)
        most = np.maximum(most, here)
    return level


def _mean(not_above: Counts, size: AnyArray) -> AnyArray:
    total = np.zeros_like(not_above[0])
    for count in not_above:
        total += size - count
    return total // np.maximum(size, 1)


_LEVELS: dict[str, Callable[[Counts, AnyArray], AnyArray]] = {
    "median-mean": _middle,
    "majority": _most_frequent,
    "mean": _mean,
}
