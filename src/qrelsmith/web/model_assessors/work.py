"""The work of a model assessor, as the API shows it."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.http import Http404

from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, Topic, TopicVersion

_TEXTS = ("title", "description", "narrative")


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
