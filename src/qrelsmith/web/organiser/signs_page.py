"""The organiser's page of quality alerts: figures, tests, and the docs to check first."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.damages.damage_rows import DamageRow
from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.models import Assessor
from qrelsmith.web.organiser.signs import signs


@page(ORGANISERS)
def signs_page(request: HttpRequest) -> HttpResponse:
    """Show the quality alerts on the judgments so far."""
    result = signs(is_wanted_now="now" in request.GET)
    context = {
        "computed": result,
        "tests": len(result.value.examined) if result.value else 0,
        "signs": [(row, _assessors(row)) for row in result.value.found if row.assessor]
        if result.value
        else [],
        "reference": result.value.reference if result.value else "",
        "level": result.value.level if result.value else 0.0,
    }
    return render(request, "organiser/signs.html", context)


def _assessors(row: DamageRow) -> list[Assessor]:
    """Return the assessors named by a finding; a shared finding names two."""
    names = row.assessor.split(" ") if row.damage == "copied" else [row.assessor]
    return list(Assessor.objects.filter(name__in=names).order_by("name"))
