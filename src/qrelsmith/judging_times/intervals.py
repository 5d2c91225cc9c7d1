"""The times between judgments, one by one: what ATBJ is the mean of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.judging_times.logs import JudgingLog


@dataclass(frozen=True, slots=True, eq=False)
class JudgingIntervals:
    """Times from one doc's first judgment to the next one's, inside a session.

    Attributes
    ----------
    session : int array [interval]
        The session of each; ascending.
    seconds : float array [interval]
        How long it took; those of one session in the order of time.
    """

    session: IntArray
    seconds: FloatArray

    def select(self, kept: BoolArray) -> JudgingIntervals:
        """Return the intervals where `kept` is true."""
        return JudgingIntervals(self.session[kept], self.seconds[kept])


def intervals(log: JudgingLog, *, timed: BoolArray) -> JudgingIntervals:
    """Return the times between the first judgments of docs; a correction in between is part of one.

    Parameters
    ----------
    log : JudgingLog
        What the assessors did.
    timed : bool array [session]
        The sessions of which every judgment has a time; the others are left out.

    Notes
    -----
    ordering-gold-bronze, section 4: ATBJ is their mean, without those above the cap.
    """
    pair = log.session * (int(log.doc.max(initial=0)) + 1) + log.doc
    _, first = np.unique(pair, return_index=True)
    first = first[timed[log.session[first]]]
    first = first[np.lexsort((log.at[first], log.session[first]))]
    same = np.diff(log.session[first]) == 0
    return JudgingIntervals(log.session[first[1:]][same], np.diff(log.at[first])[same])
