"""The log of a simulated campaign: who answered what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, slots=True)
class Events:
    """Answers of assessors; arrays by event, sorted by group, assessor, topic and time.

    Attributes
    ----------
    topic, doc, assessor : ndarray of int
        Who judged what; an assessor's number counts through all groups.
    position : ndarray of int
        The doc's place in what was shown to the assessor, from 1.
    revision : ndarray of int
        1 for the first answer, more for later ones.
    grade : ndarray
        The answer, 0 … G − 1.
    shown, judged, idle : ndarray
        Seconds since the assessor opened the topic, and how many of those between nobody was there.
    inattentive : ndarray of bool
        Whether the answer was given without looking.
    """

    topic: IntArray
    doc: IntArray
    assessor: IntArray
    position: IntArray
    revision: IntArray
    grade: FloatArray
    shown: FloatArray
    judged: FloatArray
    idle: FloatArray
    inattentive: BoolArray

    @property
    def active(self) -> FloatArray:
        """The seconds of work behind each answer [event]."""
        return self.judged - self.shown - self.idle


def join_events(sessions: Sequence[Events]) -> Events:
    """Return the events of several sessions, none of them empty, sorted."""
    order = sorted(sessions, key=lambda one: (int(one.assessor[0]), int(one.topic[0])))
    return Events(
        *(np.concatenate([getattr(one, name) for one in order]) for name in Events.__slots__)
    )
