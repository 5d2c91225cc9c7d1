"""Assigned docs as pages and scripts see them."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404
from django.urls import reverse

from qrelsmith.web.docs.terms import terms_query, topic_language, topic_terms
from qrelsmith.web.graded.earlier_labels import earlier_labels, earlier_passages
from qrelsmith.web.graded.opening import opening_for
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, Event, TopicVersion

FILTERS = ("all", "open", "judged", "errors", "noted", "stale")


def own_assignment(pk: int, assessor: Assessor | None) -> Assignment:
    """An assignment of this assessor; 404 if it is another one's."""
    found = Assignment.objects.select_related("topic", "assessor")
    return get_object_or_404(found, pk=pk, assessor=assessor)


def topic_text(assignment: Assignment) -> TopicVersion:
    """The topic as it reads now."""
    topic = assignment.topic
    return TopicVersion.objects.get(topic=topic, version=topic.version)


@cache
def listed_docs() -> QuerySet[AssignedDoc]:
    """Assigned docs together with what lists show of them; to be filtered, which copies it."""
    current = DocVersion.objects.filter(doc=OuterRef("doc"), version=OuterRef("doc__version"))
    return AssignedDoc.objects.select_related("doc", "assignment__topic").annotate(
        current_sha256=Subquery(current.values("sha256")[:1]),
        current_title=Subquery(current.values("title")[:1]),
    )


def docs_of(assignment: Assignment, chosen: str = "all") -> QuerySet[AssignedDoc]:
    """The docs of an assignment that a filter lets through, in their order."""
    docs = listed_docs().filter(assignment=assignment).order_by("position")
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
    """The doc as it reads now; None if its content is not here."""
    versions = DocVersion.objects.filter(doc=doc.doc, version=doc.doc.version)
    return versions.exclude(content=b"").first()


def next_open(assignment: Assignment, *, after: int = 0) -> int | None:
    """The position of the next unjudged doc, from the beginning again if none follows."""
    if assignment.judged == assignment.total:
        return None
    docs = AssignedDoc.objects.filter(assignment=assignment, is_judged=False).order_by("position")
    positions = docs.values_list("position", flat=True)
    following = positions.filter(position__gt=after).first()
    return following if following is not None else positions.first()


def last_position(assignment: Assignment) -> int:
    """The position of the doc that was judged last, 0 if none was."""
    events = Event.objects.filter(assignment=assignment).order_by("-id")
    return events.values_list("assigned__position", flat=True).first() or 0


def shown_row(doc: AssignedDoc, scale: ShownScale) -> dict[str, Any]:
    """A doc as the list shows it; it must come from `listed_docs`."""
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


def shown_doc(doc: AssignedDoc, scale: ShownScale, topic: TopicVersion) -> dict[str, Any]:
    """A doc with all that a judgment of it must name; it must come from `listed_docs`."""
    content = doc_content(doc)
    return shown_row(doc, scale) | {
        "url": content.url if content else "",
        "form": content.form if content else "",
        "frame": frame_address(doc, content, topic),
        "earlier": earlier_labels(doc, scale),
        "earlier_passages": earlier_passages(doc),
        "topic_version": topic.version,
        "scale_version": scale.version,
    }


def shown_assignment(
    assignment: Assignment, scale: ShownScale, topic: TopicVersion
) -> dict[str, Any]:
    """An assignment with the texts that its docs are judged by, for a script."""
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
    """`open`, `judged` or `error`."""
    if doc.value is None:
        return "open"
    return "error" if doc.value < 0 else "judged"


def stale_parts(doc: AssignedDoc, scale: ShownScale) -> list[str]:
    """What has changed since a doc was judged: some of `topic`, `doc`, `scale`."""
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
    """Where the doc can be looked at, terms highlighted; empty if its content is not here."""
    if content is None:
        return ""
    query = urlencode({"view": view, "sha256": content.sha256, **terms_query(topic)})
    return f"{reverse('doc', args=[doc.pk])}?{query}"


def _of(doc: AssignedDoc, name: str) -> str:
    """What `listed_docs` adds to a doc."""
    return getattr(doc, name) or ""
