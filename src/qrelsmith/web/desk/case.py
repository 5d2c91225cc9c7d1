"""A doc at the desk: its topic, what everybody said of it and why, and what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from qrelsmith.web.desk.verdicts import current_verdict
from qrelsmith.web.docs.passages import is_stale, pieces
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import AssignedDoc, DeskEvent, Doc, DocVersion, Topic, TopicVersion


@dataclass(frozen=True, slots=True)
class Opinion:
    """The label that an assessor gave a doc in a round, and the reasons.

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
class Case:
    """A doc of a topic as the desk shows it.

    Attributes
    ----------
    topic, doc : Topic, Doc
        What.
    text : TopicVersion
        The topic as it reads now.
    version : DocVersion or None
        The doc as it reads now; None where its content is not here.
    pieces : list of (str, list of int)
        The shown text, cut where passages begin and end, each part with the numbers of the opinions
        whose passages hold it.
    opinions : sequence of Opinion
        What everybody said; empty as long as it is not to be seen.
    verdict : DeskEvent or None
        What was decided last.
    said : sequence of DeskEvent
        The thread of the doc and of its topic.
    """

    topic: Topic
    doc: Doc
    text: TopicVersion
    version: DocVersion | None
    pieces: list[tuple[str, list[Any]]]
    opinions: Sequence[Opinion]
    verdict: DeskEvent | None
    said: Sequence[DeskEvent]


def case_of(topic: Topic, doc: Doc, scale: ShownScale, *, is_seen: bool) -> Case:
    """A doc at the desk; blind without what assessors said."""
    version = DocVersion.objects.filter(doc=doc, version=doc.version).exclude(content=b"").first()
    text = visible_text(version) if version else ""
    opinions = list(_opinions(topic, doc, scale, text)) if is_seen else []
    marks = [
        (passage, opinion.number)
        for opinion in opinions
        for passage, old in opinion.passages
        if not old
    ]
    words = DeskEvent.objects.filter(topic=topic, kind=DeskEvent.Kind.SAID)
    return Case(
        topic=topic,
        doc=doc,
        text=TopicVersion.objects.get(topic=topic, version=topic.version),
        version=version,
        pieces=pieces(text, marks),
        opinions=opinions,
        verdict=current_verdict(topic, doc),
        said=[word for word in words.order_by("id") if word.doc_id in (None, doc.pk)],
    )


def thread_of(topic: Topic) -> Sequence[DeskEvent]:
    """All that was said of a topic and its docs."""
    words = DeskEvent.objects.filter(topic=topic, kind=DeskEvent.Kind.SAID)
    return list(words.select_related("doc").order_by("id"))


def _opinions(topic: Topic, doc: Doc, scale: ShownScale, text: str) -> Iterable[Opinion]:
    found = AssignedDoc.objects.filter(assignment__topic=topic, doc=doc, is_judged=True)
    ordered = found.select_related("assignment__assessor").order_by(
        "assignment__round", "assignment__assessor__group", "assignment__assessor__name"
    )
    for number, row in enumerate(ordered, start=1):
        assessor = row.assignment.assessor
        yield Opinion(
            number=number,
            assessor=assessor.name,
            group=assessor.group,
            round=row.assignment.round,
            label="" if row.value is None else scale.label(row.value),
            note=row.note,
            excerpt=row.excerpt,
            passages=[(passage, is_stale(passage, text)) for passage in row.passages],
        )
