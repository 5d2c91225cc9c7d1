"""The organiser's pages of preference judging: open pairs, and what tests the assessors."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.organiser.contests import (
    attention,
    contest_states,
    has_preferences,
    open_pairs,
)

_SHOWN = 300


@page(WATCHERS)
def contests_page(request: HttpRequest) -> HttpResponse:
    """How far the contests are, and which pairs wait for whom."""
    if not has_preferences():
        raise Http404
    contests = contest_states()
    pairs, more = open_pairs(_SHOWN)
    context = {
        "contests": contests,
        "pairs": pairs,
        "more": more,
        "done": sum(each.state == "done" for each in contests),
        "judged": sum(each.judged for each in contests),
        "total": sum(each.total for each in contests),
        "held": sum(each.held for each in contests),
        "waiting": sum(each.waiting for each in contests),
    }
    return render(request, "organiser/contests.html", context)


@page(WATCHERS)
def challenges_page(request: HttpRequest) -> HttpResponse:
    """How assessors do in challenge pairs and in repeats with swapped sides."""
    if not has_preferences():
        raise Http404
    return render(request, "organiser/challenges.html", {"rows": attention()})
