"""Assigned docs, as shown by pages and scripts."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404
from django.urls import reverse

from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.docs.terms import terms_query, topic_language, topic_terms
from qrelsmith.web.graded.earlier_labels import FIRST_ROUND, earlier_labels, earlier_passages
from qrelsmith.web.graded.early_repeats import without_early
from qrelsmith.web.graded.opening import opening_for
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import (
    Assessor,
    AssignedDoc,
    Assignment,
    Contest,
    DocVersion,
    Event,
    TopicVersion,
)

FILTERS = ("all", "open", "judged", "errors", "noted", "stale")


_OWN = Prepared[Assignment](
    lambda pk, assessor: Assignment.objects.select_related("topic", "assessor").filter(
        pk=pk, assessor=assessor
    )
)
_TEXT = Prepared[TopicVersion](
    lambda topic, version: TopicVersion.objects.select_related("topic").filter(
        topic=topic, version=version
    )
)
# The columns of a doc that are shown without loading its content, which may be long.
_DESCRIBED = Prepared[DocVersion](
    lambda doc, version: (
        DocVersion.objects.filter(doc=doc, version=version).exclude(content=b"").defer("content")
    )
)


def own_assignment(pk: int, assessor: Assessor | None) -> Assignment:
    """Return an assignment; 404 if another assessor has it, or if it is not visible yet."""
    found = _OWN.first(pk, assessor.pk) if assessor is not None else None
    if found is None:
        raise Http404
    if found.round > FIRST_ROUND and not without_early(Assignment.objects.filter(pk=pk)).exists():
        raise Http404
    return found


def topic_text(stream: Assignment | Contest) -> TopicVersion:
    """Return the current version of the topic of an assignment or preference task."""
    topic = stream.topic
    found = _TEXT.first(topic.pk, topic.version)
    if found is None:
        raise LookupError(f"topic {topic.name} has no text")
    return found


@cache
def docs_of_lists() -> QuerySet[AssignedDoc]:
    """Return a query for assigned docs with the fields shown in lists, which can be filtered."""
    return AssignedDoc.objects.select_related("doc", "assignment__topic").annotate(
        current_sha256=DocVersion.current("doc", "sha256"),
        current_title=DocVersion.current("doc", "title"),
    )


def docs_of(assignment: Assignment, chosen: str = "all") -> QuerySet[AssignedDoc]:
    """Return the docs of an assignment that match a filter, in order."""
    docs = docs_of_lists().filter(assignment=assignment).order_by("position")
    if chosen == "open":
        return docs.filter(is_judged=False)
    if chosen == "judged":
        return docs.filter(is_judged=True, value__gte=0)
    if chosen == "errors":
        return docs.filter(is_judged=True, value__lt=0)
    if chosen == "noted":
        return docs.filter(is_judged=True).exclude(note="", excerpt="", passages=[])
    if chosen == "stale":
        is_current = Q(
            topic_version=assignment.topic.version,
            scale_version=current_scale().version,
            sha256=Coalesce("current_sha256", "sha256"),
        )
        return docs.filter(is_judged=True).exclude(is_current)
    return docs


def doc_content(doc: AssignedDoc) -> DocVersion | None:
    """Return the current version of the doc; None if the app lacks its content."""
    versions = DocVersion.objects.filter(doc=doc.doc, version=doc.doc.version)
    return versions.exclude(content=b"").first()


_AT = Prepared[AssignedDoc](
    lambda assignment, position: docs_of_lists().filter(assignment=assignment, position=position)
)
_OPEN_AFTER = Prepared[int](
    lambda assignment, after: (
        AssignedDoc.objects.filter(assignment=assignment, is_judged=False, position__gt=after)
        .order_by("position")
        .values_list("position", flat=True)[:1]
    )
)


def doc_in(assignment: Assignment, position: int) -> AssignedDoc | None:
    """Return the doc at a position of an assignment."""
    return _AT.first(assignment.pk, position)


def next_open(assignment: Assignment, *, after: int = 0) -> int | None:
    """Return the position of the next unjudged doc, starting again from the first."""
    if assignment.judged == assignment.total:
        return None
    following = _OPEN_AFTER.first(assignment.pk, after)
    return following if following is not None else _OPEN_AFTER.first(assignment.pk, 0)


def last_position(assignment: Assignment) -> int:
    """Return the position of the last judged doc, or 0 if none was judged."""
    events = Event.objects.filter(assignment=assignment).order_by("-id")
    return events.values_list("assigned__position", flat=True).first() or 0


def doc_row_json(doc: AssignedDoc, scale: ShownScale) -> dict[str, Any]:
    """Return the list entry of a doc, which must come from `docs_of_lists`."""
    return {
        "doc": doc.pk,
        "position": doc.position,
        "revision": doc.revision,
        "value": doc.value,
        "status": status_of(doc),
        "note": doc.note,
        "excerpt": doc.excerpt,
        "passages": doc.passages,
        "name": doc.doc.name,
        "title": _of(doc, "current_title"),
        "sha256": _of(doc, "current_sha256"),
        "label": "" if doc.value is None else scale.label(doc.value),
        "stale": stale_parts(doc, scale),
    }


def doc_json(doc: AssignedDoc, scale: ShownScale, topic: TopicVersion) -> dict[str, Any]:
    """Return a doc with all fields of a judgment; the doc must come from `docs_of_lists`."""
    content = _DESCRIBED.first(doc.doc_id, doc.doc.version)
    return doc_row_json(doc, scale) | {
        "url": content.url if content else "",
        "form": content.form if content else "",
        "frame": frame_address(doc, content, topic),
        "earlier": earlier_labels(doc, scale),
        "earlier_passages": earlier_passages(doc),
        "topic_version": topic.version,
        "scale_version": scale.version,
    }


def assignment_json(
    assignment: Assignment, scale: ShownScale, topic: TopicVersion
) -> dict[str, Any]:
    """Return an assignment with the texts for judging its docs, for a script."""
    return {
        "assignment": assignment.pk,
        "is_open": assignment.is_open,
        "opening": opening_for(assignment.assessor.group),
        "judged": assignment.judged,
        "total": assignment.total,
        "topic": {
            "name": assignment.topic.name,
            "version": topic.version,
            "title": topic.title,
            "description": topic.description,
            "narrative": topic.narrative,
            "language": (language := topic_language(topic)),
            "terms": topic_terms(topic.title, language),
        },
        "scale": {"version": scale.version, **scale.content},
    }


def status_of(doc: AssignedDoc) -> str:
    """Return the status of a doc: `open`, `judged` or `error`."""
    if doc.value is None:
        return "open"
    return "error" if doc.value < 0 else "judged"


def stale_parts(doc: AssignedDoc, scale: ShownScale) -> list[str]:
    """Return the parts that changed since a doc was judged: some of `topic`, `doc`, `scale`."""
    if not doc.is_judged:
        return []
    changed = {
        "topic": doc.topic_version != doc.assignment.topic.version,
        "doc": bool(_of(doc, "current_sha256")) and doc.sha256 != _of(doc, "current_sha256"),
        "scale": doc.scale_version != scale.version,
    }
    return [name for name, is_changed in changed.items() if is_changed]


def frame_address(
    doc: AssignedDoc, content: DocVersion | None, topic: TopicVersion, *, view: str = "page"
) -> str:
    """Return the address of a doc with highlighted terms; empty if the app lacks its content."""
    if content is None:
        return ""
    query = urlencode({"view": view, "sha256": content.sha256, **terms_query(topic)})
    return f"{reverse('doc', args=[doc.pk])}?{query}"


def _of(doc: AssignedDoc, name: str) -> str:
    """Return a value that `docs_of_lists` adds to a doc."""
    return getattr(doc, name) or ""
