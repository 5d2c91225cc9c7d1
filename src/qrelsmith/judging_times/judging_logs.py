"""Judgments as a log of the assessors' actions.

This module decides which events are judgments, their times on the chosen clock, and which times are
impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.io.times import TimeArray
from qrelsmith.judging_times import JudgingLog
from qrelsmith.judgments.environments import Session, sessions_of
from qrelsmith.judgments.judgment_events import Judgments

Clock = Literal["wall", "active"]
_UNJUDGED = -1.0
_MICROSECONDS, _MILLISECONDS = 1e6, 1e3
_LAST = np.datetime64(np.iinfo(np.int64).max, "us")


@dataclass(frozen=True, slots=True, eq=False)
class LoggedSessions:
    """Sessions and their log.

    Attributes
    ----------
    sessions : tuple of Session
        Every pair of assessor and topic, sorted.
    log : JudgingLog
        The judgments of the sessions, without withdrawn ones (the code −1).
    unopened : bool array [session]
        Whether the opening time of the topic is unknown.
    backwards : int array [session]
        Number of judgments with a time before their doc was shown or before their earlier revision;
        the log treats these times as missing.
    earlier_lost : int
        Number of judgments whose earlier revisions are not in the file.
    """

    sessions: tuple[Session, ...]
    log: JudgingLog
    unopened: BoolArray
    backwards: IntArray
    earlier_lost: int


def judging_log(judgments: Judgments, *, clock: Clock = "wall") -> LoggedSessions:
    """Return the log that contains the judgments, with times in seconds.

    Parameters
    ----------
    judgments : Judgments
        All revisions, not only the current ones.
    clock : {'wall', 'active'}
        `wall`: a judgment's time is `judged_at`, and a topic is opened when its first doc is shown
        (the earliest `shown_at`). `active`: only the active time of an assessor counts. This is
        `active_ms` of each judgment or, if missing, the time from `shown_at` to `judged_at` minus
        `idle_ms`; `judged_at` determines the order.
    """
    grouped = sessions_of(judgments)
    count = len(grouped.sessions)
    judged, shown = _seconds((judgments.judged_at, judgments.shown_at), grouped.of)
    events = np.flatnonzero(judgments.grade != _UNJUDGED)
    wrong = _backwards(judgments, judged, shown)
    judged = np.where(wrong, np.nan, judged)
    opened = _least(grouped.of, shown, count)
    if clock == "active":
        at, opened = _active(judgments, grouped.of, judged, shown, events), np.zeros(count)
    else:
        at = judged
    log = JudgingLog(
        session=grouped.of[events],
        doc=judgments.doc[events],
        grade=judgments.grade[events],
        at=at[events],
        opened=opened,
        revisions_kept=judgments.revision is not None,
    )
    late = opened > _least(grouped.of[events], at[events], count)
    return LoggedSessions(
        sessions=grouped.sessions,
        log=log,
        unopened=np.isnan(opened) | late,
        backwards=np.bincount(grouped.of[events][wrong[events]], minlength=count),
        earlier_lost=_earlier_lost(judgments),
    )


def _seconds(times: Sequence[TimeArray | None], session: IntArray) -> list[FloatArray]:
    """Return times in seconds since the first time of their session, nan if missing [judgment].

    The first time is subtracted before rounding, so that milliseconds are exact.
    """
    missing = np.datetime64("NaT", "us")
    columns = [np.full(len(session), missing) if one is None else one for one in times]
    first = np.full(int(session.max(initial=-1)) + 1, _LAST)
    for column in columns:
        known = ~np.isnat(column)
        np.minimum.at(first, session[known], column[known])
    return [
        np.where(
            np.isnat(column), np.nan, (column - first[session]).astype(np.float64) / _MICROSECONDS
        )
        for column in columns
    ]


def _backwards(judgments: Judgments, judged: FloatArray, shown: FloatArray) -> BoolArray:
    """Return whether judgments precede the display of their doc, or their previous revision."""
    wrong = np.asarray(judged < shown)
    wrong[1:] |= _is_revision(judgments) & (judged[1:] < judged[:-1])
    return wrong


def _active(
    judgments: Judgments, session: IntArray, judged: FloatArray, shown: FloatArray, rows: IntArray
) -> FloatArray:
    """Return the session's active seconds until each judgment; nan after an unknown time."""
    spent = np.full(len(judgments), np.nan)
    if judgments.idle_ms is not None:
        spent = judged - shown - judgments.idle_ms / _MILLISECONDS
    if judgments.active_ms is not None:
        known = ~np.isnan(judgments.active_ms)
        spent = np.where(known, judgments.active_ms / _MILLISECONDS, spent)
    spent = np.where(spent >= 0, spent, np.nan)
    order = rows[np.lexsort((judged[rows], session[rows]))]
    lost = np.isnan(spent[order]) | np.isnan(judged[order])
    begins = np.append(True, np.diff(session[order]) != 0)[: len(order)]
    passed, unknown = (
        _from_begin(np.cumsum(values), values, begins)
        for values in (np.where(lost, 0.0, spent[order]), lost.astype(np.float64))
    )
    at = np.full(len(judgments), np.nan)
    at[order] = np.where(unknown > 0, np.nan, passed)
    return at


def _from_begin(total: FloatArray, values: FloatArray, begins: BoolArray) -> FloatArray:
    """Return running totals that restart at `begins`."""
    before = (total - values)[begins]
    return np.asarray(total - before[np.cumsum(begins) - 1])


def _least(groups: IntArray, values: FloatArray, count: int) -> FloatArray:
    """Return the smallest known value of each group, or nan."""
    least = np.full(count, np.inf)
    known = ~np.isnan(values)
    np.minimum.at(least, groups[known], values[known])
    return np.where(np.isinf(least), np.nan, least)


def _is_revision(judgments: Judgments) -> BoolArray:
    """Return whether each judgment, after the first, is a revision of the previous judgment."""
    keys = np.stack([judgments.topic, judgments.doc, judgments.assessor])
    return np.asarray((np.diff(keys) == 0).all(axis=0))


def _earlier_lost(judgments: Judgments) -> int:
    """Count judgments whose first revision in the file has a number above 1."""
    if judgments.revision is None or not len(judgments):
        return 0
    first = np.append(True, ~_is_revision(judgments))
    return int((judgments.revision[first] > 1).sum())
