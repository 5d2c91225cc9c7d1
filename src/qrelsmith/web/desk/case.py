"""A doc or aspect in the queue, with its topic, the labels with reasons, and the decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from qrelsmith.web.desk.aspects import aspect_matter, items_of
from qrelsmith.web.desk.matters import Matter, current_verdict
from qrelsmith.web.docs.passages import is_stale, pieces
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import (
    AnswerAspect,
    AssignedDoc,
    DeskEvent,
    Doc,
    DocVersion,
    Topic,
    TopicVersion,
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A label by an assessor in a round, with the reasons.

    Attributes
    ----------
    number : int
        Its number among the opinions, from 1; its passages have this number in the doc.
    assessor, group : str
        The assessor and the group.
    round : int
        The judging round.
    label, note, excerpt : str
        The label, the note, and an excerpt.
    passages : sequence of (dict, bool)
        The supporting passages, each with whether it is from another version of the doc.
    """

    number: int
    assessor: str
    group: str
    round: int
    label: str
    note: str
    excerpt: str
    passages: Sequence[tuple[dict[str, Any], bool]]


@dataclass(frozen=True, slots=True)
class MarkedDoc:
    """A doc with marked passages.

    Attributes
    ----------
    doc : Doc
        The doc.
    version : DocVersion or None
        The current version; None if the app lacks the doc's content.
    text : str
        The text of the version.
    pieces : list of (str, list)
        The text, cut where passages begin and end; each part has the marks of the passages that
        contain it.
    """

    doc: Doc
    version: DocVersion | None
    text: str
    pieces: list[tuple[str, list[Any]]]


@dataclass(frozen=True, slots=True)
class Case:
    """A doc of a topic, or an aspect of an answer, as shown in the queue.

    Attributes
    ----------
    topic, doc : Topic, Doc
        The topic and doc; for an aspect, the doc to read: the answer, or the doc that it cites.
    aspect : AnswerAspect or None
        The aspect, or None for a doc.
    text : TopicVersion
        The current version of the topic.
    shown : MarkedDoc
        The doc; the marks of passages are the numbers of the opinions.
    opinions : sequence of Opinion
        All labels and reasons; empty until they may be shown.
    verdict : DeskEvent or None
        The latest verdict.
    said : sequence of DeskEvent
        The thread of the doc and of its topic.
    """

    topic: Topic
    doc: Doc
    aspect: AnswerAspect | None
    text: TopicVersion
    shown: MarkedDoc
    opinions: Sequence[Opinion]
    verdict: DeskEvent | None
    said: Sequence[DeskEvent]


def matter_of(row: AssignedDoc | AnswerAspect) -> Matter:
    """Return the key of the disagreement about an item."""
    if isinstance(row, AnswerAspect):
        return aspect_matter(row)
    return Matter(row.assignment.topic_id, row.doc_id)


def case_of(row: AssignedDoc | AnswerAspect, scale: ShownScale, *, is_seen: bool) -> Case:
    """Return an item for adjudication; for a blind view, without labels."""
    topic, doc, matter = row.assignment.topic, row.doc, matter_of(row)
    text = current_text(doc)[1]
    opinions = list(_opinions(matter, scale, text)) if is_seen else []
    marks = [(passage, one.number) for one in opinions for passage, old in one.passages if not old]
    words = DeskEvent.objects.filter(topic=topic, kind=DeskEvent.Kind.SAID, other=None)
    return Case(
        topic=topic,
        doc=doc,
        aspect=row if isinstance(row, AnswerAspect) else None,
        text=TopicVersion.objects.get(topic=topic, version=topic.version),
        shown=marked_doc(doc, marks),
        opinions=opinions,
        verdict=current_verdict(matter),
        said=[
            word
            for word in words.order_by("id")
            if (word.doc_id, word.aspect) in ((None, ""), (matter.doc, matter.aspect))
        ],
    )


def marked_doc(doc: Doc, marks: Iterable[tuple[dict[str, Any], Any]]) -> MarkedDoc:
    """Return the current version of a doc, with marked passages."""
    version, text = current_text(doc)
    return MarkedDoc(doc, version, text, pieces(text, marks))


def current_text(doc: Doc) -> tuple[DocVersion | None, str]:
    """Return the current version of a doc and its text; without content, (None, "")."""
    version = DocVersion.objects.filter(doc=doc, version=doc.version).exclude(content=b"").first()
    return version, visible_text(version) if version else ""


def thread_of(topic: Topic) -> Sequence[DeskEvent]:
    """Return all messages about a topic and its docs."""
    words = DeskEvent.objects.filter(topic=topic, kind=DeskEvent.Kind.SAID)
    return list(words.select_related("doc", "other").order_by("id"))


def _opinions(matter: Matter, scale: ShownScale, text: str) -> Iterable[Opinion]:
    rows: Iterable[Any]
    if matter.aspect:
        rows = (item for item in items_of(matter) if item.is_judged)
    else:
        found = AssignedDoc.objects.filter(
            assignment__topic=matter.topic, doc=matter.doc, is_judged=True
        )
        rows = found.select_related("assignment__assessor").order_by(
            "assignment__round", "assignment__assessor__group", "assignment__assessor__name"
        )
    for number, row in enumerate(rows, start=1):
        assessor = row.assignment.assessor
        yield Opinion(
            number=number,
            assessor=assessor.name,
            group=assessor.group,
            round=getattr(row.assignment, "round", 1),
            label="" if row.value is None else scale.label(row.value),
            note=row.note,
            excerpt=getattr(row, "excerpt", ""),
            passages=[(passage, is_stale(passage, text)) for passage in row.passages],
        )
