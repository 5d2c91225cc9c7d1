"""Habits of assessors: what they do besides looking at one doc after the other.

Reading the topic, going back to a doc, leaving the desk: the sizes are assumptions to plan with,
not findings; set them from a pilot (`efficiency` reports what they follow from).
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
        Median seconds for reading the topic, which come before the first doc.
    reading_spread : float
        Standard deviation of their logarithm.
    second_looks : float
        The probability, after each doc but the first, of going back to an earlier one.
    topic_spread : float
        Standard deviation, over topics, of the logarithm of what that probability is multiplied by.
    back : float
        How many docs back that one stands, on average; at least 1.
    second_time : float
        The share of a first look's time that a second look takes.
    breaks : float
        The probability, at each doc, of leaving the desk before answering.
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
    """The log of one assessor on one topic, in the order of time; every event is an answer.

    Attributes
    ----------
    place : ndarray of int, [event]
        Which of the docs was answered, counted from 0 in the order in which they are listed.
    revision : ndarray of int, [event]
        1 for the first look at a doc, 2 for the next one, ….
    shown, judged : ndarray, [event]
        Seconds since the topic was opened: when the doc was on the screen, and the answer given.
    idle : ndarray, [event]
        The seconds between them in which nobody was there.
    """

    place: IntArray
    revision: IntArray
    shown: FloatArray
    judged: FloatArray
    idle: FloatArray


#: Habits of somebody who does nothing but judge.
NO_HABITS = Habits(reading=0.0, second_looks=0.0, breaks=0.0)


def session_log(seconds: FloatArray, habits: Habits, *, rng: np.random.Generator) -> SessionLog:
    """Return the log of an assessor who goes through the docs of a topic.

    Docs are answered in the order in which they are listed. After some of them the assessor goes
    back, answers an earlier doc again, and goes on. A doc is shown when the answer before it is
    given; the first one when the topic is opened.

    Parameters
    ----------
    seconds : ndarray, [place]
        How long a first look at each doc takes.
    habits : Habits
        What is done besides.
    rng : Generator
        The random numbers.

    Returns
    -------
    SessionLog
        Empty where there is no doc.
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
    # A second look comes between the doc after which it is taken and the next one.
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
    """Return how often each place has been visited so far, this visit included."""
    order = np.argsort(visited, kind="stable")
    ordered = visited[order]
    first = np.searchsorted(ordered, ordered)
    seen = np.empty(visited.size, dtype=np.int64)
    seen[order] = np.arange(visited.size) - first + 1
    return seen
