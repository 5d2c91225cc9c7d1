"""The organiser's page of an alert: the docs to check first, and the possible actions."""

from __future__ import annotations

from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.accounts.assessors import is_model
from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import Account, AnswerAspect, Assessor, AssignedDoc, RejudgingRound
from qrelsmith.web.organiser.alert_docs import ALERTS, alert_aspects, alert_docs
from qrelsmith.web.organiser.first_looks import looks
from qrelsmith.web.organiser.matrix import work_of
from qrelsmith.web.organiser.matrix_page import apply_change
from qrelsmith.web.organiser.rejudging_page import show_new_round, wish_of
from qrelsmith.web.organiser.rounds import newest_round, open_round
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError, choice, form_text, whole_numbers
from qrelsmith.web.tables.judged import FIRST_ROUND

_REPEAT = RejudgingRound.Reason.REPEAT
_ACTIONS = ("close", "open", "reassign", "again")
_MOST_DOCS = 1000


@page(ORGANISERS)
def alert_page(request: HttpRequest, assessor_id: int, alert: str) -> HttpResponse:
    """Show the docs of an alert, and the forms of possible actions."""
    assessor = get_object_or_404(Assessor, pk=assessor_id)
    docs = alert_docs(assessor, choice(alert, "alert", ALERTS))
    aspects = alert_aspects(assessor, alert)
    items: list[AssignedDoc | AnswerAspect] = [*docs, *aspects]
    own = work_of(assessor=assessor)
    account = Account.objects.filter(assessor=assessor, forgotten_at=None).first()
    context = {
        "assessor": assessor,
        "alert": alert,
        "person": account,
        "is_model": is_model(assessor),
        "mailto": _mailto(account) if account is not None and account.email else "",
        "docs": docs,
        "aspects": aspects,
        "judged": [each for each in items if each.is_judged],
        "open": sum(each.is_open for each in own),
        "closed": sum(not each.is_open for each in own),
        "newest": newest_round(),
        "others": Assessor.objects.exclude(pk=assessor.pk).filter(crowd_worker=None),
    }
    return render(request, "organiser/alert.html", context)


@page(ORGANISERS, methods=("POST",))
def act_on_alert(request: HttpRequest, assessor_id: int, alert: str) -> HttpResponse:
    """Close, reopen or reassign the assessor's work, or open a round to judge docs again."""
    assessor = get_object_or_404(Assessor, pk=assessor_id)
    alert = choice(alert, "alert", ALERTS)
    action = choice(request.POST.get("action"), "action", _ACTIONS)
    if action == "again":
        docs, items = (_numbers(request, name) for name in ("doc", "aspect"))
        chosen = AssignedDoc.objects.filter(pk__in=docs, assignment__assessor=assessor)
        aspects = judged_items().filter(
            pk__in=items, assignment__assessor=assessor, assignment__round=FIRST_ROUND,
            is_judged=True,
        )  # fmt: skip
        in_order = aspects.select_related("assignment").order_by("assignment", "position")
        wish = wish_of(request, _REPEAT, rule=alert, reference="", who="everybody")
        return show_new_round(request, open_round(looks(chosen), wish, in_order))
    to = form_text(request, "to", longest=200) if action == "reassign" else ""
    try:
        with writing():
            handed = apply_change(request, action, work_of(assessor=assessor), to)
    except RefusedError as error:
        raise ParameterError(error.message) from None
    text = gettext("Changed: %(done)d. Unchanged: %(left)d.")
    messages.success(request, text % {"done": handed.done, "left": handed.left})
    return redirect("alert", assessor_id, alert)


def _numbers(request: HttpRequest, name: str) -> list[int]:
    """Return the numbers of the ticked boxes of a name."""
    ticked = list(map(int, filter(str.isdigit, request.POST.getlist(name))))
    return whole_numbers({name: ticked}, name, most=_MOST_DOCS)


def _mailto(account: Account) -> str:
    """Return a mailto address without subject and text."""
    return f"mailto:{quote(account.email)}?subject={quote(current_instance().campaign.title)}"
