"""The instructions page: for grades, for pairs, or both, depending on the user's work."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import EVERYBODY, account_of, page
from qrelsmith.web.graded.page import judging_terms
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import Assessor, Assignment, Contest
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.pairs.shown import contests_for


@page(EVERYBODY)
def instructions(request: HttpRequest) -> HttpResponse:
    """Return the instructions page; an assessor sees only the parts for the assessor's work."""
    grades, pairs = _kinds(account_of(request).assessor)
    context = judging_terms(current_scale()) | {"is_graded": grades}
    if pairs:
        context["choices"] = current_choices()
    return render(request, "instructions.html", context)


def _kinds(assessor: Assessor | None) -> tuple[bool, bool]:
    """Return whether the assessor (None: anyone) has docs to grade, and pairs to compare."""
    if assessor is None:
        pairs = Contest.objects.exists()
        return Assignment.objects.exists() or not pairs, pairs
    pairs = contests_for(assessor).exists()
    return Assignment.objects.filter(assessor=assessor).exists() or not pairs, pairs
