"""The organiser's pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.access import WATCHERS, page
from qrelsmith.web.models import Assignment


@page(WATCHERS)
def overview(request: HttpRequest) -> HttpResponse:
    """How far the campaign is."""
    assignments = Assignment.objects.select_related("topic", "assessor").order_by(
        "assessor__name", "topic__name", "round", "hit"
    )
    return render(request, "overview.html", {"assignments": assignments})
