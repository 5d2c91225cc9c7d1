"""The registry of the statistics that a gate compares (figures), each with a margin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.gates.paired_judges import BASELINE, NEW, PairedJudges
from qrelsmith.stats.population import PopulationInterval, jackknife_interval


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """A figure for both judges, with paired intervals.

    Attributes
    ----------
    baseline, new : float
        The value for each judge; nan where undefined.
    difference : PopulationInterval
        Improvement of the new judge; positive is better.
    alone : PopulationInterval
        The new judge's value.
    reason : str
        Reason for a missing value or interval; otherwise empty.
    """

    baseline: float
    new: float
    difference: PopulationInterval
    alone: PopulationInterval
    reason: str = ""


class GateFigure(Protocol):
    """The interface of a registered figure."""

    def __call__(self, judges: PairedJudges) -> PairedFigure:
        """Return the figure for two judges, compared with human labels."""
        ...


FIGURES: Registry[GateFigure] = Registry(
    "figure of a gate",
    arguments=("judges",),
    facts={
        # How much worse the new judge may be.
        "margin": REQUIRED,
        # Whether it needs runs.
        "of_runs": False,
        # Whether more is better, so that a bound of its own (`--at-least`) has a meaning.
        "more_is_better": True,
        "place": REQUIRED,
    },
)

Better = Callable[[FloatArray, FloatArray], FloatArray]
"""values of the baseline, of the new judge → how much better the new one is"""


def larger_is_better(baseline: FloatArray, new: FloatArray) -> FloatArray:
    """Return new − baseline."""
    return np.asarray(new - baseline)


def smaller_is_better(baseline: FloatArray, new: FloatArray) -> FloatArray:
    """Return how much closer to 0 the new value is than the baseline."""
    return np.asarray(np.abs(baseline) - np.abs(new))


def jackknife_figure(
    values: FloatArray,
    without: FloatArray,
    *,
    better: Better = larger_is_better,
    over: str = "topics",
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> PairedFigure:
    """Return a figure with jackknife intervals.

    Parameters
    ----------
    values : float array [judge]
        The figure for the baseline and for the new judge.
    without : float array [judge, unit]
        The same values with each topic, or each block of docs, left out.
    better : callable
        Function that computes the difference.
    over : str
        Kind of the units.
    bounds : (float, float)
        The minimum and maximum of the figure.
    """
    found = jackknife_interval(
        np.stack([better(values[BASELINE], values[NEW]), values[NEW]]),
        np.stack([better(without[BASELINE], without[NEW]), without[NEW]]),
        over=over,
    )
    return paired_figure(values, found, bounds=bounds)


def paired_figure(
    values: FloatArray, intervals: PopulationInterval, *, bounds: tuple[float, float]
) -> PairedFigure:
    """Return a figure from its values and the intervals of [difference, new value]."""
    alone = intervals.part(1)
    least, largest = bounds
    alone = replace(
        alone, low=np.maximum(alone.low, least), high=np.minimum(alone.high, largest)
    )  # fmt: skip
    return PairedFigure(
        float(values[BASELINE]), float(values[NEW]), intervals.part(0), alone, intervals.reason
    )
