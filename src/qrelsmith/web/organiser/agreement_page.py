"""The organiser's pages of agreement, and of how each assessor judges."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.organiser.agreement import (
    MOST_PAIRED,
    agreement,
    coefficient_names,
    default_coefficient,
)
from qrelsmith.web.organiser.assessors import assessors
from qrelsmith.web.site.parameters import choice


@page(WATCHERS)
def agreement_page(request: HttpRequest) -> HttpResponse:
    """How far groups and assessors agree now."""
    names = coefficient_names()
    asked = request.GET.get("coefficient") or default_coefficient()
    coefficient = choice(asked, "coefficient", names)
    found = agreement(coefficient, is_wanted_now="now" in request.GET)
    context = {
        "agreement": found.value,
        "computed": found,
        "coefficient": coefficient,
        "coefficients": names,
        "most_paired": MOST_PAIRED,
    }
    return render(request, "organiser/agreement.html", context)


@page(WATCHERS)
def assessors_page(request: HttpRequest) -> HttpResponse:
    """How fast each assessor judges, and with which grades, against the group."""
    found = assessors(is_wanted_now="now" in request.GET)
    return render(request, "organiser/assessors.html", {"found": found.value, "computed": found})
