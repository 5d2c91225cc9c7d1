"""The desk where docs are adjudicated, and the author's page of questions about a topic."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

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
from qrelsmith.web.desk.case import case_of, thread_of
from qrelsmith.web.desk.matters import Matter, has_seen
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, reveal, say
from qrelsmith.web.graded.assigned import own_assignment, topic_text
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import AssignedDoc
from qrelsmith.web.site.parameters import form_number, form_op_id, form_text, form_whole

_LONGEST = 10_000


@page(WATCHERS)
def desk(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Return a doc of a topic with what assessors said of it, once the labels may be seen."""
    return _desk_page(request, _assigned_doc(assigned_id))


@page(ORGANISERS, methods=("POST",))
def adjudicating(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Take a verdict, and show what assessors said."""
    assigned = _assigned_doc(assigned_id)
    is_withdrawn = "withdraw" in request.POST
    verdict = DeskVerdict(
        op_id=form_op_id(request),
        value=None if is_withdrawn else form_number(request, "value"),
        base_revision=form_whole(request, "base_revision"),
        sha256=form_text(request, "sha256"),
        text=form_text(request, "text", longest=_LONGEST),
    )
    try:
        adjudicate(account_of(request), _matter(assigned), verdict)
    except RefusedError as error:
        return _desk_page(request, assigned, problem=error.message, status=409)
    note_action(request, "adjudicate", f"{assigned.assignment.topic.name} {assigned.doc.name}")
    return redirect("desk", assigned_id)


@page(ORGANISERS, methods=("POST",))
def revealing(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Show the labels before there is a verdict; it will not count as blind."""
    assigned = _assigned_doc(assigned_id)
    reveal(account_of(request), _matter(assigned))
    return redirect("desk", assigned_id)


@page(ORGANISERS, methods=("POST",))
def asking(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Say something in the thread of the doc, or of its topic for the topic's author."""
    assigned = _assigned_doc(assigned_id)
    matter = _matter(assigned)
    about = Matter(matter.topic) if "topic" in request.POST else matter
    text = form_text(request, "text", longest=_LONGEST)
    say(account_of(request), form_op_id(request), about, text)
    return redirect("desk", assigned_id)


@page(JUDGES, methods=("GET", "POST"))
def questions(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Show the author of a topic what is asked about it, and take the answer."""
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


def _assigned_doc(assigned_id: int) -> AssignedDoc:
    found = AssignedDoc.objects.select_related("doc", "assignment__topic")
    return get_object_or_404(found, pk=assigned_id)


def _matter(assigned: AssignedDoc) -> Matter:
    return Matter(assigned.assignment.topic_id, assigned.doc_id)


def _desk_page(
    request: HttpRequest, assigned: AssignedDoc, *, problem: str = "", status: int = 200
) -> HttpResponse:
    account, topic, doc = account_of(request), assigned.assignment.topic, assigned.doc
    is_seen, scale = has_seen(account, _matter(assigned)), current_scale()
    case = case_of(topic, doc, scale, is_seen=is_seen)
    decided = case.verdict if case.verdict and case.verdict.value is not None else None
    context: dict[str, Any] = {
        "assigned": assigned,
        "case": case,
        "is_seen": is_seen,
        # Whoever is to decide blind does not see what somebody else decided, unless it was refused.
        "verdict": decided if is_seen or problem else None,
        "label": "" if decided is None else scale.label(decided.value or 0.0),
        "base_revision": case.verdict.revision if case.verdict and (is_seen or problem) else 0,
        "scale": scale.content,
        "problem": problem,
        "op_id": secrets.token_hex(16),
    }
    return render(request, "organiser/desk.html", context, status=status)
