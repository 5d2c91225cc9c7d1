"""The adjudication pages for docs and aspects of answers, and the questions to topic authors."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.web.accounts.access import (
    JUDGES,
    ORGANISERS,
    WATCHERS,
    account_of,
    assessor_of,
    page,
)
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.desk.aspects import contested_aspects, kind_name
from qrelsmith.web.desk.case import case_of, matter_of, thread_of
from qrelsmith.web.desk.contested import Contested
from qrelsmith.web.desk.matters import Matter, has_seen, seen_matters
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, reveal, say
from qrelsmith.web.graded.assigned import own_assignment, topic_text
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import AnswerAspect, AssignedDoc
from qrelsmith.web.site.parameters import form_number, form_op_id, form_text, form_whole

_LONGEST = 10_000
_Row = AssignedDoc | AnswerAspect


@page(WATCHERS)
def desk(request: HttpRequest, **number: int) -> HttpResponse:
    """Show a doc or an aspect, with the labels if the user may see them."""
    return _desk_page(request, _row(**number))


@page(ORGANISERS, methods=("POST",))
def adjudicating(request: HttpRequest, **number: int) -> HttpResponse:
    """Record a verdict, and show the labels."""
    row = _row(**number)
    is_withdrawn = "withdraw" in request.POST
    verdict = DeskVerdict(
        op_id=form_op_id(request),
        value=None if is_withdrawn else form_number(request, "value"),
        base_revision=form_whole(request, "base_revision"),
        sha256=form_text(request, "sha256"),
        text=form_text(request, "text", longest=_LONGEST),
    )
    try:
        adjudicate(account_of(request), matter_of(row), verdict)
    except RefusedError as error:
        return _desk_page(request, row, problem=error.message, status=409)
    what = row.aspect if isinstance(row, AnswerAspect) else row.doc.name
    note_action(request, "adjudicate", f"{row.assignment.topic.name} {what}")
    return redirect(_address(row))


@page(ORGANISERS, methods=("POST",))
def revealing(request: HttpRequest, **number: int) -> HttpResponse:
    """Show the labels before the verdict, so that the verdict does not count as blind."""
    row = _row(**number)
    reveal(account_of(request), matter_of(row))
    return redirect(_address(row))


@page(ORGANISERS, methods=("POST",))
def asking(request: HttpRequest, **number: int) -> HttpResponse:
    """Post a message in the thread of the item, or a question to the topic's author."""
    row = _row(**number)
    matter = matter_of(row)
    about = Matter(matter.topic) if "topic" in request.POST else matter
    text = form_text(request, "text", longest=_LONGEST)
    say(account_of(request), form_op_id(request), about, text)
    return redirect(_address(row))


@page(ORGANISERS)
def next_aspect(request: HttpRequest) -> HttpResponse:
    """Open the first contested aspect that is undecided and that the user has not seen."""
    return next_contested(request, contested_aspects(), "desk-aspect")


def next_contested(
    request: HttpRequest, contested: Iterable[Contested], address: str
) -> HttpResponse:
    """Open the first item that is undecided and that the user has not seen."""
    seen = seen_matters(account_of(request)) or set()
    for each in contested:
        if not each.is_decided and each.matter not in seen:
            return redirect(address, each.item)
    messages.success(
        request, gettext("No disagreements are left: you have decided or viewed all of them.")
    )
    return redirect("disagreements")


@page(JUDGES, methods=("GET", "POST"))
def questions(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Show the questions about a topic to its author, and accept an answer."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    topic = topic_text(assignment)
    if topic.creator != assignment.assessor.name:
        raise Http404
    if request.method == "POST":
        text = form_text(request, "text", longest=_LONGEST)
        say(account_of(request), form_op_id(request), Matter(assignment.topic_id), text)
        return redirect("questions", assignment_id)
    context = {
        "topic": topic,
        "assignment": assignment,
        "said": thread_of(assignment.topic),
        "op_id": secrets.token_hex(16),
    }
    return render(request, "questions.html", context)


def _row(*, assigned_id: int = 0, aspect_id: int = 0) -> _Row:
    own = ("doc", "assignment__topic")
    if aspect_id:
        return get_object_or_404(AnswerAspect.objects.select_related(*own), pk=aspect_id)
    return get_object_or_404(AssignedDoc.objects.select_related(*own), pk=assigned_id)


def _address(row: _Row, action: str = "") -> str:
    """Return the address of an item's adjudication page, or of an action there."""
    name = "desk-aspect" if isinstance(row, AnswerAspect) else "desk"
    return reverse(f"{name}-{action}" if action else name, args=[row.pk])


def _desk_page(
    request: HttpRequest, row: _Row, *, problem: str = "", status: int = 200
) -> HttpResponse:
    is_seen, scale = has_seen(account_of(request), matter_of(row)), current_scale()
    if isinstance(row, AnswerAspect):
        scale = scale.family(row.family)
    case = case_of(row, scale, is_seen=is_seen)
    decided = case.verdict if case.verdict and case.verdict.value is not None else None
    context: dict[str, Any] = {
        "row": row,
        "addresses": {name: _address(row, name) for name in ("verdict", "reveal", "say")},
        "kind": kind_name(case.aspect.family) if case.aspect else "",
        "next": reverse("desk-aspect-next" if case.aspect else "desk-next"),
        "case": case,
        "is_seen": is_seen,
        # A blind adjudicator does not see another adjudicator's decision, except after a conflict.
        "verdict": decided if is_seen or problem else None,
        "label": "" if decided is None else scale.label(decided.value or 0.0),
        "base_revision": case.verdict.revision if case.verdict and (is_seen or problem) else 0,
        "scale": scale.content,
        "contradicts": scale.errors.get(CONTRADICTS) if case.aspect else None,
        "problem": problem,
        "op_id": secrets.token_hex(16),
    }
    return render(request, "organiser/desk.html", context, status=status)
