"""The log of a simulated campaign: who gave which answer, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, slots=True)
class Events:
    """Answers of assessors as arrays, sorted by group, assessor, topic and time.

    Attributes
    ----------
    topic, doc, assessor : ndarray of int
        The topic, the doc and the assessor's number, which counts through all groups.
    position : ndarray of int
        The doc's place in the assessor's order, from 1.
    revision : ndarray of int
        1 for the first answer, more for later ones.
    grade : ndarray
        The answer, 0 … G − 1.
    shown, judged, idle : ndarray
        Seconds since the assessor started the topic, and the seconds of absence between the two.
    inattentive : ndarray of bool
        Whether the answer was given without reading.
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
        """The seconds of work for each answer [event]."""
        return self.judged - self.shown - self.idle


def join_events(sessions: Sequence[Events]) -> Events:
    """Return the events of several non-empty sessions, sorted."""
    order = sorted(sessions, key=lambda one: (int(one.assessor[0]), int(one.topic[0])))
    return Events(
        *(np.concatenate([getattr(one, name) for one in order]) for name in Events.__slots__)
    )
