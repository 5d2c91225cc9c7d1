"""How well a mean over topics is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrelsmith.arrays import FloatArray, float_array
from qrelsmith.errors import UsageError


class Interval(NamedTuple):
    """Lower and upper bounds, each of the shape of what they enclose; nan where undefined."""

    low: FloatArray
    high: FloatArray


def t_interval(scores: FloatArray, *, level: float = 0.95) -> Interval:
    """Student's t interval of means over the last axis.

    Parameters
    ----------
    scores : float array [..., topic]
        Scores; nan is left out.
    level : float
        The coverage, between 0 and 1.

    Returns
    -------
    Interval
        Bounds [...]: mean ± t_{n−1, (1+level)/2} · s/√n; nan with fewer than two scores.

    Raises
    ------
    UsageError
        If the level is not between 0 and 1.
    """
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise UsageError(f"the level is {level}; expected a number between 0 and 1")
    values = float_array(scores, name="scores")
    counted = ~np.isnan(values)
    count = counted.sum(axis=-1)
    enough = count >= 2
    safe = np.where(enough, count, 2)
    mean = np.where(counted, values, 0.0).sum(axis=-1) / safe
    squares = np.where(counted, (values - mean[..., None]) ** 2, 0.0).sum(axis=-1)
    half = stdtrit(safe - 1, (1 + level) / 2) * np.sqrt(squares / (safe - 1) / safe)
    return Interval(
        low=np.where(enough, mean - half, np.nan), high=np.where(enough, mean + half, np.nan)
    )
