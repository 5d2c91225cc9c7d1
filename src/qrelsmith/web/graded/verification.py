"""Labels of graded docs rebuilt from their events, and compared with what the database holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby, islice
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from qrelsmith.web.core.checks import Check
from qrelsmith.web.graded.projection import UNJUDGED, Label, label_after, label_of
from qrelsmith.web.graded.scale import scale_versions
from qrelsmith.web.models import AssignedDoc, Assignment, DocVersion, Event, TopicVersion

_CHUNK = 2000
_BLANK = asdict(UNJUDGED) | {"revision": 0, "is_judged": False}
_Histories = dict[int, list[Event]]


def judgment_checks() -> list[Check]:
    """Look at every event and at every label; only inside a snapshot."""
    events = Check("events follow one another")
    labels = Check("labels are what the events leave")
    undone = Check("an undo restores the label before")
    for batch in _batches():
        _compare(batch, events, labels, undone)
    return [events, undone, labels, _untouched(), _on_scale(), _shown(), _counted()]


def rebuilt_docs() -> int:
    """Give every assigned doc what its events leave; how many had something else."""
    changed = sum(_rebuild(batch) for batch in _batches())
    changed += _without_events().exclude(**_BLANK).update(**_BLANK)
    for assignment in Assignment.objects.all():
        docs = AssignedDoc.objects.filter(assignment=assignment)
        Assignment.objects.filter(pk=assignment.pk).update(
            total=docs.count(), judged=docs.filter(is_judged=True).count()
        )
    return changed


def _batches() -> Iterator[_Histories]:
    """The events of every assigned doc that has any, in the order of their revisions."""
    ordered = Event.objects.select_related("undoes").order_by("assigned_id", "revision")
    grouped = groupby(ordered.iterator(chunk_size=_CHUNK), key=lambda event: event.assigned_id)
    histories = ((pk, list(events)) for pk, events in grouped)
    while batch := dict(islice(histories, _CHUNK)):
        yield batch


def _rebuild(batch: _Histories) -> int:
    """Write the labels of some docs that are not what their events leave."""
    docs = AssignedDoc.objects.in_bulk(list(batch))
    others = []
    for pk, history in batch.items():
        label, last, doc = label_after(history[-1]), history[-1], docs[pk]
        held = (doc.revision, doc.is_judged, label_of(doc))
        if held != (last.revision, label != UNJUDGED, label):
            others.append((last.revision, label != UNJUDGED, *_columns(label), pk))
    with connection.cursor() as cursor:
        cursor.executemany(_UPDATE, others)
    return len(others)


def _columns(label: Label) -> tuple[Any, ...]:
    values = asdict(label)
    return tuple((values | {"passages": json.dumps(label.passages)}).values())


_UPDATE = """
UPDATE qrelsmith_web_assigneddoc SET revision = %s, is_judged = %s, value = %s, note = %s,
excerpt = %s, passages = %s, sha256 = %s, topic_version = %s, scale_version = %s WHERE id = %s
"""


def _compare(batch: _Histories, events: Check, labels: Check, undone: Check) -> None:
    """Walk along the events of some docs."""
    docs = AssignedDoc.objects.in_bulk(list(batch))
    for pk, history in batch.items():
        states: dict[int, Label] = {0: UNJUDGED}
        for place, event in enumerate(history, start=1):
            events.rows += 1
            if event.revision != place or event.base_revision != place - 1:
                events.fault(f"event {event.op_id} has revision {event.revision}, not {place}")
            if event.assignment_id != docs[pk].assignment_id:
                events.fault(f"event {event.op_id} is of another assignment than its doc")
            if event.undoes is not None:
                undone.rows += 1
                if label_after(event) != states.get(event.undoes.base_revision):
                    undone.fault(f"event {event.op_id} leaves another label than there was")
            states[event.revision] = label_after(event)
        labels.rows += 1
        doc, last = docs[pk], history[-1]
        label = label_after(last)
        held = (doc.revision, doc.is_judged, label_of(doc))
        if held != (last.revision, label != UNJUDGED, label):
            labels.fault(f"assigned doc {pk} has revision {doc.revision}; its events {place}")


def _without_events() -> QuerySet[AssignedDoc]:
    return AssignedDoc.objects.filter(events=None)


def _untouched() -> Check:
    bare = _without_events()
    check = Check("docs without events are unjudged", rows=bare.count())
    for doc in bare.exclude(**_BLANK).iterator():
        check.fault(f"assigned doc {doc.pk} has a label, but no event")
    return check


def _on_scale() -> Check:
    """Whether every label is on the version of the scale that its event names."""
    check = Check("judgments are on their scale and topic")
    judged = Event.objects.exclude(value=None)
    check.rows = judged.count()
    scales = scale_versions()
    topics = set(TopicVersion.objects.values_list("topic_id", "version"))
    columns = ("value", "scale_version", "assignment__topic_id", "topic_version")
    # Few kinds of labels stand for many events.
    for kind in judged.values_list(*columns).annotate(Count("id")).order_by(*columns):
        value, version, topic, text = kind[:-1]
        scale = scales.get(version)
        faults = []
        if scale is None:
            faults.append(f"names version {version} of the scale, which is not there")
        elif not scale.has(value):
            faults.append(f"has {value:g}, which is not on version {version} of the scale")
        if (topic, text) not in topics:
            faults.append(f"names version {text} of its topic, which is not there")
        if faults:
            same = judged.filter(**dict(zip(columns, kind[:-1], strict=True)))
            for event in same.order_by("id"):
                check.fault(f"event {event.op_id} " + " and ".join(faults))
    return check


def _shown() -> Check:
    """Whether what was shown is a version of the doc, where the doc's content is here."""
    check = Check("what was shown is a version of the doc")
    judged = Event.objects.exclude(value=None)
    check.rows = judged.count()
    versions = DocVersion.objects.filter(doc=OuterRef("assigned__doc"))
    unknown = judged.filter(Exists(versions), ~Exists(versions.filter(sha256=OuterRef("sha256"))))
    for event in unknown.iterator(chunk_size=_CHUNK):
        check.fault(f"event {event.op_id} names {event.sha256[:12]}…, no version of its doc")
    return check


def _counted() -> Check:
    check = Check("assignments count their docs")
    counted = Assignment.objects.annotate(
        docs_there=Count("docs"), docs_judged=Count("docs", filter=Q(docs__is_judged=True))
    )
    for each in counted.iterator():
        check.rows += 1
        if (each.total, each.judged) != (each.docs_there, each.docs_judged):
            check.fault(f"assignment {each.pk} counts {each.judged} of {each.total}")
    return check
