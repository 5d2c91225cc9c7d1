"""Pace of an assessor and remaining work, for the assessor's own page."""

from __future__ import annotations

from typing import Any

import numpy as np

from qrelsmith.judging_times.judging_pace import Pace, pace_of
from qrelsmith.web.models import AnswerEvent, Assessor, Event, PreferenceEvent
from qrelsmith.web.models.accepted import AcceptedEvent

# Number of latest judgments, and the longest interval that does not count as a pause.
_NEWEST, _PAUSE_S = 300, 180.0
Log = type[Event] | type[PreferenceEvent] | type[AnswerEvent]


def own_pace(kind: Log, assessor: Assessor) -> Pace:
    """Return the active seconds of an assessor's latest judgments, or the time between two."""
    found = kind.objects.filter(assessor=assessor, kind=AcceptedEvent.Kind.JUDGE, revision=1)
    rows = list(found.order_by("-id").values_list("active_ms", "accepted_at")[:_NEWEST])
    active = [each / 1000 for each, _ in rows if each is not None]
    moments = np.array([at.timestamp() for _, at in rows])
    seconds = np.array(active) if len(active) * 2 > len(rows) else -np.diff(moments)
    return pace_of(np.sort(seconds[(seconds > 0) & (seconds <= _PAUSE_S)]))


def own_work(assessor: Assessor, tasks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return an assessor's remaining work by kind, and the hours needed at the current pace."""
    left: dict[str, Any] = {"hours": 0.0, "is_timed": True}
    kinds: dict[str, Log] = {"grades": Event, "pairs": PreferenceEvent, "answers": AnswerEvent}
    for name, kind in kinds.items():
        waiting = [each for each in tasks if each["kind"] == name and each["is_open"]]
        docs = sum(
            max(each["total"] - each["judged"], 0) for each in waiting if not each["is_done"]
        )
        pace = own_pace(kind, assessor)
        left |= {name: docs, f"{name}_pace": pace}
        if docs and pace.is_enough:
            left["hours"] += docs * pace.median / 3600
        elif docs:
            left["is_timed"] = False
    return left
