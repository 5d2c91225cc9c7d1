"""The adjudication pages for pairs with contradicting answers: discussion or decision."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext

from qrelsmith.web.accounts.access import ORGANISERS, WATCHERS, account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.desk.contradictions import contested_pair, contested_pairs
from qrelsmith.web.desk.matters import Matter, has_seen, seen_matters
from qrelsmith.web.desk.pair_case import PairCase, desk_sides, pair_case_of
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, open_discussion, reveal, say
from qrelsmith.web.models import PairTask
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.site.parameters import form_number, form_op_id, form_text, form_whole

_LONGEST = 10_000


@page(WATCHERS)
def pair_desk(request: HttpRequest, pair_id: int) -> HttpResponse:
    """Show a pair, with the answers once they may be seen."""
    return _page(request, search_task(pair_id))


@page(ORGANISERS)
def next_pair_case(request: HttpRequest) -> HttpResponse:
    """Open the next contradicted pair whose answers the user has not seen."""
    seen = seen_matters(account_of(request)) or set()
    for pair in contested_pairs():
        if pair.state in ("waiting", "discussed") and pair.matter not in seen:
            return redirect("desk-pair", pair.task)
    messages.success(
        request, gettext("No disagreements are left: you have decided or viewed all of them.")
    )
    return redirect("organiser-contests")


@page(ORGANISERS, methods=("POST",))
def deciding(request: HttpRequest, pair_id: int) -> HttpResponse:
    """Record a verdict on a pair, and show the answers."""
    task = search_task(pair_id)
    case = _case(request, task)
    by_side = dict(zip(("left", "right"), case.sides, strict=True))
    digests = {
        by_side[side].doc.pk: form_text(request, f"{side}_sha256") for side in ("left", "right")
    }
    matter = case.pair.matter
    is_withdrawn = "withdraw" in request.POST
    verdict = DeskVerdict(
        op_id=form_op_id(request),
        value=None if is_withdrawn else form_number(request, "value") * case.turned,
        base_revision=form_whole(request, "base_revision"),
        sha256=digests[matter.doc or 0],
        other_sha256=digests[matter.other or 0],
        text=form_text(request, "text", longest=_LONGEST),
    )
    try:
        adjudicate(account_of(request), matter, verdict)
    except RefusedError as error:
        return _page(request, task, problem=error.message, status=409)
    note_action(request, "adjudicate", f"{case.pair.topic} {case.pair.doc} {case.pair.other}")
    return redirect("desk-pair", pair_id)


@page(ORGANISERS, methods=("POST",))
def revealing_pair(request: HttpRequest, pair_id: int) -> HttpResponse:
    """Show the answers before the verdict, which then does not count as blind."""
    reveal(account_of(request), contested_pair(search_task(pair_id)).matter)
    return redirect("desk-pair", pair_id)


@page(ORGANISERS, methods=("POST",))
def asking_pair(request: HttpRequest, pair_id: int) -> HttpResponse:
    """Post a message in the thread of the pair, or a question to the topic's author."""
    matter = contested_pair(search_task(pair_id)).matter
    about = Matter(matter.topic) if "topic" in request.POST else matter
    text = form_text(request, "text", longest=_LONGEST)
    say(account_of(request), form_op_id(request), about, text)
    return redirect("desk-pair", pair_id)


@page(ORGANISERS, methods=("POST",))
def opening_discussions(request: HttpRequest) -> HttpResponse:
    """Ask the assessors of all contradicted pairs to discuss these pairs."""
    waiting = [pair for pair in contested_pairs() if pair.state == "waiting"]
    with writing():
        for pair in waiting:
            open_discussion(account_of(request), pair.matter, pair.answers_text)
    note_action(request, "discuss", f"{len(waiting)} pairs")
    told = ngettext(
        "%(count)d pair is now under discussion and is shown to its assessors.",
        "%(count)d pairs are now under discussion and are shown to their assessors.",
        len(waiting),
    )
    messages.success(request, told % {"count": len(waiting)})
    return redirect("organiser-contests")


def search_task(pair_id: int) -> PairTask:
    """Return a task whose answers count; 404 otherwise."""
    found = PairTask.objects.select_related("contest__topic", "left", "right", "assessor")
    search = found.filter(purpose=PairTask.Purpose.SEARCH, withdrawn=False)
    return get_object_or_404(search, pk=pair_id)


def _case(request: HttpRequest, task: PairTask) -> PairCase:
    pair = contested_pair(task)
    is_seen = has_seen(account_of(request), pair.matter)
    return pair_case_of(task, pair, desk_sides(task), is_seen=is_seen)


def _page(
    request: HttpRequest, task: PairTask, *, problem: str = "", status: int = 200
) -> HttpResponse:
    case = _case(request, task)
    # A blind adjudicator does not see another adjudicator's decision, except after a conflict.
    is_told = bool(problem) or has_seen(account_of(request), case.pair.matter)
    context: dict[str, Any] = {
        "case": case,
        "task": task,
        "is_seen": has_seen(account_of(request), case.pair.matter),
        "verdict": case.newest if is_told and case.decided else None,
        "base_revision": case.newest.revision if is_told and case.newest else 0,
        "choices": current_choices().buttons(),
        "problem": problem,
        "op_id": secrets.token_hex(16),
    }
    return render(request, "organiser/desk_pair.html", context, status=status)
