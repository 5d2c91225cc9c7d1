"""Check of interval widths on the data themselves.

Two random halves of the topics give two values with two standard errors. If the standard errors are
correct, the difference in units of its standard error has standard deviation 1 over random splits.
A much larger value means that the intervals are too narrow.

If one half deviates in one direction, the other half deviates in the opposite direction. A
statistic can have a maximum, such as 1 for the agreement of two rankings. The difference between
halves then depends on the distance of the collection from this maximum. The mean of z² over
collections is 1, as expected. On a single collection, however, z² is nearly χ² with one degree of
freedom, which is below .67² in half of the collections. If two random thirds of the topics are
compared instead of halves, z² is ⅓ + ⅔·χ², which is typically .80².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.stats.population import FEWEST_TOPICS, PopulationInterval
from qrelsmith.stats.topic_draws import topic_halves

OnTopics = Callable[[IntArray], PopulationInterval]
"""Places of some topics, ascending → the interval that these topics alone give."""

LEAST_SPLITS = 100


@dataclass(frozen=True, slots=True, eq=False)
class SelfCheck:
    """The difference between two halves of the topics, in units of its standard error.

    Attributes
    ----------
    z : float array, shape (splits, ...)
        (θ_A − θ_B)/√(se_A² + se_B²) of each split; nan where a half has no value or no error, and
        where both halves have the same value and no error.
    deviation : float array, shape (...)
        √(mean z²) over the splits: near 1 if the errors are correct, above 1 if the errors are too
        small, and nan without a split.
    reason : str
        The reason if there is no deviation, otherwise empty.
    """

    z: FloatArray
    deviation: FloatArray
    reason: str = ""


def self_check(
    interval: OnTopics,
    topics: Sequence[str],
    *,
    seed: int = 0,
    splits: int = LEAST_SPLITS,
    parts: int = 2,
) -> SelfCheck:
    """Compare the values of random halves of the topics, in units of their standard errors.

    Parameters
    ----------
    interval : callable
        Function of the positions of a half's topics that returns their interval. All random draws
        must depend only on these topics.
    topics : sequence of str
        Names of all topics; they key the splits.
    seed : int
        The seed of the splits.
    parts : int
        2 compares two halves, and 3 compares two thirds. Use 3 for a statistic near its maximum.

    Returns
    -------
    SelfCheck
        Halves have ⌊T/2⌋ topics. There is no check for fewer than 16 topics (24 for thirds),
        because the parts would have no interval.

    Raises
    ------
    UndefinedError, UsageError
        As in `topic_halves`, and all errors of the interval.

    Notes
    -----
    All splits are of the same topics, so the deviation of a single value is uncertain by about a
    quarter. The mean over several label sets should be near 1.
    """
    halves = topic_halves(topics, seed=seed, splits=splits, parts=parts)
    if len(topics) < parts * FEWEST_TOPICS:
        nothing = np.full(0, math.nan)
        return SelfCheck(
            nothing,
            np.asarray(math.nan),
            f"{len(topics)} topics; expected {parts * FEWEST_TOPICS} or more,"
            f" {'half' if parts == 2 else f'1/{parts}'} of which have intervals",
        )
    z = []
    for first, second in zip(*halves, strict=True):
        one, other = interval(np.flatnonzero(first)), interval(np.flatnonzero(second))
        with np.errstate(invalid="ignore", divide="ignore"):
            z.append((one.value - other.value) / np.sqrt(one.se**2 + other.se**2))
    stacked = np.stack(z)
    known = ~np.isnan(stacked)
    with np.errstate(invalid="ignore"):
        mean = np.where(known, stacked**2, 0.0).sum(axis=0) / known.sum(axis=0)
    return SelfCheck(stacked, np.asarray(np.sqrt(mean)))
