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
    """Seconds for one judgment, log-normal around a median that falls with practice on a topic.

    median_i = (seconds + choice·log2 G)·(i + 1)^(−learning) for the doc at position i = 0, 1, … of
    a topic. The defaults are assumptions. Set the parameters from a pilot study: `efficiency`
    reports ATBJ, the mean time between judgments.

    Attributes
    ----------
    seconds : float
        The median for the first doc of a topic.
    spread : float
        Standard deviation of the logarithm.
    learning : float
        The exponent of the power law of practice; 0: no learning.
    choice : float
        The increase for each doubling of the number of grades (Hick's law); 0: none.
    haste : float
        The time of an inattentive answer as a share of the usual time.
    pace : (float, float)
        The range of the factor of an assessor's times; the assessors of a group are spread evenly
        over it.
    topic_spread : float
        Standard deviation over topics of the logarithm of the factor of an assessor's times on one
        topic.
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
        """Return judging times; the assessors' means range from `fastest` to `slowest` seconds."""
        at_least("fastest", fastest, 0.0)
        at_least("slowest", slowest, fastest)
        middle = (fastest + slowest) / 2
        # The mean of a log-normal time is e^(spread²/2) times its median.
        return cls(
            seconds=middle * math.exp(-(spread**2) / 2),
            spread=spread,
            learning=0.0,
            haste=1.0,
            pace=(fastest / middle, slowest / middle) if middle else (1.0, 1.0),
        )

    def paces(self, assessors: int) -> FloatArray:
        """Return the factor by which each assessor's times are multiplied [assessor]."""
        low, high = self.pace
        return np.asarray(low + (high - low) * (np.arange(assessors) + 0.5) / assessors)


def judging_seconds(
    inattentive: ArrayLike, *, time: JudgingTime, levels: int, rng: np.random.Generator
) -> FloatArray:
    """Return the seconds that each judgment takes.

    Parameters
    ----------
    inattentive : array_like of bool, [..., position]
        Whether the assessor answered without reading; positions are counted within the topic.
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
