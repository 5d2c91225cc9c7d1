"""The organiser's page of progress: finished work, remaining work, assessors to follow up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.organiser.balance import balance
from qrelsmith.web.organiser.figures import current_figures, figures, show_figures
from qrelsmith.web.organiser.history import Moment, judged_so_far, progress_picture
from qrelsmith.web.organiser.progress import Progress, measure_speed, progress
from qrelsmith.web.organiser.stuck import CODES_SHARE, DEFAULT_HOURS, MANY_CODES, last_judged, stuck
from qrelsmith.web.site.parameters import query_whole
from qrelsmith.web.tables.event_table import EventTable

_MOST_HOURS = 24 * 366


@dataclass(frozen=True, slots=True)
class ProgressFigures:
    """The figures of the page.

    Attributes
    ----------
    progress : Progress
        The progress of every part of the campaign.
    codes : mapping of str to (int, int)
        For each assessor, the number of labels that are codes, and of all labels.
    last : mapping of str to datetime
        The time of each assessor's last action.
    past : sequence of Moment
        The docs judged over time.
    """

    progress: Progress
    codes: Mapping[str, tuple[int, int]]
    last: Mapping[str, datetime]
    past: Sequence[Moment] = ()


@figures("progress", ProgressFigures, follows_events=False)
def _figures(events: EventTable) -> ProgressFigures:
    return ProgressFigures(progress(), measure_speed().value.codes, last_judged(), judged_so_far())


@page(WATCHERS)
def progress_page(request: HttpRequest) -> HttpResponse:
    """Show the progress of every part of the campaign, and assessors to follow up."""
    hours = query_whole(request.GET, "hours", default=DEFAULT_HOURS, most=_MOST_HOURS)
    result = current_figures("progress")
    context = result and {
        "progress": result.value.progress,
        "picture": progress_picture(result.value.past, result.value.progress),
        "balance": balance(),
        "stuck": stuck(result.value.codes, hours=hours, last=result.value.last),
        "hours": hours,
        "many_codes": MANY_CODES,
        "codes_share": CODES_SHARE,
    }
    return show_figures(request, "organiser/progress.html", result, context or {})
