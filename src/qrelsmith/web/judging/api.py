"""Judgments and undos of all kinds, which the scripts of judging pages send."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from qrelsmith.web.accounts.access import JUDGES, api, assessor_of
from qrelsmith.web.core.submissions import Accepted
from qrelsmith.web.judging.accepting import judge, person, undo
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind, kind_of
from qrelsmith.web.site.answers import answered
from qrelsmith.web.site.parameters import json_body, op_id_of, submission_of, timing_of


@api(JUDGES, methods=("POST",))
def judgments(request: HttpRequest, kind: JudgmentKind, **stream: int) -> HttpResponse:
    """Accept a judgment; a repeated `op_id` gets the same response."""
    submission = submission_of(kind.submission, json_body(request))
    (key,) = stream.values()
    return _answer(kind, judge(kind, submission, person(assessor_of(request), key)))


@api(JUDGES, methods=("POST",))
def undos(request: HttpRequest, kind: JudgmentKind, **stream: int) -> HttpResponse:
    """Undo the user's latest judgment in an assignment or preference task."""
    body = json_body(request)
    timing = timing_of(body.get("timing", {}))
    op_id, assessor = op_id_of(body), assessor_of(request)
    (key,) = stream.values()
    return _answer(kind, undo(kind, op_id, key, assessor=assessor, timing=timing))


def judging_patterns() -> list[URLPattern]:
    """Return the URL patterns for judgments and for the pages of every kind of judgment."""
    own = [each for kind in KINDS for each in kind.pages()]
    return own + [
        path(
            f"api/{kind.api}/<int:{kind.stream}_id>/{name}",
            view,
            {"kind": kind},
            f"api-{kind.api}-{name}",
        )
        for kind in KINDS
        for name, view in (("judgments", judgments), ("undo", undos))
    ]


def current_json(unit: Any) -> dict[str, Any]:
    """Return an item with its current label, for a script whose judgment is refused."""
    return {"current": kind_of(unit).row_json(unit)} if unit is not None else {}


def _answer(kind: JudgmentKind, done: Accepted) -> HttpResponse:
    return answered(
        {
            "op_id": done.event.op_id,
            "repeated": done.repeated,
            "accepted_revision": done.event.revision,
            kind.name: kind.row_json(done.unit),
            **kind.progress_json(done.unit, done.event.assessor),
        }
    )
