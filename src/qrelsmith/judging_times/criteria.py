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
        The criteria in the order of `CRITERIA`: seconds, and a count for NREJ; nan if undefined.
    dropped : int array [session, criterion]
        Number of values above a cap; for ATBJ, number of intervals.
    docs : int array [session]
        Number of judged docs.
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
    """Compute the efficiency of every session.

    Parameters
    ----------
    log : JudgingLog
        The log of the assessors' judgments.
    relevant, high : float
        Lowest grades of relevant docs, and of highly relevant docs.
    caps : Caps
        Longer times are dropped; a time equal to its cap is kept.

    Returns
    -------
    Criteria
        TJ1D, the time to judge the first document, is measured from the opening of the topic to the
        topic's earliest judgment. TF1RH and TF1H end at the earliest judgment as relevant, or
        highly relevant, even if that judgment was withdrawn later. ATBJ is the mean of the
        intervals between the first judgments of docs, without intervals above the cap. The time of
        a correction is part of the interval that contains it. NREJ is the number of changes of a
        label to a different label.

        Times are nan if any judgment of the session has no time, because that judgment may be the
        first. Except for ATBJ, times are also nan if the opening time of the topic is unknown or is
        not before the first judgment. TF1RH and TF1H are nan without a relevant, or highly
        relevant, doc. ATBJ is nan for fewer than two docs, or if all intervals are above the cap.
        NREJ is nan if the log does not have the revisions, and for sessions without judgments.

    Notes
    -----
    See ordering-gold-bronze, section 4. Its caps are 3 minutes for TJ1D and ATBJ, and 10 minutes
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
    """Return the earliest known time of the kept judgments [session], or nan."""
    times = np.full(log.sessions, np.inf)
    known = kept & ~np.isnan(log.at)
    np.minimum.at(times, log.session[known], log.at[known])
    return np.where(np.isinf(times), np.nan, times)


def _between_judgments(
    log: JudgingLog, timed: BoolArray, cap: float
) -> tuple[FloatArray, IntArray]:
    """Return the mean interval, and the number of intervals above the cap [session]."""
    between = intervals(log, timed=timed)
    short = between.select(between.seconds <= cap)
    total = np.bincount(short.session, weights=short.seconds, minlength=log.sessions)
    count = np.bincount(short.session, minlength=log.sessions)
    mean = np.full(log.sessions, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean, np.bincount(between.session, minlength=log.sessions) - count


def _changes(log: JudgingLog, pair: IntArray) -> FloatArray:
    """Return the number of changes from a label to a different label [session]."""
    order = np.argsort(pair, kind="stable")
    changed = (np.diff(pair[order]) == 0) & (np.diff(log.grade[order]) != 0)
    counts = np.bincount(log.session[order[1:]][changed], minlength=log.sessions)
    return counts.astype(np.float64)
