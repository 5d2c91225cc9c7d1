"""A doc or an aspect of an answer at the desk: its topic, labels with reasons, the decision."""

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
    """The label that an assessor gave in a round, and the reasons.

    Attributes
    ----------
    number : int
        Its place among the opinions, from 1: its passages carry it in the doc.
    assessor, group : str
        Who.
    round : int
        When.
    label, note, excerpt : str
        What.
    passages : sequence of (dict, bool)
        Why, and whether each was taken from another version of the doc.
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
    """A doc with passages drawn in it.

    Attributes
    ----------
    doc : Doc
        Which.
    version : DocVersion or None
        The doc as it reads now; None where its content is not here.
    text : str
        Its words.
    pieces : list of (str, list)
        The words, cut where passages begin and end, each part with the marks of the passages that
        hold it.
    """

    doc: Doc
    version: DocVersion | None
    text: str
    pieces: list[tuple[str, list[Any]]]


@dataclass(frozen=True, slots=True)
class Case:
    """A doc of a topic, or an aspect of an answer, as the desk shows it.

    Attributes
    ----------
    topic, doc : Topic, Doc
        What; of an aspect the doc is what is read: the answer, or the doc that it cites.
    aspect : AnswerAspect or None
        The aspect, if it is one.
    text : TopicVersion
        The topic as it reads now.
    shown : MarkedDoc
        The doc; the marks of passages are the numbers of the opinions.
    opinions : sequence of Opinion
        What everybody said; empty as long as it is not to be seen.
    verdict : DeskEvent or None
        What was decided last.
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
    """Return what a row of an assignment is about."""
    if isinstance(row, AnswerAspect):
        return aspect_matter(row)
    return Matter(row.assignment.topic_id, row.doc_id)


def case_of(row: AssignedDoc | AnswerAspect, scale: ShownScale, *, is_seen: bool) -> Case:
    """Return the case of a row of an assignment; blind without what assessors said."""
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
    """Return a doc as it reads now, with passages."""
    version, text = current_text(doc)
    return MarkedDoc(doc, version, text, pieces(text, marks))


def current_text(doc: Doc) -> tuple[DocVersion | None, str]:
    """Return a doc as it reads now, and its words; without content None and no words."""
    version = DocVersion.objects.filter(doc=doc, version=doc.version).exclude(content=b"").first()
    return version, visible_text(version) if version else ""


def thread_of(topic: Topic) -> Sequence[DeskEvent]:
    """All that was said of a topic and its docs."""
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
