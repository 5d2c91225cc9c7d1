"""Events as records, out and in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.event_lines import EVENTS, event_records
from qrelsmith.web.core.lines import Record, read_records
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.graded.scale import scale_versions
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Event, ModelSetting
from qrelsmith.web.records.accepted import (
    BATCH,
    Unrepeated,
    event_columns,
    insert_in_order,
)
from qrelsmith.web.records.label_texts import LabelTexts, doc_versions, topic_versions
from qrelsmith.web.records.parts import Part

# What names a label and its revision.
_LABEL = ("assessor", "topic", "hit", "round", "doc", "revision")
_Key = tuple[str, str, str, int]
_Settings = Mapping[tuple[int, int], ModelSetting]


def import_events(folder: Path, *, digests: Mapping[str, str]) -> Counts:
    """Record the events of a folder; those that are there already are left as they are.

    Parameters
    ----------
    folder : path
        The records.
    digests : mapping of str to str
        The SHA-256 of docs whose content comes in afterwards.

    Raises
    ------
    InputError
        At an event that is of no assignment, whose id or revision another event has, whose label is
        not on its scale, or that names no version of its doc where its versions are known.
    """
    counts = Counts("events")
    assignments = {
        (each.assessor.name, each.topic.name, each.hit, each.round): each
        for each in Assignment.objects.select_related("assessor", "topic")
    }
    settings = {(each.assessor_id, each.version): each for each in ModelSetting.objects.all()}
    texts = LabelTexts(scale_versions(), topic_versions())
    records = _without_repeats(read_records(folder, EVENTS))
    while batch := list(islice(records, BATCH)):
        ids = [record.text("op_id") for record in batch]
        there = set(Event.objects.filter(op_id__in=ids).values_list("op_id", flat=True))
        new = [record for record in batch if record.text("op_id") not in there]
        counts.same += len(batch) - len(new)
        counts.new += len(new)
        versions = doc_versions({record.text("doc") for record in batch}, digests)
        for record in batch:
            texts.check(record, versions.get(record.text("doc"), set()))
        with writing():
            _record(new, assignments, settings)
    return counts


def _without_repeats(records: Iterable[Record]) -> Iterator[Record]:
    """The records; an error at one whose id, or revision of a label, stood there before."""
    unrepeated = Unrepeated(_LABEL, lambda record: f"doc {quoted(record.text('doc'))}")
    for record in records:
        unrepeated.check(record)
        yield record


def _record(
    records: list[Record], assignments: Mapping[_Key, Assignment], settings: _Settings
) -> None:
    docs = _assigned_docs(records, assignments)
    insert_in_order(
        Event, ((record, _event(record, assignments, docs, settings)) for record in records)
    )
    for record in {_assignment(each, assignments).pk: each for each in records}.values():
        _check_close(record, _assignment(record, assignments))


def _check_close(record: Record, assignment: Assignment) -> None:
    """Raise `InputError` at an event that comes after its topic was closed here."""
    at_close = assignment.events_at_close
    if assignment.is_open or at_close is None:
        return
    if Event.objects.filter(assignment=assignment).count() > at_close:
        topic, name = quoted(assignment.topic.name), quoted(assignment.assessor.name)
        raise record.fault(
            f"topic {topic} of {name} was closed here after {at_close} events; open it before what"
            " was judged elsewhere comes in"
        )


def _setting(record: Record, assessor: Assessor, settings: _Settings) -> ModelSetting | None:
    """The setting of a model; None for a person."""
    version = record.whole("setting")
    if version is None:
        return None
    found = settings.get((assessor.pk, version))
    if found is None:
        name = quoted(assessor.name)
        raise record.fault(f"setting is {version}; expected a version that {name} has")
    return found


def _assigned_docs(
    records: Iterable[Record], assignments: Mapping[_Key, Assignment]
) -> dict[tuple[int, str], AssignedDoc]:
    """The assigned docs of some events, by their assignment and name."""
    names: dict[int, set[str]] = {}
    for record in records:
        names.setdefault(_assignment(record, assignments).pk, set()).add(record.text("doc"))
    return {
        (pk, doc.doc.name): doc
        for pk, wanted in names.items()
        for doc in AssignedDoc.objects.filter(
            assignment=pk, doc__name__in=sorted(wanted)
        ).select_related("doc")
    }


def _assignment(record: Record, assignments: Mapping[_Key, Assignment]) -> Assignment:
    round_ = record.need("round")
    key = (record.text("assessor"), record.text("topic"), record.text("hit"), round_)
    if key not in assignments:
        raise record.fault(f"{quoted(key[0])} is not assigned the topic {quoted(key[1])}")
    return assignments[key]


def _event(
    record: Record,
    assignments: Mapping[_Key, Assignment],
    docs: Mapping[tuple[int, str], AssignedDoc],
    settings: _Settings,
) -> Event:
    assignment = _assignment(record, assignments)
    name = record.text("doc")
    doc = docs.get((assignment.pk, name))
    if doc is None:
        raise record.fault(f"the doc {quoted(name)} is not in the assignment")
    return Event(
        **event_columns(record, DOCS),
        assessor=assignment.assessor,
        assignment=assignment,
        assigned=doc,
        setting=_setting(record, assignment.assessor, settings),
    )


PART = Part(
    ((EVENTS, event_records),),
    lambda coming: import_events(coming.folder, digests=coming.digests),
    decides_labels=True,
)
