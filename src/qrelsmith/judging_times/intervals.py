"""The intervals between judgments, whose mean is ATBJ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.judging_times.logs import JudgingLog


@dataclass(frozen=True, slots=True, eq=False)
class JudgingIntervals:
    """Times from one doc's first judgment to the next doc's first judgment, inside a session.

    Attributes
    ----------
    session : int array [interval]
        The session of each interval; ascending.
    seconds : float array [interval]
        The length of each interval; in order of time inside a session.
    """

    session: IntArray
    seconds: FloatArray

    def select(self, kept: BoolArray) -> JudgingIntervals:
        """Select the intervals for which `kept` is true."""
        return JudgingIntervals(self.session[kept], self.seconds[kept])


def intervals(log: JudgingLog, *, timed: BoolArray) -> JudgingIntervals:
    """Return the times between the first judgments of docs, including the time for corrections.

    Parameters
    ----------
    log : JudgingLog
        The log of the assessors' judgments.
    timed : bool array [session]
        The sessions with times for all judgments; other sessions are ignored.

    Notes
    -----
    In ordering-gold-bronze, section 4, ATBJ is the mean of the intervals not above the cap.
    """
    pair = log.session * (int(log.doc.max(initial=0)) + 1) + log.doc
    _, first = np.unique(pair, return_index=True)
    first = first[timed[log.session[first]]]
    first = first[np.lexsort((log.at[first], log.session[first]))]
    same = np.diff(log.session[first]) == 0
    return JudgingIntervals(log.session[first[1:]][same], np.diff(log.at[first])[same])
