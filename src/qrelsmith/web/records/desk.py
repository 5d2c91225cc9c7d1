"""Verdicts and words of the desk of adjudication as records, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.event_lines import DESK, desk_record
from qrelsmith.web.core.lines import Cell, Record, read_records
from qrelsmith.web.graded.scale import ShownScale, scale_versions
from qrelsmith.web.models import DeskEvent, Doc, Topic
from qrelsmith.web.records.accepted import BATCH, passages_of_record
from qrelsmith.web.records.parts import Part


def desk_records() -> Iterator[Mapping[str, Cell]]:
    """All that was done, in its order."""
    events = DeskEvent.objects.select_related("topic", "doc").order_by("id")
    return map(desk_record, events.iterator(chunk_size=BATCH))


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
    scales = scale_versions()
    there = set(DeskEvent.objects.values_list("op_id", flat=True))
    verdicts = DeskEvent.objects.filter(kind=DeskEvent.Kind.ADJUDICATED)
    taken = set(verdicts.values_list("topic__name", "doc__name", "revision"))
    for record in read_records(folder, DESK):
        if record.text("op_id") in there:
            counts.same += 1
            continue
        event = _event(record, topics, scales)
        key = (record.text("topic"), record.text("doc"), event.revision)
        if event.kind == DeskEvent.Kind.ADJUDICATED and key in taken:
            raise record.fault(f"doc {quoted(key[1])} has a verdict {event.revision} already")
        taken.add(key)
        there.add(event.op_id)
        append_row(event)
        counts.new += 1
    return counts


def _event(
    record: Record, topics: Mapping[str, Topic], scales: Mapping[int, ShownScale]
) -> DeskEvent:
    topic, name, kind = record.text("topic"), record.text("doc"), record.text("kind")
    if topic not in topics:
        raise record.fault(f"there is no topic {quoted(topic)}")
    doc = Doc.objects.filter(name=name).first() if name else None
    if name and doc is None:
        raise record.fault(f"there is no doc {quoted(name)}")
    if kind not in DeskEvent.Kind.values or not record.text("op_id"):
        kinds = ", ".join(DeskEvent.Kind.values)
        raise record.fault(f"kind is {quoted(kind)}; expected {kinds}, and an op_id")
    value, version = record.number("value"), record.whole("scale_version") or 0
    if value is not None and (version not in scales or not scales[version].has(value)):
        raise record.fault(f"value is {value:g}; expected one on version {version} of the scale")
    return DeskEvent(
        op_id=record.text("op_id"),
        kind=kind,
        by=record.text("by"),
        topic=topics[topic],
        doc=doc,
        revision=record.whole("revision") or 0,
        value=value,
        text=record.text("text"),
        passages=passages_of_record(record),
        is_blind=bool(record.whole("is_blind")),
        sha256=record.text("sha256"),
        topic_version=record.whole("topic_version") or 0,
        scale_version=version,
        at=record.need_time("at"),
    )


PART = Part(((DESK, desk_records),), lambda coming: import_desk(coming.folder))
