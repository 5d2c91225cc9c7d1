"""The API for programs that judge; see `model_assessors.operations` and the OpenAPI document."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse

from qrelsmith.web.accounts.access import public, token_api
from qrelsmith.web.accounts.token_access import token_of
from qrelsmith.web.accounts.tokens import TokenError
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.judging.batches import BatchRefusedError
from qrelsmith.web.model_assessors.labels import GivenLabel
from qrelsmith.web.model_assessors.operations import JUDGMENTS, OPERATIONS, TOPICS, WORK
from qrelsmith.web.model_assessors.recording import Recorded, faults_of, record
from qrelsmith.web.model_assessors.settings import GivenSetting
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, Topic, TopicVersion
from qrelsmith.web.openapi.declared import values_of
from qrelsmith.web.openapi.document import openapi
from qrelsmith.web.openapi.operations import RequestError
from qrelsmith.web.openapi.problems import counted, problem
from qrelsmith.web.openapi.schemas import Fault, shown
from qrelsmith.web.site.answers import answered

_TEXTS = ("title", "description", "narrative")
_ABOUT = "The API for model assessors: programs read the docs to be judged and send judgments."
# Errors that mean a conflict with existing data.
_CONFLICTS = {"stale", "op_id"}


@public()
def document(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document."""
    return answered(openapi(OPERATIONS, title="qrelsmith: model assessors", about=_ABOUT))


@token_api(TOPICS.scope)
def topics(request: HttpRequest) -> HttpResponse:
    """Return the topics of a model assessor."""
    try:
        TOPICS.query(request.GET.dict())
    except RequestError as error:
        return _refusal(error)
    return answered(topics_json(token_of(request).assessor))


@token_api(WORK.scope)
def work(request: HttpRequest) -> HttpResponse:
    """Return docs that a model assessor has not judged yet."""
    try:
        query = WORK.query(request.GET.dict())
        return answered(work_json(token_of(request).assessor, **query))
    except RequestError as error:
        return _refusal(error)
    except Http404:
        return problem(404, "This assessor does not judge this topic.")


@token_api(JUDGMENTS.scope, methods=("POST",))
def judgments(request: HttpRequest) -> HttpResponse:
    """Record a batch of judgments."""
    try:
        body = JUDGMENTS.check(_json(request))
    except RequestError as error:
        return _refusal(error)
    labels = [GivenLabel(**values_of(GivenLabel, each)) for each in body["judgments"]]
    setting = GivenSetting(**values_of(GivenSetting, body["setting"]))
    try:
        token = token_of(request)
        done = record(labels, setting, assessor=token.assessor, token=token)
    except TokenError as error:
        return problem(401, str(error))
    except BatchRefusedError as error:
        faults = faults_of(error)
        status = 409 if {fault.reason for fault in faults} <= _CONFLICTS else 422
        return problem(status, counted(faults), faults)
    return answered(_results_json(done, labels))


def _json(request: HttpRequest) -> Any:
    if request.content_type != "application/json":
        fault = Fault((), shown(request.content_type), "the content type application/json")
        raise RequestError([fault], status=415)
    try:
        return json.loads(request.body, parse_constant=_no_constant)
    except RequestDataTooBig:
        expected = "a body of at most 1 MiB, with fewer judgments at once"
        raise RequestError([Fault((), "a larger body", expected)], status=413) from None
    except (ValueError, RecursionError):
        raise RequestError([Fault((), "invalid JSON", "a JSON object")]) from None


def _results_json(done: Recorded, labels: list[GivenLabel]) -> dict[str, Any]:
    return {
        "setting": {"version": done.setting.version, "prompt_sha256": done.setting.prompt_sha256},
        "results": [
            {
                "item": item,
                "op_id": label.op_id,
                "result": "repeated" if item in done.repeated else "accepted",
                "revision": revision,
            }
            for item, (label, revision) in enumerate(zip(labels, done.revisions, strict=True))
        ],
    }


def _refusal(error: RequestError) -> HttpResponse:
    return problem(error.status, counted(error.faults), error.faults)


def _no_constant(name: str) -> float:
    raise ValueError(name)


def topics_json(assessor: Assessor) -> dict[str, Any]:
    """Return the topics of an assessor, with progress."""
    assignments = list(
        Assignment.objects.filter(assessor=assessor)
        .select_related("topic")
        .order_by("round", "topic__name", "hit")
    )
    texts = _texts({assignment.topic_id for assignment in assignments})
    return {
        "topics": [
            texts[assignment.topic_id]
            | {
                "round": assignment.round,
                "hit": assignment.hit,
                "is_open": assignment.is_open,
                "judged": assignment.judged,
                "total": assignment.total,
            }
            for assignment in assignments
        ]
    }


def work_json(assessor: Assessor, *, topic: str, limit: int, after: int) -> dict[str, Any]:
    """Return docs without a label, with the texts needed to judge them.

    Raises
    ------
    Http404
        If the assessor does not judge the given topic.
    """
    own = Assignment.objects.filter(assessor=assessor)
    if topic and not own.filter(topic__name=topic).exists():
        raise Http404
    docs = AssignedDoc.objects.select_related("doc", "assignment__topic").filter(
        assignment__assessor=assessor, assignment__is_open=True, is_judged=False, pk__gt=after
    )
    # A doc cannot be judged if the app lacks its content.
    docs = docs.exclude(doc__version=0)
    if topic:
        docs = docs.filter(assignment__topic__name=topic)
    rows = list(docs.order_by("pk")[: limit + 1])
    shown = rows[:limit]
    texts = _texts({doc.assignment.topic_id for doc in shown})
    versions = {
        each.doc_id: each
        for each in DocVersion.objects.filter(
            doc__in=[doc.doc_id for doc in shown], version=F("doc__version")
        )
    }
    return {
        "scale": _scale_json(current_scale()),
        "topics": [texts[pk] for pk in sorted(texts)],
        "docs": [_doc_json(doc, versions[doc.doc_id]) for doc in shown],
        "next": shown[-1].pk if len(rows) > limit else None,
    }


def _doc_json(doc: AssignedDoc, version: DocVersion) -> dict[str, Any]:
    assignment = doc.assignment
    return {
        "topic": assignment.topic.name,
        "topic_version": assignment.topic.version,
        "round": assignment.round,
        "doc": doc.doc.name,
        "sha256": version.sha256,
        "title": version.title,
        "url": version.url,
        "text": visible_text(version),
        "revision": doc.revision,
    }


def _scale_json(scale: ShownScale) -> dict[str, Any]:
    levels = [
        {
            "grade": level["grade"],
            "label": level["label"],
            "text": level["text"],
            "note": scale.wish("note", float(level["grade"])),
            "excerpt": scale.wish("excerpt", float(level["grade"])),
        }
        for level in scale.content["levels"]
    ]
    return {
        "version": scale.version,
        "control": scale.control,
        "instructions": scale.content["instructions"],
        "levels": levels,
        "errors": scale.content["errors"],
    }


def _texts(topics: set[int]) -> dict[int, dict[str, Any]]:
    """Return the current versions of topics, by key."""
    names = dict(Topic.objects.filter(pk__in=topics).values_list("pk", "name"))
    current = TopicVersion.objects.filter(topic__in=topics, version=F("topic__version"))
    return {
        each.topic_id: {"topic": names[each.topic_id], "version": each.version}
        | {name: getattr(each, name) for name in _TEXTS}
        for each in current
    }
