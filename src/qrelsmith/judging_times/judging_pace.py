"""Pace of judging: time per judgment, remaining hours, and expected end date.

The time per judgment is an interval as in ATBJ, which is the mean of the intervals
(ordering-gold-bronze, section 4).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.io.times import TimeArray
from qrelsmith.judging_times import intervals
from qrelsmith.judging_times.judging_efficiency import JudgingEfficiency
from qrelsmith.judgments.environments import KEYS

# Fewer intervals are not enough to predict the next ones.
ENOUGH = 20
# Number of past days in the window of the rate.
WINDOW_DAYS = 7.0
_SECONDS_A_DAY, _SECONDS_AN_HOUR = 86_400.0, 3600.0


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of judging: seconds between two judgments.

    Attributes
    ----------
    count : int
        Number of measured intervals.
    median, low, high : float
        Median, first and third quartile of the intervals, in seconds; nan without intervals.
    mean : float
        Mean of the intervals, in seconds; nan without intervals.
    """

    count: int = 0
    median: float = math.nan
    low: float = math.nan
    high: float = math.nan
    mean: float = math.nan

    @property
    def is_enough(self) -> bool:
        """Whether there are enough intervals for a forecast."""
        return self.count >= ENOUGH


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected hours of work for a number of docs.

    Attributes
    ----------
    docs : int
        Number of remaining docs.
    median, low, high, mean : float
        Hours if every doc takes the median, the first or third quartile, or the mean of the
        measured seconds. The mean gives the expected sum; a few slow docs raise the mean above the
        median.
    without : int
        Number of these docs whose assessors have no measurements; the hours exclude these docs.
    """

    docs: int = 0
    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    mean: float = 0.0
    without: int = 0

    def __add__(self, other: Forecast) -> Forecast:
        """Return the sum of both forecasts."""
        return Forecast(
            docs=self.docs + other.docs,
            median=self.median + other.median,
            low=self.low + other.low,
            high=self.high + other.high,
            mean=self.mean + other.mean,
            without=self.without + other.without,
        )


def judging_seconds(efficiency: JudgingEfficiency, *, by: str) -> dict[str, FloatArray]:
    """Return the intervals between judgments, grouped by a property of the sessions.

    As in ATBJ, intervals above the cap and sessions with a missing time are left out.

    Parameters
    ----------
    efficiency : JudgingEfficiency
        The sessions.
    by : str
        One of `KEYS`; sessions without this property are left out.
    """
    found = intervals(efficiency.logged.log, timed=efficiency.criteria.timed)
    short = found.select(found.seconds <= efficiency.caps.judgment)
    names = np.array([KEYS[by](session) for session in efficiency.sessions], dtype=object)
    of = names[short.session]
    return {
        name: short.seconds[of == name]
        for name in sorted(set(names.tolist()) - {""})
        if (of == name).any()
    }


def pace_of(seconds: FloatArray) -> Pace:
    """Compute the pace from intervals.

    Examples
    --------
    >>> pace_of(np.array([4.0, 8.0, 10.0, 12.0, 90.0]))
    Pace(count=5, median=10.0, low=8.0, high=12.0, mean=24.8)
    """
    if not seconds.size:
        return Pace()
    low, median, high = np.quantile(seconds, [0.25, 0.5, 0.75]).tolist()
    return Pace(seconds.size, median, low, high, float(seconds.mean()))


def forecast(docs: int, pace: Pace) -> Forecast:
    """Forecast the hours for a number of docs at a pace.

    Examples
    --------
    >>> forecast(360, Pace(count=50, median=10.0, low=5.0, high=20.0, mean=15.0))
    Forecast(docs=360, median=1.0, low=0.5, high=2.0, mean=1.5, without=0)
    """
    if not pace.count:
        return Forecast(docs=docs, without=docs)
    each = docs / _SECONDS_AN_HOUR
    return Forecast(docs, each * pace.median, each * pace.low, each * pace.high, each * pace.mean)


def forecast_of_assessors(
    left: Mapping[str, int], seconds: Mapping[str, FloatArray], groups: Mapping[str, str]
) -> dict[str, Forecast]:
    """Forecast the hours for every assessor's docs.

    An assessor with fewer than `ENOUGH` measured intervals gets the pace of the group. If the group
    also has too few intervals, the assessor gets the pace of all assessors.

    Parameters
    ----------
    left : mapping of str to int
        Number of docs that each assessor has to judge.
    seconds : mapping of str to float array
        The intervals of each assessor.
    """
    everybody = pace_of(_concatenate(list(seconds.values())))
    of_groups = {
        group: pace_of(
            _concatenate([s for name, s in seconds.items() if groups.get(name) == group])
        )
        for group in set(groups.values())
    }
    result = {}
    for name, docs in left.items():
        own = pace_of(seconds.get(name, np.empty(0)))
        group = of_groups.get(groups.get(name, ""), Pace())
        known = [pace for pace in (own, group, everybody) if pace.is_enough]
        result[name] = forecast(docs, known[0] if known else everybody)
    return result


@dataclass(frozen=True, slots=True)
class Rate:
    """The recent number of judged docs per day.

    Attributes
    ----------
    docs : int
        Number of docs judged in the window.
    days : float
        Length of the window: `WINDOW_DAYS`, or the time since the first judgment if that is less.
    """

    docs: int = 0
    days: float = 0.0

    @property
    def a_day(self) -> float:
        """Docs per day; nan if the period is shorter than a day or has too few docs."""
        if self.days < 1 or self.docs < ENOUGH:
            return math.nan
        return self.docs / self.days

    def days_for(self, docs: int) -> float:
        """Return the number of days for some docs at this rate; nan if the rate is unknown."""
        return 0.0 if docs == 0 else docs / self.a_day


def judging_rate(times: TimeArray, now: np.datetime64) -> Rate:
    """Compute the number of docs judged per day.

    Parameters
    ----------
    times : datetime64 array [judgment]
        The times of the first judgments of docs.
    now : datetime64
        The end of the window.
    """
    if not times.size:
        return Rate()
    ago = (now - times) / np.timedelta64(1, "s") / _SECONDS_A_DAY
    return Rate(int((ago <= WINDOW_DAYS).sum()), min(WINDOW_DAYS, max(float(ago.max()), 0.0)))


def _concatenate(parts: list[FloatArray]) -> FloatArray:
    return np.concatenate(parts) if parts else np.empty(0)
