"""The organiser's pages of agreement and of assessors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from qrelsmith.assigning.repeats import SEED, repeat_place
from qrelsmith.web.accounts.access import ORGANISERS, WATCHERS, page
from qrelsmith.web.answers.copies import repeated_answers
from qrelsmith.web.answers.kind import newest_answer_event
from qrelsmith.web.models import AssignedDoc, RejudgingRound
from qrelsmith.web.organiser.agreement import MOST_PAIRED, coefficient_names, default_coefficient
from qrelsmith.web.organiser.assessors import assessors
from qrelsmith.web.organiser.figures import current_figures, show_figures
from qrelsmith.web.organiser.first_looks import FirstLook, looks
from qrelsmith.web.organiser.history import agreement_picture
from qrelsmith.web.organiser.rejudging_page import show_new_round, wish_of
from qrelsmith.web.organiser.rounds import newest_round, open_round, rounds
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError, choice, form_number

_REPEAT = RejudgingRound.Reason.REPEAT


@page(WATCHERS)
def agreement_page(request: HttpRequest) -> HttpResponse:
    """Show the current agreement of groups and assessors."""
    names = coefficient_names()
    asked = request.GET.get("coefficient") or default_coefficient()
    coefficient = choice(asked, "coefficient", names)
    result = current_figures("agreement", coefficient, is_wanted_now="now" in request.GET)
    context = {
        "agreement": result and result.value,
        "picture": result and agreement_picture(result.value.past, coefficient),
        "coefficient": coefficient,
        "coefficients": names,
        "most_paired": MOST_PAIRED,
    }
    return show_figures(request, "organiser/agreement.html", result, context)


@page(WATCHERS)
def assessors_page(request: HttpRequest) -> HttpResponse:
    """Show the pace and grades of each assessor, compared with the group."""
    found = assessors(is_wanted_now="now" in request.GET)
    context = {
        "found": found.value,
        "computed": found,
        "newest": newest_round(),
        "has_answers": newest_answer_event() > 0,
        "rounds": [state for state in rounds() if state.round.reason == _REPEAT],
    }
    return render(request, "organiser/assessors.html", context)


@page(ORGANISERS, methods=("POST",))
def open_for_repeats(request: HttpRequest) -> HttpResponse:
    """Open a round in which assessors judge a sample of their own docs again, blind."""
    wish = wish_of(request, _REPEAT, rule="", reference="", who="everybody")
    percent = form_number(request, "percent")
    if not 0 < percent <= 100:
        raise ParameterError(gettext("A percentage must be above 0 and at most 100."))
    wish = replace(wish, rule=f"{percent:g}%", shows_labels=False)
    looks = repeated_looks(percent / 100, round_number=wish.after + 1)
    answers = repeated_answers(percent / 100, round_number=wish.after + 1)
    return show_new_round(request, open_round(looks, wish, answers))


def repeated_looks(share: float, *, round_number: int) -> Iterator[FirstLook]:
    """Draw a share of the docs that each assessor graded in the first round, in a new order.

    The docs are drawn in the same way as by `assign`. Crowd workers and models have no repeats.

    Parameters
    ----------
    share : float
        The probability with which each doc is drawn, above 0 and at most 1.
    round_number : int
        Number of the new round; each round draws different docs.
    """
    seed = current_instance().campaign.seeds.get(SEED, 0)
    graded = AssignedDoc.objects.filter(
        value__gte=0, assignment__assessor__crowd_worker=None, assignment__crowd_hit=None
    ).exclude(assignment__assessor__group="llm")
    for look in looks(graded):
        keys = (look.assessor_name, look.topic_name, look.doc_name)
        place = repeat_place(keys, share=share, seed=seed, round_number=round_number)
        if place is not None:
            yield look._replace(hit="", position=place)
