"""Habits of assessors: reading the topic, going back to a doc, taking breaks.

The effect sizes are assumptions for planning, not findings. Set them from a pilot study;
`efficiency` reports the necessary statistics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation.design import at_least


@dataclass(frozen=True, slots=True)
class Habits:
    """Habits of a group of assessors on a topic.

    Attributes
    ----------
    reading : float
        Median seconds for reading the topic before the first doc.
    reading_spread : float
        Standard deviation of their logarithm.
    second_looks : float
        The probability, after each doc except the first, of going back to an earlier doc.
    topic_spread : float
        Standard deviation over topics of the logarithm of that probability's factor.
    back : float
        The mean number of docs that the assessor goes back; at least 1.
    second_time : float
        The time of a second look as a share of the first look's time.
    breaks : float
        The probability, at each doc, of a break before answering.
    break_seconds : float
        Median seconds of such a break.
    """

    reading: float = 15.0
    reading_spread: float = 0.5
    second_looks: float = 0.05
    topic_spread: float = 0.0
    back: float = 3.0
    second_time: float = 0.5
    breaks: float = 0.005
    break_seconds: float = 900.0

    def __post_init__(self) -> None:
        for name in ("reading", "reading_spread", "topic_spread", "second_time", "break_seconds"):
            at_least(name, getattr(self, name), 0.0)
        at_least("back", self.back, 1.0)
        for name in ("second_looks", "breaks"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name}={getattr(self, name)!r}; expected a probability")


@dataclass(frozen=True, eq=False, slots=True)
class SessionLog:
    """The log of one assessor on one topic, in chronological order; every event is an answer.

    Attributes
    ----------
    place : ndarray of int, [event]
        The number of the doc, from 0, in the listed order.
    revision : ndarray of int, [event]
        1 for the first view of a doc, 2 for the next view, ….
    shown, judged : ndarray, [event]
        Seconds since the start of the topic at which the doc was shown, and answered.
    idle : ndarray, [event]
        The seconds of absence between the two.
    """

    place: IntArray
    revision: IntArray
    shown: FloatArray
    judged: FloatArray
    idle: FloatArray


#: The habits of an assessor who only judges.
NO_HABITS = Habits(reading=0.0, second_looks=0.0, breaks=0.0)


def session_log(seconds: FloatArray, habits: Habits, *, rng: np.random.Generator) -> SessionLog:
    """Return the log of an assessor who judges the docs of a topic.

    Docs are answered in the listed order. After some docs, the assessor goes back, answers an
    earlier doc again, and continues. A doc is shown at the time of the preceding answer; the first
    doc is shown at the start of the topic.

    Parameters
    ----------
    seconds : ndarray, [place]
        The time of the first look at each doc.
    habits : Habits
        The habits of the assessor.
    rng : Generator
        The random numbers.

    Returns
    -------
    SessionLog
        The log, empty if there is no doc.
    """
    count = seconds.size
    deviates = rng.standard_normal(3 * count + 1)
    spread = np.exp(0.5 * deviates)
    chance, breaks = rng.random((2, count))
    lag = rng.geometric(1 / habits.back, size=count)
    place = np.arange(count)
    looks = habits.second_looks * np.exp(habits.topic_spread * rng.standard_normal())
    again = np.flatnonzero((chance < looks) & (place > 0))
    target = np.maximum(again - lag[again], 0)
    # A second look comes after the doc that the assessor goes back from, before the next one.
    order = np.argsort(np.concatenate([2 * place, 2 * again + 1]), kind="stable")
    visited = np.concatenate([place, target])[order]
    active = np.concatenate(
        [seconds, habits.second_time * seconds[target] * spread[:count][again]]
    )[order]
    if count:
        active[0] += habits.reading * np.exp(habits.reading_spread * deviates[-1])
    away = (breaks < habits.breaks) * habits.break_seconds * spread[count : 2 * count]
    idle = np.concatenate([away, np.zeros(again.size)])[order]
    judged = np.cumsum(active + idle)
    return SessionLog(
        place=visited,
        revision=_times_seen(visited),
        shown=np.concatenate([[0.0], judged[:-1]])[: visited.size],
        judged=judged,
        idle=idle,
    )


def _times_seen(visited: IntArray) -> IntArray:
    """Return the number of visits to each place so far, including the current visit."""
    order = np.argsort(visited, kind="stable")
    ordered = visited[order]
    first = np.searchsorted(ordered, ordered)
    seen = np.empty(visited.size, dtype=np.int64)
    seen[order] = np.arange(visited.size) - first + 1
    return seen
