"""The organiser's pages of preference judging: open pairs, attention checks and repeats."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.desk.contradictions import contested_pairs
from qrelsmith.web.organiser.contests import attention, contest_states, has_preferences, open_pairs

_SHOWN = 300


@page(WATCHERS)
def contests_page(request: HttpRequest) -> HttpResponse:
    """Show the progress of the preference tasks, and open pairs with their assessors."""
    if not has_preferences():
        raise Http404
    contests = contest_states()
    pairs, more = open_pairs(_SHOWN)
    contested = contested_pairs()
    context = {
        "contests": contests,
        "is_search": any(row.k for row in contests),
        "pairs": pairs,
        "contested": contested,
        "undiscussed": sum(row.state == "waiting" for row in contested),
        "more": more,
        "done": sum(row.state == "done" for row in contests),
        "judged": sum(row.judged for row in contests),
        "total": sum(row.total for row in contests),
        "held": sum(row.held for row in contests),
        "waiting": sum(row.waiting for row in contests),
    }
    return render(request, "organiser/contests.html", context)


@page(WATCHERS)
def challenges_page(request: HttpRequest) -> HttpResponse:
    """Show the assessors' results in attention checks and in repeats with swapped sides."""
    if not has_preferences():
        raise Http404
    return render(request, "organiser/challenges.html", {"rows": attention()})
