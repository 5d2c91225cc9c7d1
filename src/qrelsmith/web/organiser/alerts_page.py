"""The organiser's page of an alert: the docs to check first, and the possible actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.db.models import Avg, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Abs
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.accounts.assessors import is_model
from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import (
    Account,
    AnswerAspect,
    AnswerEvent,
    Assessor,
    AssignedDoc,
    Event,
    RejudgingRound,
)
from qrelsmith.web.organiser.first_looks import looks
from qrelsmith.web.organiser.matrix import work_of
from qrelsmith.web.organiser.matrix_page import apply_change
from qrelsmith.web.organiser.rejudging_page import show_new_round, wish_of
from qrelsmith.web.organiser.rounds import newest_round, open_round
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError, choice, form_text, whole_numbers
from qrelsmith.web.tables.judged import FIRST_ROUND

ALERTS = ("outlying-assessor", "hurried", "tail", "copied", "silent", "unopened", "codes")
_OF_DOCS = ("outlying-assessor", "copied")
_SHOWN = 50
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
    """Return the numbers of the ticked boxes with the given name."""
    ticked = list(map(int, filter(str.isdigit, request.POST.getlist(name))))
    return whole_numbers({name: ticked}, name, most=_MOST_DOCS)


def _mailto(account: Account) -> str:
    """Return a mailto address without subject and text."""
    return f"mailto:{quote(account.email)}?subject={quote(current_instance().campaign.title)}"


def alert_aspects(assessor: Assessor, alert: str) -> Sequence[AnswerAspect]:
    """Return the aspects of answers behind an alert, like `alert_docs`.

    Alerts for outlying and copied labels exist only for docs.
    """
    if alert in _OF_DOCS:
        return ()
    first = AnswerEvent.objects.filter(item=OuterRef("pk"), revision=1).values("active_ms")[:1]
    own = judged_items().filter(assignment__assessor=assessor, assignment__round=FIRST_ROUND)
    own = own.select_related("assignment__topic").annotate(seconds=Subquery(first) / 1000.0)
    own = own.exclude(value=CONTRADICTS) if alert == "codes" else own
    return list(_telling(own, alert)[:_SHOWN])


def alert_docs(assessor: Assessor, alert: str) -> Sequence[AssignedDoc]:
    """Return the docs of the first round behind an alert, the clearest evidence first.

    The attribute `seconds` of a doc is the time that its first judgment took, or None if unknown.
    """
    first = Event.objects.filter(assigned=OuterRef("pk"), revision=1).values("active_ms")[:1]
    own = AssignedDoc.objects.filter(
        assignment__assessor=assessor, assignment__round=FIRST_ROUND, assignment__crowd_hit=None
    ).select_related("assignment__topic", "doc")
    own = own.annotate(seconds=Subquery(first) / 1000.0)
    return list(_telling(own, alert)[:_SHOWN])


def _telling(own: QuerySet[Any], alert: str) -> QuerySet[Any]:
    judged, waiting = own.filter(is_judged=True), own.filter(is_judged=False)
    if alert == "hurried":
        return judged.filter(seconds__isnull=False).order_by("seconds", "pk")
    if alert == "tail":
        return judged.order_by("-position", "pk")
    if alert == "codes":
        return judged.filter(value__lt=0).order_by("pk")
    if alert in ("silent", "unopened"):
        open_ = waiting.filter(assignment__is_open=True)
        return open_.order_by(F("assignment__opened_at").desc(nulls_last=True), "position", "pk")
    others = AssignedDoc.objects.filter(
        assignment__topic=OuterRef("assignment__topic"), doc=OuterRef("doc"),
        assignment__round=FIRST_ROUND, is_judged=True, value__gte=0,
    ).exclude(assignment=OuterRef("assignment"))  # fmt: skip
    mean = others.order_by().values("doc").annotate(mean=Avg("value")).values("mean")
    apart = judged.filter(value__gte=0).annotate(apart=Abs(F("value") - Subquery(mean)))
    found: QuerySet[Any] = apart.filter(apart__gt=0).order_by("-apart", "pk")
    return found
