"""The organiser's page of progress: what is done, what is left, who is stuck."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.organiser.balance import balance
from qrelsmith.web.organiser.progress import measure_speed, progress
from qrelsmith.web.organiser.stuck import CODES_SHARE, DEFAULT_HOURS, MANY_CODES, stuck
from qrelsmith.web.site.parameters import query_whole

_MOST_HOURS = 24 * 366


@page(WATCHERS)
def progress_page(request: HttpRequest) -> HttpResponse:
    """How far every part of the campaign is, and to follow up."""
    hours = query_whole(request.GET, "hours", default=DEFAULT_HOURS, most=_MOST_HOURS)
    found = measure_speed()
    context = {
        "progress": progress(),
        "computed": found,
        "balance": balance(),
        "stuck": stuck(found.value.codes, hours=hours),
        "hours": hours,
        "many_codes": MANY_CODES,
        "codes_share": CODES_SHARE,
    }
    return render(request, "organiser/progress.html", context)
