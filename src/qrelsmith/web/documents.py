"""Assigned docs as pages and scripts see them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, TopicVersion
from qrelsmith.web.scale import current_scale

FILTERS = ("all", "open", "judged", "errors", "noted", "stale")


def own_assignment(pk: int, assessor: Assessor | None) -> Assignment:
    """An assignment of this assessor; 404 if it is another one's."""
    found = Assignment.objects.select_related("topic", "assessor")
    return get_object_or_404(found, pk=pk, assessor=assessor)


def topic_text(assignment: Assignment) -> TopicVersion:
    """The topic as it reads now."""
    topic = assignment.topic
    return TopicVersion.objects.get(topic=topic, version=topic.version)


def doc_content(doc: AssignedDoc) -> DocVersion | None:
    """The doc as it reads now; None if its content is not here."""
    return DocVersion.objects.filter(doc=doc.doc, version=doc.doc.version).first()


def shown_label(doc: AssignedDoc) -> dict[str, Any]:
    """The current label of a doc, for a script."""
    return {
        "doc": doc.pk,
        "position": doc.position,
        "revision": doc.revision,
        "value": doc.value,
        "status": status_of(doc),
        "note": doc.note,
        "excerpt": doc.excerpt,
    }


def status_of(doc: AssignedDoc) -> str:
    """`open`, `judged` or `error`."""
    if doc.value is None:
        return "open"
    return "error" if doc.value < 0 else "judged"


def next_open(assignment: Assignment, *, after: int = 0) -> int | None:
    """The position of the next unjudged doc, from the beginning again if none follows."""
    docs = AssignedDoc.objects.filter(assignment=assignment, is_judged=False).order_by("position")
    positions = docs.values_list("position", flat=True)
    following = positions.filter(position__gt=after).first()
    return following if following is not None else positions.first()


def docs_of(assignment: Assignment) -> QuerySet[AssignedDoc]:
    """The docs of an assignment, in their order."""
    found = AssignedDoc.objects.filter(assignment=assignment).select_related("doc")
    return found.order_by("position")


def filtered(assignment: Assignment, chosen: str) -> QuerySet[AssignedDoc]:
    """The docs that a filter of the list lets through."""
    docs = docs_of(assignment)
    if chosen == "open":
        return docs.filter(is_judged=False)
    if chosen == "judged":
        return docs.filter(is_judged=True, value__gte=0)
    if chosen == "errors":
        return docs.filter(value__lt=0)
    if chosen == "noted":
        return docs.exclude(note="")
    if chosen == "stale":
        return docs.filter(is_judged=True).exclude(
            topic_version=assignment.topic.version, scale_version=current_scale().version
        )
    return docs


def shown_doc(assignment: Assignment, doc: AssignedDoc) -> dict[str, Any]:
    """A doc with all that a judgment of it must name."""
    content = doc_content(doc)
    return shown_label(doc) | {
        "name": doc.doc.name,
        "title": content.title if content else "",
        "url": content.url if content else "",
        "form": content.form if content else "",
        "sha256": content.sha256 if content else "",
        "frame": frame_address(doc, content),
        "topic_version": assignment.topic.version,
        "scale_version": current_scale().version,
    }


def frame_address(doc: AssignedDoc, content: DocVersion | None, *, view: str = "page") -> str:
    """Where the doc can be looked at; empty if its content is not here."""
    if content is None:
        return ""
    return f"{reverse('doc', args=[doc.pk])}?view={view}&sha256={content.sha256}"
