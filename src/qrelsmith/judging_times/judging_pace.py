"""Pace of judging: the time that a judgment takes, hours to go, and a date.

The seconds of a judgment are the intervals of which ATBJ is the mean (ordering-gold-bronze,
section 4).
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

# Fewer intervals say little of how long the next ones take.
ENOUGH = 20
# How many days back the pace is looked at.
WINDOW_DAYS = 7.0
_SECONDS_A_DAY, _SECONDS_AN_HOUR = 86_400.0, 3600.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between two judgments.

    Attributes
    ----------
    count : int
        How many intervals were measured.
    median, low, high : float
        Their quartiles, in seconds: the middle one, the first and the third; nan without any.
    mean : float
        Their mean, in seconds; nan without any.
    """

    count: int = 0
    median: float = math.nan
    low: float = math.nan
    high: float = math.nan
    mean: float = math.nan

    @property
    def is_enough(self) -> bool:
        """Whether so many were measured that a forecast may stand on them."""
        return self.count >= ENOUGH


@dataclass(frozen=True, slots=True)
class Forecast:
    """Hours of work that some docs will take.

    Attributes
    ----------
    docs : int
        How many docs are left.
    median, low, high, mean : float
        Hours if every doc takes the median, first and third quartile, and the mean of the seconds
        measured. The mean is what a sum comes to in the long run; a few slow docs pull it above the
        median.
    without : int
        Docs of these for whose assessors nothing was measured; they are not in the hours.
    """

    docs: int = 0
    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    mean: float = 0.0
    without: int = 0

    def __add__(self, other: Forecast) -> Forecast:
        """Both together."""
        return Forecast(
            docs=self.docs + other.docs,
            median=self.median + other.median,
            low=self.low + other.low,
            high=self.high + other.high,
            mean=self.mean + other.mean,
            without=self.without + other.without,
        )


def judging_seconds(efficiency: JudgingEfficiency, *, by: str) -> dict[str, FloatArray]:
    """Return the intervals between judgments, by what tells the sessions apart; sorted.

    Those above the cap are left out, as in ATBJ, and so are sessions of which a time is missing.

    Parameters
    ----------
    efficiency : JudgingEfficiency
        The sessions.
    by : str
        One of `KEYS`; sessions without such a name are left out.
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
    """Return the pace that some intervals show.

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
    """Return the hours that some docs will take at a pace.

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
    """Return the hours that every assessor's docs will take.

    An assessor of whom fewer than `ENOUGH` intervals were measured is taken to be as fast as the
    group; where the group has too few as well, as everybody; where that is too little as well, the
    little there is serves.

    Parameters
    ----------
    left : mapping of str to int
        How many docs each assessor has to judge.
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
    """How many docs are judged a day, of late.

    Attributes
    ----------
    docs : int
        How many were judged in the window.
    days : float
        How long the window is: `WINDOW_DAYS`, or since the first judgment if that is less.
    """

    docs: int = 0
    days: float = 0.0

    @property
    def a_day(self) -> float:
        """Docs a day; nan where less than a day was seen, or too few docs."""
        if self.days < 1 or self.docs < ENOUGH:
            return math.nan
        return self.docs / self.days

    def days_for(self, docs: int) -> float:
        """Return the days that so many docs take at this rate; nan where undefined."""
        return 0.0 if docs == 0 else docs / self.a_day


def judging_rate(times: TimeArray, now: np.datetime64) -> Rate:
    """Return how many docs are judged a day.

    Parameters
    ----------
    times : datetime64 array [judgment]
        When docs were judged for the first time.
    now : datetime64
        The end of the window.
    """
    if not times.size:
        return Rate()
    ago = (now - times) / np.timedelta64(1, "s") / _SECONDS_A_DAY
    return Rate(int((ago <= WINDOW_DAYS).sum()), min(WINDOW_DAYS, max(float(ago.max()), 0.0)))


def _concatenate(parts: list[FloatArray]) -> FloatArray:
    return np.concatenate(parts) if parts else np.empty(0)
