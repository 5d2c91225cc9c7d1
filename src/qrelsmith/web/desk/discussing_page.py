"""Discussion of pairs by assessors: all answers and reasons, a thread, the user's own answer."""

from __future__ import annotations

import secrets

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from qrelsmith.web.accounts.access import JUDGES, account_of, assessor_of, page
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.desk.contradictions import ContestedPair, contested_pair, contested_pairs
from qrelsmith.web.desk.pair_case import pair_case_of
from qrelsmith.web.desk.verdicts import say
from qrelsmith.web.models import Assessor, PairTask
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.pairs.kind import PairSubmission, judge_pair
from qrelsmith.web.site.parameters import form_number, form_op_id, form_text, form_whole

_LONGEST = 10_000


@page(JUDGES)
def discussions(request: HttpRequest) -> HttpResponse:
    """Show the pairs that the user is asked to discuss."""
    return render(request, "discussions.html", {"pairs": own_discussions(assessor_of(request))})


@page(JUDGES, methods=("GET", "POST"))
def discussing(request: HttpRequest, pair_id: int) -> HttpResponse:
    """Show all answers to a pair, and accept a message or a new answer."""
    task, pair = _own_pair(pair_id, assessor_of(request))
    if request.method == "GET":
        return _page(request, task, pair)
    op_id = form_op_id(request)
    try:
        if "say" in request.POST:
            say(
                account_of(request),
                op_id,
                pair.matter,
                form_text(request, "text", longest=_LONGEST),
            )
        else:
            judge_pair(_answer(request, task, op_id), task.contest_id, assessor=task.assessor)
    except RefusedError as error:
        task, pair = _own_pair(pair_id, task.assessor)
        return _page(request, task, pair, problem=error.message, status=409)
    return redirect("discuss", pair_id)


def _answer(request: HttpRequest, task: PairTask, op_id: str) -> PairSubmission:
    """Return the submitted answer; its earlier passages are kept if their docs are unchanged."""
    digests = form_text(request, "left_sha256"), form_text(request, "right_sha256")
    is_same = digests == (task.left_sha256, task.right_sha256)
    return PairSubmission(
        op_id=op_id,
        pair=task.pk,
        outcome=int(form_number(request, "outcome")),
        left_sha256=digests[0],
        right_sha256=digests[1],
        base_revision=form_whole(request, "base_revision"),
        passages=task.passages if is_same else [],
        input_kind="form",
    )


def own_discussions(assessor: Assessor | None) -> list[tuple[int, ContestedPair]]:
    """Return the pairs that an assessor is asked to discuss, each with the assessor's own task."""
    if assessor is None:
        return []
    own = PairTask.objects.filter(assessor=assessor, purpose=PairTask.Purpose.SEARCH)
    mine = set(own.values_list("pk", flat=True))
    return [
        (next(task for task in pair.tasks if task in mine), pair)
        for pair in contested_pairs(assessor)
        if pair.opened is not None
    ]


def _own_pair(pair_id: int, assessor: Assessor | None) -> tuple[PairTask, ContestedPair]:
    """Return a pair of the assessor that is under discussion; 404 otherwise."""
    found = PairTask.objects.select_related("contest__topic", "left", "right", "assessor")
    own = found.filter(purpose=PairTask.Purpose.SEARCH, withdrawn=False, is_judged=True)
    task = get_object_or_404(own, pk=pair_id, assessor=assessor, assessor__isnull=False)
    pair = contested_pair(task)
    if pair.opened is None:
        raise Http404
    return task, pair


def _page(
    request: HttpRequest,
    task: PairTask,
    pair: ContestedPair,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "case": pair_case_of(task, pair, (task.left, task.right), is_seen=True),
        "task": task,
        "choices": current_choices().buttons(),
        "is_open": task.contest.is_open and pair.verdict is None,
        "problem": problem,
        "op_id": secrets.token_hex(16),
    }
    return render(request, "discussion.html", context, status=status)
