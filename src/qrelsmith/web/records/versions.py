"""Versions of topics and of the scale as records, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.web.database import writing
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.models import ScaleVersion, Topic, TopicVersion
from qrelsmith.web.records.lines import Cell, Kind, json_text, read_records

TOPICS = Kind(
    "topic-versions.jsonl",
    texts=("topic", "title", "description", "narrative", "creator", "others"),
    numbers=("version",),
    times=("created_at",),
)
SCALES = Kind(
    "scale-versions.jsonl", texts=("content",), numbers=("version",), times=("created_at",)
)
_TEXTS = ("title", "description", "narrative", "creator")


def topic_records() -> Iterator[Mapping[str, Cell]]:
    """All versions of all topics."""
    versions = TopicVersion.objects.select_related("topic")
    for each in versions.order_by("topic__name", "version"):
        yield {name: getattr(each, name) for name in _TEXTS} | {
            "topic": each.topic.name,
            "others": json_text(each.others) if each.others else "",
            "version": each.version,
            "created_at": each.created_at,
        }


def scale_records() -> Iterator[Mapping[str, Cell]]:
    """All versions of the scale."""
    for each in ScaleVersion.objects.order_by("version"):
        yield {
            "content": json_text(each.content),
            "version": each.version,
            "created_at": each.created_at,
        }


def import_versions(folder: Path) -> Counts:
    """Record versions that are not there yet.

    Raises
    ------
    InputError
        At a record that is not as it should be.
    """
    counts = Counts("versions")
    scales = set(ScaleVersion.objects.values_list("version", flat=True))
    topics = set(TopicVersion.objects.values_list("topic__name", "version"))
    with writing():
        for record in read_records(folder, SCALES):
            version = record.need("version")
            if version in scales:
                counts.same += 1
                continue
            counts.new += 1
            ScaleVersion.objects.create(
                version=version,
                content=record.json("content", dict),
                created_at=record.need_time("created_at"),
            )
        for record in read_records(folder, TOPICS):
            name, version = record.text("topic"), record.need("version")
            if (name, version) in topics:
                counts.same += 1
                continue
            counts.new += 1
            topic, _ = Topic.objects.get_or_create(name=name)
            Topic.objects.filter(pk=topic.pk, version__lt=version).update(version=version)
            TopicVersion.objects.create(
                topic=topic,
                version=version,
                others=record.json("others", dict) if record.text("others") else {},
                created_at=record.need_time("created_at"),
                **{field: record.text(field) for field in _TEXTS},
            )
    return counts
