"""Checks of all kinds of judgment: the log, current labels and counts; and rebuilding of labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from qrelsmith.web.core.checks import Check
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind
from qrelsmith.web.judging.projections import compare_labels, rebuild_units, without_events
from qrelsmith.web.models import DocVersion, TopicVersion

_CHUNK = 2000


def judgment_checks() -> list[Check]:
    """Check every event and every label; requires a snapshot."""
    events = Check("events follow one another")
    undone = Check("undos restore the previous label")
    labels = Check("current labels match the log")
    bare = Check("items without events are unjudged")
    scales = Check("judgments match versions of scale and topic")
    versions = Check("shown docs are known versions")
    counts = Check("progress counts are correct")
    own: list[Check] = []
    for kind in KINDS:
        compare_labels(kind, (events, undone, labels))
        _check_untouched(kind, bare)
        _check_scales(kind, scales)
        _check_versions(kind, versions)
        for stream, wanted in _right_counts(kind):
            counts.rows += 1
            held = {name: getattr(stream, name) for name in wanted}
            if held != wanted:
                counts.fault(f"{kind.stream} {stream.pk} has the counts {held}; expected {wanted}")
        own += kind.checks()
    return [events, undone, labels, bare, scales, versions, counts, *own]


def rebuilt_labels() -> int:
    """Rebuild current labels from the log; return the number corrected."""
    changed = 0
    for kind in KINDS:
        changed += rebuild_units(kind)
        for stream, wanted in _right_counts(kind):
            columns = wanted | kind.count_columns(stream, wanted)
            if any(getattr(stream, name) != value for name, value in columns.items()):
                kind.streams.objects.filter(pk=stream.pk).update(**columns)
    return changed


def _check_untouched(kind: JudgmentKind, check: Check) -> None:
    bare = without_events(kind)
    check.rows += bare.count()
    for each in bare.exclude(**kind.unjudged).iterator():
        check.fault(f"{kind.words.unit} {each.pk} has a label, but no event")


def _check_scales(kind: JudgmentKind, check: Check) -> None:
    """Check every label against the versions of scale and topic that its event names."""
    judged = kind.events.objects.exclude(**{kind.value: None})
    check.rows += judged.count()
    scales = kind.scales()
    topics = set(TopicVersion.objects.values_list("topic_id", "version"))
    columns = (kind.value, kind.scale, f"{kind.stream}__topic_id", "topic_version")
    # Many events share few distinct labels.
    for row in judged.values_list(*columns).annotate(Count("id")).order_by(*columns):
        value, version, topic, text = row[:-1]
        scale = scales.get(version)
        faults = []
        if scale is None:
            faults.append(f"names version {version} of the scale, which does not exist")
        elif not scale.has(value):
            faults.append(f"has {value:g}, which is not on version {version} of the scale")
        if (topic, text) not in topics:
            faults.append(f"names version {text} of its topic, which does not exist")
        if faults:
            same = judged.filter(**dict(zip(columns, row[:-1], strict=True)))
            for event in same.order_by("id"):
                check.fault(f"{kind.words.event} {event.op_id} " + " and ".join(faults))


def _check_versions(kind: JudgmentKind, check: Check) -> None:
    """Check that the shown content is a version of the doc, if the app has the doc's content."""
    judged = kind.events.objects.exclude(**{kind.value: None})
    check.rows += judged.count()
    for column, doc in kind.shown.items():
        versions = DocVersion.objects.filter(doc=OuterRef(f"{kind.unit}__{doc}"))
        known = versions.filter(sha256=OuterRef(column))
        for event in judged.filter(Exists(versions), ~Exists(known)).iterator(chunk_size=_CHUNK):
            digest = getattr(event, column)
            check.fault(
                f"{kind.words.event} {event.op_id} names {digest[:12]}…, which is not a version of"
                f" its {doc}"
            )


def _right_counts(kind: JudgmentKind) -> Iterator[tuple[Any, dict[str, int]]]:
    """Iterate over streams with their correct counts."""
    counts: dict[int, dict[str, int]] = {}
    units = kind.units.objects.filter(**kind.in_play).values(kind.stream).order_by()
    for row in units.annotate(total=Count("id"), judged=Count("id", filter=Q(is_judged=True))):
        counts[row.pop(kind.stream)] = row
    if kind.counts_events:
        events = kind.events.objects.values_list(kind.stream).order_by()
        for key, number in events.annotate(Count("id")):
            counts.setdefault(key, {})["revision"] = number
    names = ("total", "judged", *(("revision",) if kind.counts_events else ()))
    for stream in kind.streams.objects.order_by("pk").iterator():
        found = counts.get(stream.pk, {})
        yield stream, {name: found.get(name, 0) for name in names}
