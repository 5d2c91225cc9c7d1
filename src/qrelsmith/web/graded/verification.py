"""Checks of graded docs: their labels, events and counts; and labels rebuilt."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, Q

from qrelsmith.web.core.checks import Check
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.graded.scale import scale_versions
from qrelsmith.web.judging.projections import compare_labels, compare_untouched, rebuild_units
from qrelsmith.web.models import AssignedDoc, Assignment, DocVersion, Event, TopicVersion

_CHUNK = 2000
_UNIT = "assigned doc"


def judgment_checks() -> list[Check]:
    """Look at every event and at every label; only inside a snapshot."""
    events = Check("events follow one another")
    undone = Check("an undo restores the label before")
    labels = Check("labels are what the events leave")
    compare_labels(DOCS, (events, undone, labels), event="event", unit=_UNIT, belongs=_belongs)
    bare = compare_untouched(DOCS, Check("docs without events are unjudged"), unit=_UNIT)
    return [events, undone, labels, bare, _on_scale(), _check_versions(), _check_counts()]


def rebuilt_docs() -> int:
    """Give every assigned doc what its events leave; how many had something else."""
    changed = rebuild_units(DOCS)
    for assignment in Assignment.objects.all():
        docs = AssignedDoc.objects.filter(assignment=assignment)
        Assignment.objects.filter(pk=assignment.pk).update(
            total=docs.count(), judged=docs.filter(is_judged=True).count()
        )
    return changed


def _belongs(event: Event, doc: AssignedDoc) -> str:
    return "" if event.assignment_id == doc.assignment_id else "of another assignment than its doc"


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


def _check_versions() -> Check:
    """Whether what was shown is a version of the doc, where the doc's content is here."""
    check = Check("what was shown is a version of the doc")
    judged = Event.objects.exclude(value=None)
    check.rows = judged.count()
    versions = DocVersion.objects.filter(doc=OuterRef("assigned__doc"))
    unknown = judged.filter(Exists(versions), ~Exists(versions.filter(sha256=OuterRef("sha256"))))
    for event in unknown.iterator(chunk_size=_CHUNK):
        check.fault(f"event {event.op_id} names {event.sha256[:12]}…, no version of its doc")
    return check


def _check_counts() -> Check:
    check = Check("assignments count their docs")
    counted = Assignment.objects.annotate(
        docs_there=Count("docs"), docs_judged=Count("docs", filter=Q(docs__is_judged=True))
    )
    for each in counted.iterator():
        check.rows += 1
        if (each.total, each.judged) != (each.docs_there, each.docs_judged):
            check.fault(f"assignment {each.pk} counts {each.judged} of {each.total}")
    return check
