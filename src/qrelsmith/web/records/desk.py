"""Verdicts and words of the desk of adjudication as records, out and in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.event_lines import DESK
from qrelsmith.web.core.lines import Record, read_records
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.judging.kinds import LabelScale
from qrelsmith.web.models import DeskEvent, Doc, Topic
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.records.judgments import passages_of_record
from qrelsmith.web.records.parts import Part


def import_desk(folder: Path) -> Counts:
    """Record what was done at the desk; what is there already is left as it is.

    Raises
    ------
    InputError
        At a record of a topic or doc that is not there, whose verdict is not on its scale, or whose
        revision another one has.
    """
    counts = Counts("desk events")
    topics = {topic.name: topic for topic in Topic.objects.all()}
    scales: dict[bool, Mapping[int, LabelScale]] = {True: PAIRS.scales(), False: DOCS.scales()}
    there = set(DeskEvent.objects.values_list("op_id", flat=True))
    verdicts = DeskEvent.objects.filter(kind=DeskEvent.Kind.ADJUDICATED)
    taken: set[tuple[str, str | None, str | None, int]] = set(
        verdicts.values_list("topic__name", "doc__name", "other__name", "revision")
    )
    for record in read_records(folder, DESK.kind):
        if record.text("op_id") in there:
            counts.same += 1
            continue
        event = _event(record, topics, scales[bool(record.text("other"))])
        key = (record.text("topic"), record.text("doc"), record.text("other") or None,
               event.revision)  # fmt: skip
        if event.kind == DeskEvent.Kind.ADJUDICATED and key in taken:
            of = " and ".join(quoted(name) for name in key[1:3] if name)
            raise record.fault(f"{of} has a verdict {event.revision} already")
        taken.add(key)
        there.add(event.op_id)
        append_row(event)
        counts.new += 1
    return counts


def _event(
    record: Record, topics: Mapping[str, Topic], scales: Mapping[int, LabelScale]
) -> DeskEvent:
    topic, kind = record.text("topic"), record.text("kind")
    if topic not in topics:
        raise record.fault(f"there is no topic {quoted(topic)}")
    doc, other = _doc(record, "doc"), _doc(record, "other")
    if other is not None and (doc is None or doc.name >= other.name):
        raise record.fault("other is not after doc; expected a pair in the order of its names")
    if kind not in DeskEvent.Kind.values or not record.text("op_id"):
        kinds = ", ".join(DeskEvent.Kind.values)
        raise record.fault(f"kind is {quoted(kind)}; expected {kinds}, and an op_id")
    value, version = record.number("value"), record.whole("scale_version") or 0
    if value is not None and (version not in scales or not scales[version].has(value)):
        what = "choices" if other else "scale"
        raise record.fault(f"value is {value:g}; expected one of version {version} of the {what}")
    return DeskEvent(
        op_id=record.text("op_id"),
        kind=kind,
        by=record.text("by"),
        topic=topics[topic],
        doc=doc,
        other=other,
        revision=record.whole("revision") or 0,
        value=value,
        text=record.text("text"),
        passages=passages_of_record(record),
        is_blind=bool(record.whole("is_blind")),
        sha256=record.text("sha256"),
        other_sha256=record.text("other_sha256"),
        topic_version=record.whole("topic_version") or 0,
        scale_version=version,
        at=record.need_time("at"),
    )


def _doc(record: Record, key: str) -> Doc | None:
    """A doc that a record names."""
    name = record.text(key)
    doc = Doc.objects.filter(name=name).first() if name else None
    if name and doc is None:
        raise record.fault(f"there is no doc {quoted(name)}")
    return doc


PART = Part(
    ((DESK.kind, lambda: DESK.records(DeskEvent)),), lambda coming: import_desk(coming.folder)
)
