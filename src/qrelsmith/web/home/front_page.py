"""The front page: the work of an assessor, or the overview of a campaign."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from qrelsmith.web.accounts.access import EVERYBODY, account_of, page
from qrelsmith.web.desk.discussing_page import own_discussions
from qrelsmith.web.graded.early_repeats import repeat_rounds, without_early
from qrelsmith.web.home.own_pace import own_work
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import Assessor, Assignment, CrowdWorker, DeskEvent, Role, TopicVersion
from qrelsmith.web.organiser.matrix_page import overview
from qrelsmith.web.pairs.shown import contests_json


@page(EVERYBODY)
def home(request: HttpRequest) -> HttpResponse:
    """Return the front page: the topics of an assessor, or the overview for other roles."""
    account = account_of(request)
    if account.role != Role.ASSESSOR:
        return overview(request)
    if CrowdWorker.objects.filter(assessor=account.assessor_id).exists():
        return redirect("work")
    tasks = [*_doc_work(account.assessor), *_pair_work(account.assessor)]
    tasks += [task for kind in KINDS for task in kind.work_of(account.assessor)]
    unfinished = [task for task in tasks if task["is_open"] and not task["is_done"]]
    started = [task for task in unfinished if task["is_started"]]
    following = next(iter(started or unfinished), None)
    kinds = {task["kind"] for task in tasks}
    left = own_work(account.assessor, tasks) if account.assessor else {}
    discussed = [pair for _, pair in own_discussions(account.assessor)]
    context = {
        "tasks": tasks,
        "next": following,
        "kinds": kinds,
        "left": left,
        "discussions": len(discussed),
        "contradicted": sum(pair.state == "discussed" for pair in discussed),
    }
    return render(request, "home.html", context)


def _doc_work(assessor: Assessor | None) -> list[dict[str, Any]]:
    """Return the assignments of an assessor with docs to grade."""
    found = without_early(Assignment.objects.filter(assessor=assessor)).select_related("topic")
    repeats = repeat_rounds()
    assignments = list(found.order_by("round", "topic__name", "hit"))
    titles = _titles({assignment.topic.name for assignment in assignments})
    authored = _author_questions(assessor)
    return [
        {
            "kind": "grades",
            "topic": assignment.topic.name,
            "title": titles.get(assignment.topic.name, ""),
            "hit": assignment.hit,
            # Repeated docs are not announced.
            "round": 1 if assignment.round in repeats else assignment.round,
            "address": reverse("resume", args=[assignment.pk]),
            "questions": _questions(assignment, authored),
            "judged": assignment.judged,
            "total": assignment.total,
            "is_bound": False,
            "is_open": assignment.is_open,
            "is_started": assignment.judged > 0,
            "is_done": assignment.judged == assignment.total,
        }
        for assignment in assignments
    ]


def _pair_work(assessor: Assessor | None) -> list[dict[str, Any]]:
    """Return the preference tasks of an assessor."""
    if assessor is None:
        return []
    states = contests_json(assessor)
    titles = _titles({state["topic"] for state in states})
    return [
        {
            "kind": "pairs",
            "topic": state["topic"],
            "title": titles.get(state["topic"], ""),
            "address": reverse("prefer-next", args=[state["contest"]]),
            "judged": state["judged"],
            "total": state["expected"],
            "is_bound": state["is_bound"],
            "is_open": state["is_open"],
            "is_started": state["own"] > 0,
            "is_done": state["is_done"],
        }
        for state in states
    ]


def _author_questions(assessor: Assessor | None) -> set[int]:
    """Return the topics of an author that have questions."""
    if assessor is None:
        return set()
    own = TopicVersion.objects.filter(creator=assessor.name, version=F("topic__version"))
    return set(own.filter(topic__desk__kind=DeskEvent.Kind.SAID).values_list("topic", flat=True))


def _questions(assignment: Assignment, authored: set[int]) -> str:
    """Return the address where the author of a topic answers questions; empty without questions."""
    asked = assignment.topic_id in authored and assignment.round == 1
    return reverse("questions", args=[assignment.pk]) if asked else ""


def _titles(topics: Collection[str]) -> dict[str, str]:
    """Return the current titles of topics."""
    texts = TopicVersion.objects.filter(topic__name__in=topics, version=F("topic__version"))
    return dict(texts.values_list("topic__name", "title"))
