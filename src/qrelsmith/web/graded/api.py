"""JSON responses for the script of the judging page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404

from qrelsmith.web.accounts.access import EVERYBODY, JUDGES, account_of, api, assessor_of
from qrelsmith.web.docs.passages import text_json
from qrelsmith.web.docs.views import render_doc
from qrelsmith.web.graded.assigned import (
    FILTERS,
    assignment_json,
    doc_in,
    doc_json,
    doc_row_json,
    docs_of,
    next_open,
    own_assignment,
    topic_text,
)
from qrelsmith.web.graded.doc_page import (
    reading_json,
    requested_look,
    requested_version,
    visible_doc,
)
from qrelsmith.web.graded.early_repeats import without_early
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import Activity, AssignedDoc, Assignment
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.answers import answered
from qrelsmith.web.site.parameters import choice, json_body, missing, query_whole, whole

_MOST_ROWS = 500


@api(EVERYBODY)
def session(request: HttpRequest) -> HttpResponse:
    """Return the logged-in account, and the token that requests must carry."""
    account = account_of(request)
    return answered({"login": account.login, "role": account.role, "csrf": get_token(request)})


@api(JUDGES)
def assignments(request: HttpRequest) -> HttpResponse:
    """Return the assignments of the user's assessor."""
    found = Assignment.objects.filter(assessor=assessor_of(request))
    own = without_early(found).select_related("topic")
    shown = [
        {
            "assignment": mine.pk,
            "topic": mine.topic.name,
            "hit": mine.hit,
            "round": mine.round,
            "is_open": mine.is_open,
            **_progress(mine),
        }
        for mine in own.order_by("round", "topic__name", "hit")
    ]
    return answered({"assignments": shown})


@api(JUDGES)
def assignment(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Return an assignment: its topic, scale and progress."""
    found = own_assignment(assignment_id, assessor_of(request))
    return answered(assignment_json(found, current_scale(), topic_text(found)))


@api(JUDGES)
def docs(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Return a part of the list of docs in an assignment."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    chosen = choice(request.GET.get("filter", "all"), "filter", FILTERS)
    first = query_whole(request.GET, "from", default=1)
    limit = query_whole(request.GET, "limit", default=200, least=1, most=_MOST_ROWS)
    rows = list(docs_of(assignment, chosen).filter(position__gte=first)[: limit + 1])
    scale = current_scale()
    shown = [doc_row_json(row, scale) for row in rows[:limit]]
    following = rows[limit].position if len(rows) > limit else None
    return answered({"docs": shown, "next": following, **_progress(assignment)})


@api(JUDGES)
def doc_at(request: HttpRequest, assignment_id: int, position: int) -> HttpResponse:
    """Return a doc with its label and the fields that a judgment must send back."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    doc = doc_in(assignment, position)
    if doc is None:
        raise Http404
    shown = doc_json(doc, current_scale(), topic_text(assignment))
    return answered({"doc": shown, **_progress(assignment)})


@api(JUDGES)
def following(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Return the next unjudged doc after a position, for prefetching; null if all are judged."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    position = next_open(assignment, after=query_whole(request.GET, "after", default=0))
    doc = doc_in(assignment, position) if position else None
    shown = doc_json(doc, current_scale(), topic_text(assignment)) if doc else None
    return answered({"doc": shown, **_progress(assignment)})


@api(JUDGES, methods=("POST",))
def activity(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Log the time spent on a doc, if the campaign logs activity."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    body = json_body(request)
    doc = get_object_or_404(AssignedDoc, pk=whole(body, "doc"), assignment=assignment)
    active, idle = whole(body, "active_ms"), whole(body, "idle_ms")
    if active is None or idle is None:
        raise missing("active_ms" if active is None else "idle_ms")
    is_logged = current_instance().campaign.judging.activity != "none"
    if is_logged:
        Activity.objects.create(assignment=assignment, assigned=doc, active_ms=active, idle_ms=idle)
    return answered({"logged": is_logged})


@api(EVERYBODY)
def text(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Return the text of a doc, for the view in which passages can be selected."""
    version = requested_version(request, visible_doc(request, assigned_id).doc)
    return answered(text_json(version))


@api(EVERYBODY)
def count_hits(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Return how often a text occurs in a view of a doc; the frame has an anchor for each match."""
    version = requested_version(request, visible_doc(request, assigned_id).doc)
    return answered({"count": render_doc(version, requested_look(request)).found})


@api(EVERYBODY)
def reading(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Return the positions of terms in a view of a doc, with the blocks for the text view."""
    version = requested_version(request, visible_doc(request, assigned_id).doc)
    return answered(reading_json(version, requested_look(request)))


def _progress(assignment: Assignment) -> dict[str, Any]:
    return {"judged": assignment.judged, "total": assignment.total}
