"""Points in time, computed from the durations that clients measure."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from qrelsmith.web.core.submissions import Timing
from qrelsmith.web.project import current_instance


def points_in_time(timing: Timing, *, since: datetime) -> dict[str, datetime | int | None]:
    """Return the times of acceptance, judgment and display as columns; none is before `since`.

    A campaign without activity logging stores only the time of judgment.
    """
    now = timezone.now()
    earliest = min(since, now)
    judged_at = max(now - timedelta(milliseconds=timing.delay_ms), earliest)
    when: dict[str, datetime | int | None] = {"accepted_at": now, "judged_at": judged_at}
    if current_instance().campaign.judging.activity == "none":
        return when
    # If the clock was set back after `since`, the time of showing is unknown.
    if timing.shown_for_ms is not None and since <= now:
        when["shown_at"] = max(judged_at - timedelta(milliseconds=timing.shown_for_ms), earliest)
    measured = ("client_ms", "active_ms", "idle_ms")
    return when | {name: getattr(timing, name) for name in measured}
