"""The page for grading docs; it also works without JavaScript."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from qrelsmith.web.accounts.access import JUDGES, assessor_of, page
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.docs.passages import passage_of
from qrelsmith.web.docs.views import VIEWS
from qrelsmith.web.graded.assigned import (
    assignment_json,
    doc_content,
    doc_json,
    doc_row_json,
    docs_of,
    frame_address,
    last_position,
    next_open,
    own_assignment,
    topic_text,
)
from qrelsmith.web.graded.doc_page import sandbox_of
from qrelsmith.web.graded.kind import JudgmentSubmission, judge, undo
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import AssignedDoc, Assignment, DocVersion
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import choice, form_number, form_op_id, form_whole, submission_of

# Number of list rows on a page; the script fetches other rows.
_AROUND = 25


@page(JUDGES)
def resume(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Open the first unjudged doc, or the last doc if all are judged."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    last = last_position(assignment)
    position = next_open(assignment, after=last) or last
    return redirect("judge", assignment.pk, position)


@page(JUDGES, methods=("GET", "POST"))
def judging(request: HttpRequest, assignment_id: int, position: int) -> HttpResponse:
    """Show a doc to grade, and accept a grade from a form."""
    assignment = own_assignment(assignment_id, assessor_of(request))
    doc = docs_of(assignment).filter(position=position).first()
    if doc is None:
        raise Http404
    if request.method == "POST":
        return _take_grade(request, assignment, doc)
    if assignment.opened_at is None:
        assignment.opened_at = timezone.now()
        Assignment.objects.filter(pk=assignment.pk, opened_at=None).update(
            opened_at=assignment.opened_at
        )
    view = choice(request.GET.get("view", "page"), "view", VIEWS)
    return render(request, "judge.html", _context(assignment, doc, view))


@page(JUDGES, methods=("POST",))
def undoing(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Undo the latest judgment, and show its doc."""
    done = undo(form_op_id(request), assignment_id, assessor=assessor_of(request))
    return redirect("judge", assignment_id, done.unit.position)


def judging_terms(scale: ShownScale) -> dict[str, Any]:
    """Return the scale and the rules of judging for pages."""
    content = scale.content
    return {
        "scale": content,
        "described": [level for level in content["levels"] if level["label"] or level["text"]],
        "asks_note": scale.asks("note"),
        "asks_excerpt": scale.asks("excerpt"),
        "sandbox": sandbox_of(scale),
        "activity": current_instance().campaign.judging.activity,
    }


def _context(assignment: Assignment, doc: AssignedDoc, view: str) -> dict[str, Any]:
    content = doc_content(doc)
    first, last = max(doc.position - _AROUND, 1), doc.position + _AROUND
    scale, topic = current_scale(), topic_text(assignment)
    rows = docs_of(assignment).filter(position__gte=first, position__lte=last)
    shown = doc_json(doc, scale, topic)
    return {
        "assignment": assignment,
        "topic": topic,
        "doc": doc,
        "content": content,
        "frame": frame_address(doc, content, topic, view=view),
        "view": view,
        "views": VIEWS,
        "earlier": shown["earlier"],
        "rows": [doc_row_json(row, scale) for row in rows],
        "op_id": secrets.token_hex(16),
        "state": assignment_json(assignment, scale, topic) | {"doc": shown},
        **judging_terms(scale),
    }


def _take_grade(request: HttpRequest, assignment: Assignment, doc: AssignedDoc) -> HttpResponse:
    """Accept the grade in a form, and show the next doc."""
    body: dict[str, Any] = {
        "op_id": request.POST.get("op_id", ""),
        "doc": doc.pk,
        "value": form_number(request, "value"),
        "sha256": request.POST.get("sha256", ""),
        "base_revision": form_whole(request, "base_revision"),
        "note": request.POST.get("note", ""),
        "input_kind": "form",
        **_passage(doc, request.POST.get("excerpt", ""), request.POST.get("sha256", "")),
    }
    submission = submission_of(JudgmentSubmission, body)
    try:
        judge(submission, assignment.pk, assessor=assignment.assessor)
    except RefusedError as error:
        assignment.refresh_from_db()
        current = docs_of(assignment).get(pk=doc.pk)
        context = _context(assignment, current, "page") | {"problem": error.message}
        return render(request, "judge.html", context, status=409)
    following = next_open(assignment, after=doc.position)
    return redirect("judge", assignment.pk, following or doc.position)


def _passage(doc: AssignedDoc, words: str, sha256: str) -> dict[str, Any]:
    """Return typed words as a passage if the doc contains the words, otherwise as an excerpt."""
    if words.strip() == doc.excerpt and doc.passages:
        return {"excerpt": words, "passages": doc.passages}
    shown = DocVersion.objects.filter(doc=doc.doc_id, sha256=sha256).exclude(content=b"").first()
    passage = passage_of(words, shown) if shown else None
    return {"passages": [passage]} if passage else {"excerpt": words}
