"""The current label of every assigned doc, as its events leave it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from qrelsmith.web.models import AssignedDoc, Event


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an assigned doc at some revision.

    Attributes
    ----------
    value : float or None
        A grade, a code below 0, or None: unjudged.
    note, excerpt : str
        What came with it.
    passages : list of dict
        The passages of the doc that support it.
    sha256 : str
        The digest of the doc that was shown; empty if it is unjudged.
    topic_version, scale_version : int
        The texts by which it was judged; 0 if it is unjudged.
    """

    value: float | None = None
    note: str = ""
    excerpt: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)
    sha256: str = ""
    topic_version: int = 0
    scale_version: int = 0


UNJUDGED = Label()


def label_after(event: Event) -> Label:
    """The label that an event leaves; an event says all of it."""
    if event.value is None:
        return UNJUDGED
    return Label(
        value=event.value,
        note=event.note,
        excerpt=event.excerpt,
        passages=event.passages,
        sha256=event.sha256,
        topic_version=event.topic_version,
        scale_version=event.scale_version,
    )


def label_of(doc: AssignedDoc) -> Label:
    """The label that the projection holds."""
    return Label(
        value=doc.value,
        note=doc.note,
        excerpt=doc.excerpt,
        passages=doc.passages,
        sha256=doc.sha256,
        topic_version=doc.topic_version,
        scale_version=doc.scale_version,
    )


def label_at(doc: AssignedDoc, revision: int) -> Label:
    """The label that a doc had at an earlier revision."""
    if revision == 0:
        return UNJUDGED
    return label_after(Event.objects.get(assigned=doc, revision=revision))
