"""Export and import of the versions of topics, the scale and choices as records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.lines import Kind, read_records
from qrelsmith.web.models import Event, PreferenceVersion, ScaleVersion, Topic, TopicVersion
from qrelsmith.web.records.parts import Coming, Part
from qrelsmith.web.records.rows import Rows

_TEXTS = ("title", "description", "narrative", "creator", "others")
TOPICS = Rows(
    Kind(
        "topic-versions.jsonl",
        texts=("topic", *_TEXTS),
        numbers=("version",),
        times=("created_at",),
    ),
    TopicVersion,
    key=("topic", "version"),
    names={"topic": {"topic": "name"}},
    order=("topic__name", "version"),
    fixed=_TEXTS,
)


def _versions(file: str, table: Any) -> Rows:
    kind = Kind(file, texts=("content",), numbers=("version",), times=("created_at",))
    return Rows(
        kind, table, ("version",), order=("version",), fixed=("content",), full=("content",)
    )


SCALES = _versions("scale-versions.jsonl", ScaleVersion)
CHOICES = replace(_versions("preference_versions.jsonl", PreferenceVersion), fixed=())


def _import_versions(coming: Coming) -> Counts:
    """Record missing versions.

    Raises
    ------
    InputError
        If a record is invalid, or differs from the same version here, and one of the two was used
        for judgments.
    """
    counts = Counts("versions")
    is_fixed = coming.is_judged or Event.objects.exists()
    newest: dict[str, int] = {}
    for record in read_records(coming.folder, TOPICS.kind):
        name = record.text("topic")
        newest[name] = max(record.need("version"), newest.get(name, 0))
    Topic.objects.bulk_create((Topic(name=name) for name in newest), ignore_conflicts=True)
    for rows in (SCALES, TOPICS):
        (rows if is_fixed else replace(rows, fixed=())).take_in(coming.folder, counts)
    for name, version in newest.items():
        Topic.objects.filter(name=name, version__lt=version).update(version=version)
    return counts


PART = Part((SCALES.file, TOPICS.file), _import_versions)
