"""The organisers' page of a sample: its progress, and the estimates from the judged waves."""

from __future__ import annotations

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.models import Assignment
from qrelsmith.web.project import current_instance
from qrelsmith.web.sampling.state import sample_state
from qrelsmith.web.sampling.waves import PART


@page(WATCHERS)
def sample_page(request: HttpRequest) -> HttpResponse:
    """Show decided pairs, interval widths and the number of labels that would decide more pairs."""
    settings = current_instance().campaign.sampling
    parts = Assignment.objects.filter(hit__startswith=PART)
    counts = parts.aggregate(total=Sum("total"), judged=Sum("judged"))
    context = {
        "settings": settings,
        "state": sample_state(),
        "total": counts["total"] or 0,
        "judged": counts["judged"] or 0,
    }
    return render(request, "organiser/sample.html", context)
