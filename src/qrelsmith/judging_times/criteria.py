"""The criteria of efficiency: TJ1D, TF1RH, TF1H, ATBJ and NREJ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.judging_times.caps import PAPER_CAPS, Caps
from qrelsmith.judging_times.intervals import intervals
from qrelsmith.judging_times.logs import JudgingLog

CRITERIA = ("TJ1D", "TF1RH", "TF1H", "ATBJ", "NREJ")


@dataclass(frozen=True, slots=True, eq=False)
class Criteria:
    """The criteria of every session.

    Attributes
    ----------
    values : float array [session, criterion]
        In the order of `CRITERIA`: seconds, and for NREJ a count; nan where undefined.
    dropped : int array [session, criterion]
        How many values, for ATBJ intervals, were above a cap.
    docs : int array [session]
        How many docs were judged.
    timed : bool array [session]
        Whether every judgment of the session has a time.
    """

    values: FloatArray
    dropped: IntArray
    docs: IntArray
    timed: BoolArray

    def of(self, criterion: str) -> FloatArray:
        """Return the values of one criterion [session]."""
        return self.values[:, CRITERIA.index(criterion)]


def criteria(log: JudgingLog, *, relevant: float, high: float, caps: Caps = PAPER_CAPS) -> Criteria:
    """Return the efficiency of every session.

    Parameters
    ----------
    log : JudgingLog
        What the assessors did.
    relevant, high : float
        The grades from which on a doc is relevant, and highly relevant.
    caps : Caps
        What is longer is dropped; a time that equals its cap is kept.

    Returns
    -------
    Criteria
        TJ1D, time to judge the first document, is counted from opening the topic to its earliest
        judgment; TF1RH and TF1H to the earliest one that calls a doc relevant, or highly relevant,
        even if it was taken back later. ATBJ is the mean of the intervals between the times at
        which docs were first judged, without those above the cap; a correction in between is part
        of its interval. NREJ is how many times a label was changed to a different one.

        nan, and no time: where the session lacks any judgment's time (the missing one may be the
        first), where it is not known when the topic was opened, or not before the first judgment
        (ATBJ needs neither); where no doc was found relevant; for ATBJ of fewer than two docs, or
        with every interval above the cap. NREJ is nan where the log does not hold the revisions,
        and for a session without judgments.

    Notes
    -----
    ordering-gold-bronze, section 4. There the caps are 3 minutes for TJ1D and ATBJ, and 10 minutes
    for TF1RH and TF1H.

    Examples
    --------
    >>> log = JudgingLog(
    ...     session=np.zeros(3, int),
    ...     doc=np.array([0, 1, 2]),
    ...     grade=np.array([0.0, 1.0, 2.0]),
    ...     at=np.array([40.0, 60.0, 90.0]),
    ...     opened=np.zeros(1),
    ...     revisions_kept=True,
    ... )
    >>> criteria(log, relevant=1, high=2).values.tolist()
    [[40.0, 60.0, 90.0, 25.0, 0.0]]
    """
    sessions = log.sessions
    pair = log.session * (int(log.doc.max(initial=0)) + 1) + log.doc
    _, first = np.unique(pair, return_index=True)
    docs = np.bincount(log.session[first], minlength=sessions)
    lacking = np.bincount(log.session, weights=np.isnan(log.at), minlength=sessions)
    timed = (lacking == 0) & (docs > 0)
    values = np.full((sessions, len(CRITERIA)), np.nan)
    dropped = np.zeros(values.shape, dtype=np.int64)

    begun = _earliest(log, np.ones(len(log), dtype=bool))
    opened = np.where(timed & (log.opened <= begun), log.opened, np.nan)
    found = (begun, _earliest(log, log.grade >= relevant), _earliest(log, log.grade >= high))
    for column, (at, cap) in enumerate(
        zip(found, (caps.judgment, caps.found, caps.found), strict=True)
    ):
        elapsed = at - opened
        long = elapsed > cap
        values[:, column] = np.where(long, np.nan, elapsed)
        dropped[:, column] = long
    values[:, 3], dropped[:, 3] = _between_judgments(log, timed, caps.judgment)
    if log.revisions_kept:
        values[:, 4] = np.where(docs > 0, _changes(log, pair), np.nan)
    return Criteria(values=values, dropped=dropped, docs=docs, timed=timed)


def _earliest(log: JudgingLog, kept: BoolArray) -> FloatArray:
    """Return the earliest known time of some judgments [session], nan where undefined."""
    times = np.full(log.sessions, np.inf)
    known = kept & ~np.isnan(log.at)
    np.minimum.at(times, log.session[known], log.at[known])
    return np.where(np.isinf(times), np.nan, times)


def _between_judgments(
    log: JudgingLog, timed: BoolArray, cap: float
) -> tuple[FloatArray, IntArray]:
    """Return mean interval between first judgments, and how many were above the cap [session]."""
    between = intervals(log, timed=timed)
    short = between.select(between.seconds <= cap)
    total = np.bincount(short.session, weights=short.seconds, minlength=log.sessions)
    count = np.bincount(short.session, minlength=log.sessions)
    mean = np.full(log.sessions, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean, np.bincount(between.session, minlength=log.sessions) - count


def _changes(log: JudgingLog, pair: IntArray) -> FloatArray:
    """Return how many times a label was changed to a different one [session]."""
    order = np.argsort(pair, kind="stable")
    changed = (np.diff(pair[order]) == 0) & (np.diff(log.grade[order]) != 0)
    counts = np.bincount(log.session[order[1:]][changed], minlength=log.sessions)
    return counts.astype(np.float64)
