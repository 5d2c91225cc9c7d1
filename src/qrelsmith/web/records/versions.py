"""Versions of topics and of the scale as records, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import in_byte_order, writing
from qrelsmith.web.core.lines import Cell, Kind, json_text, read_records
from qrelsmith.web.models import Event, ScaleVersion, Topic, TopicVersion
from qrelsmith.web.records.parts import Part

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
    for each in versions.order_by(in_byte_order("topic__name"), "version"):
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


def import_versions(folder: Path, *, is_judged: bool) -> Counts:
    """Record versions that are not there yet.

    Parameters
    ----------
    folder : path
        The records.
    is_judged : bool
        Whether judgments come with them: then a version must not be another one here.

    Raises
    ------
    InputError
        At a record that is not as it should be; at a version that is another one here, where
        something was judged by either.
    """
    counts = Counts("versions")
    is_fixed = is_judged or Event.objects.exists()
    with writing():
        _import_scales(folder, counts, is_fixed=is_fixed)
        _import_topics(folder, counts, is_fixed=is_fixed)
    return counts


def _import_scales(folder: Path, counts: Counts, *, is_fixed: bool) -> None:
    there = dict(ScaleVersion.objects.values_list("version", "content"))
    for record in read_records(folder, SCALES):
        version, content = record.need("version"), record.json("content", dict)
        if version not in there:
            counts.new += 1
            ScaleVersion.objects.create(
                version=version, content=content, created_at=record.need_time("created_at")
            )
        elif is_fixed and there[version] != content:
            raise record.fault(f"version {version} of the scale is another one here")
        else:
            counts.same += 1


def _import_topics(folder: Path, counts: Counts, *, is_fixed: bool) -> None:
    texts = TopicVersion.objects.select_related("topic")
    there = {(each.topic.name, each.version): _fields(each) for each in texts}
    for record in read_records(folder, TOPICS):
        name, version = record.text("topic"), record.need("version")
        fields: dict[str, Any] = {field: record.text(field) for field in _TEXTS}
        fields["others"] = record.json("others", dict) if record.text("others") else {}
        if (name, version) not in there:
            counts.new += 1
            topic, _ = Topic.objects.get_or_create(name=name)
            Topic.objects.filter(pk=topic.pk, version__lt=version).update(version=version)
            TopicVersion.objects.create(
                topic=topic, version=version, created_at=record.need_time("created_at"), **fields
            )
        elif is_fixed and there[name, version] != fields:
            raise record.fault(f"version {version} of the topic {quoted(name)} is another one here")
        else:
            counts.same += 1


def _fields(text: TopicVersion) -> dict[str, Any]:
    return {field: getattr(text, field) for field in (*_TEXTS, "others")}


PART = Part(
    ((SCALES, scale_records), (TOPICS, topic_records)),
    lambda coming: import_versions(coming.folder, is_judged=coming.is_judged),
)
