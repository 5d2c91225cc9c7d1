"""The front page: the work of an assessor, or the overview of a campaign."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from qrelsmith.judging_times.judging_pace import Pace, pace_of
from qrelsmith.web.accounts.access import EVERYBODY, account_of, page
from qrelsmith.web.desk.discussing_page import own_discussions
from qrelsmith.web.graded.early_repeats import repeat_rounds, without_early
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import (
    AnswerEvent,
    Assessor,
    Assignment,
    CrowdWorker,
    DeskEvent,
    Event,
    PreferenceEvent,
    Role,
    TopicVersion,
)
from qrelsmith.web.models.accepted import AcceptedEvent
from qrelsmith.web.organiser.matrix_page import overview
from qrelsmith.web.pairs.shown import contests_json

# Number of latest judgments, and the longest interval that does not count as a pause.
_NEWEST, _PAUSE_S = 300, 180.0
Log = type[Event] | type[PreferenceEvent] | type[AnswerEvent]


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


def own_pace(kind: Log, assessor: Assessor) -> Pace:
    """Return an assessor's pace, from active times or from the times between judgments."""
    found = kind.objects.filter(assessor=assessor, kind=AcceptedEvent.Kind.JUDGE, revision=1)
    rows = list(found.order_by("-id").values_list("active_ms", "accepted_at")[:_NEWEST])
    active = [each / 1000 for each, _ in rows if each is not None]
    moments = np.array([at.timestamp() for _, at in rows])
    seconds = np.array(active) if len(active) * 2 > len(rows) else -np.diff(moments)
    return pace_of(np.sort(seconds[(seconds > 0) & (seconds <= _PAUSE_S)]))


def own_work(assessor: Assessor, tasks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return an assessor's remaining work by kind, and the hours needed at the current pace."""
    left: dict[str, Any] = {"hours": 0.0, "is_timed": True}
    kinds: dict[str, Log] = {"grades": Event, "pairs": PreferenceEvent, "answers": AnswerEvent}
    for name, kind in kinds.items():
        waiting = [each for each in tasks if each["kind"] == name and each["is_open"]]
        docs = sum(
            max(each["total"] - each["judged"], 0) for each in waiting if not each["is_done"]
        )
        pace = own_pace(kind, assessor)
        left |= {name: docs, f"{name}_pace": pace}
        if docs and pace.is_enough:
            left["hours"] += docs * pace.median / 3600
        elif docs:
            left["is_timed"] = False
    return left
