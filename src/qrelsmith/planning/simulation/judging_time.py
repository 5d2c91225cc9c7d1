"""The time that a judgment takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation.design import at_least, check_range


@dataclass(frozen=True, slots=True)
class JudgingTime:
    """Seconds for one judgment, log-normal around a median that falls while a topic is learnt.

    median_i = (seconds + choice·log2 G)·(i + 1)^(−learning) for the doc at position i = 0, 1, … of
    a topic. The defaults are assumptions; set them from a pilot (`efficiency` reports ATBJ, the
    mean time between judgments).

    Attributes
    ----------
    seconds : float
        The median for the first doc of a topic.
    spread : float
        Standard deviation of the logarithm.
    learning : float
        The exponent of the power law of practice; 0: no learning.
    choice : float
        What each doubling of the number of grades adds (Hick's law); 0: nothing.
    haste : float
        The share of the time that an inattentive answer takes.
    pace : (float, float)
        The range of what an assessor's times are multiplied by; the assessors of a group are spread
        over it evenly.
    topic_spread : float
        Standard deviation, over topics, of the logarithm of what an assessor's times on one topic
        are multiplied by.
    """

    seconds: float = 25.0
    spread: float = 0.7
    learning: float = 0.1
    choice: float = 0.0
    haste: float = 0.2
    pace: tuple[float, float] = (1.0, 1.0)
    topic_spread: float = 0.0

    def __post_init__(self) -> None:
        for name in ("seconds", "spread", "learning", "choice", "haste", "topic_spread"):
            at_least(name, getattr(self, name), 0.0)
        check_range("pace", self.pace, least=0.0)

    @classmethod
    def between(cls, fastest: float, slowest: float, *, spread: float = 0.7) -> JudgingTime:
        """Return times whose mean is `fastest` to `slowest` seconds by assessor."""
        at_least("fastest", fastest, 0.0)
        at_least("slowest", slowest, fastest)
        middle = (fastest + slowest) / 2
        # The mean of a log-normal time is e^(spread²/2) of its median.
        return cls(
            seconds=middle * math.exp(-(spread**2) / 2),
            spread=spread,
            learning=0.0,
            haste=1.0,
            pace=(fastest / middle, slowest / middle) if middle else (1.0, 1.0),
        )

    def paces(self, assessors: int) -> FloatArray:
        """By what the times of each of some assessors are multiplied [assessor]."""
        low, high = self.pace
        return np.asarray(low + (high - low) * (np.arange(assessors) + 0.5) / assessors)


def judging_seconds(
    inattentive: ArrayLike, *, time: JudgingTime, levels: int, rng: np.random.Generator
) -> FloatArray:
    """Return the seconds that each judgment takes.

    Parameters
    ----------
    inattentive : array_like of bool, [..., position]
        Where the assessor did not look; positions are counted within the topic.
    time : JudgingTime
        The parameters.
    levels : int
        G, the number of grades to choose from.
    rng : Generator
        The random numbers.
    """
    if levels < 1:
        raise UsageError(f"levels={levels!r}; expected 1 or more")
    careless = float_array(inattentive, name="inattentive")
    place = np.arange(1.0, careless.shape[-1] + 1.0)
    median = (time.seconds + time.choice * np.log2(levels)) * place**-time.learning
    drawn = median * np.exp(time.spread * rng.standard_normal(careless.shape))
    return np.asarray(np.where(careless > 0, time.haste, 1.0) * drawn)
