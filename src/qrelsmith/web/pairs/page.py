"""The page for comparing two docs; it also works without JavaScript."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from qrelsmith.web.accounts.access import JUDGES, assessor_of, page
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.docs.views import VIEWS
from qrelsmith.web.graded.assigned import topic_text
from qrelsmith.web.graded.doc_page import OPEN, doc_frame, requested_version
from qrelsmith.web.graded.opening import opening_for
from qrelsmith.web.models import Assessor, Contest, PairTask
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.pairs.claims import next_pair
from qrelsmith.web.pairs.kind import PairSubmission, judge_pair, undo_pair
from qrelsmith.web.pairs.shown import (
    contest_progress,
    own_contest,
    own_pair,
    pair_json,
    pairs_left,
    texts_json,
    visible_doc,
    without_pair,
)
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import choice, form_op_id, no_number, submission_of


@page(JUDGES)
def resume(request: HttpRequest, contest_id: int) -> HttpResponse:
    """Open the user's current pair, or the next pair."""
    contest, assessor = own_contest(contest_id, assessor_of(request))
    if hasattr(assessor, "crowd_worker"):
        return redirect("work")
    task = next_pair(contest, assessor)
    if task is not None:
        return redirect("prefer", contest.pk, task.pk)
    contest.refresh_from_db()
    over = without_pair(contest, assessor)
    return render(request, "prefer.html", _context(contest, assessor, {"pair": None} | over))


@page(JUDGES, methods=("GET", "POST"))
def preferring(request: HttpRequest, contest_id: int, pair_id: int) -> HttpResponse:
    """Show a pair to compare, and accept an answer from a form."""
    contest, assessor = own_contest(contest_id, assessor_of(request))
    task = own_pair(contest, pair_id, assessor)
    if task.contest_id != contest.pk:
        return redirect("prefer", task.contest_id, task.pk)
    if request.method == "POST":
        return _take_answer(request, contest, task, assessor)
    if task.withdrawn:
        return redirect("prefer-next", contest.pk)
    view = choice(request.GET.get("view", "page"), "view", VIEWS)
    return render(request, "prefer.html", _with_pair(contest, task, assessor, view))


@page(JUDGES, methods=("POST",))
def undoing(request: HttpRequest, contest_id: int) -> HttpResponse:
    """Undo the user's latest answer, and show its pair."""
    contest, assessor = own_contest(contest_id, assessor_of(request))
    done = undo_pair(form_op_id(request), contest.pk, assessor=assessor)
    return redirect("prefer", contest.pk, done.unit.pk)


@page(JUDGES)
def pair_doc(request: HttpRequest, pair_id: int, side: str) -> HttpResponse:
    """Return a doc of a pair, rendered as by `doc`."""
    doc = visible_doc(pair_id, side, assessor_of(request))
    # A click in a doc chooses it, and passages are selected there: the page needs access to the
    # frame.
    return doc_frame(request, requested_version(request, doc), sandbox=OPEN)


def _with_pair(contest: Contest, task: PairTask, assessor: Assessor, view: str) -> dict[str, Any]:
    pair = pair_json(task, assessor, topic_text(contest), current_choices(), view=view)
    return _context(contest, assessor, {"pair": pair}) | {"view": view}


def _context(contest: Contest, assessor: Assessor, content: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the page and its script: a pair, or the reason why there is none."""
    topic, choices = topic_text(contest), current_choices()
    campaign = current_instance().campaign
    preferring = campaign.preference_judging
    pair = content["pair"]
    progress = contest_progress(contest, assessor)
    return content | {
        "contest": contest,
        "previous": pair["previous"] if pair else content["previous"],
        "topic": topic,
        "choices": choices,
        "offered": choices.buttons(),
        "progress": progress | {"left": pairs_left(progress)},
        "op_id": secrets.token_hex(16),
        "activity": campaign.judging.activity,
        "sandbox": OPEN,
        "asks_excerpt": preferring is not None and preferring.excerpt != "none",
        "state": content
        | {"contest": progress, "opening": opening_for(assessor.group)}
        | texts_json(topic, choices),
    }


def _take_answer(
    request: HttpRequest, contest: Contest, task: PairTask, assessor: Assessor
) -> HttpResponse:
    """Accept the answer in a form, and show the next pair."""
    try:
        body: dict[str, Any] = {
            "op_id": request.POST.get("op_id", ""),
            "pair": task.pk,
            "outcome": int(request.POST.get("outcome", "")),
            "left_sha256": request.POST.get("left_sha256", ""),
            "right_sha256": request.POST.get("right_sha256", ""),
            "base_revision": int(request.POST.get("base_revision", "")),
            "input_kind": "form",
        }
        known = (task.left_sha256, task.right_sha256)
        if known == (body["left_sha256"], body["right_sha256"]):
            body["passages"] = task.passages
    except ValueError:
        raise no_number("outcome") from None
    submission = submission_of(PairSubmission, body)
    try:
        judge_pair(submission, contest.pk, assessor=assessor)
    except RefusedError as error:
        if error.reason == "withdrawn":
            return redirect("prefer-next", contest.pk)
        task.refresh_from_db()
        contest.refresh_from_db()
        context = _with_pair(contest, task, assessor, "page") | {"problem": error.message}
        return render(request, "prefer.html", context, status=409)
    return redirect("prefer-next", contest.pk)
