"""Many judgments of a model at once: all of them are recorded or none.

They are events like those of people, accepted by the same rules: an operation that comes again is
the same event, and a label is changed only from the revision that the client saw. They come by the
thousand, so they are looked at and written together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, connection
from django.db.models import F
from django.utils import timezone

from qrelsmith.web.database import writing
from qrelsmith.web.model_assessors.labels import Desk, GivenLabel, PlacedLabel
from qrelsmith.web.model_assessors.settings import GivenSetting, recorded_setting
from qrelsmith.web.models import Assessor, Assignment, Event, ModelSetting
from qrelsmith.web.openapi.schemas import Fault, shown
from qrelsmith.web.project import current_instance
from qrelsmith.web.scale import current_scale

_CHUNK = 500
# How often a batch is looked at anew when another one came between.
_ATTEMPTS = 5
_UPDATE = """
UPDATE qrelsmith_web_assigneddoc SET revision = %s, is_judged = %s, value = %s, note = %s,
excerpt = %s, sha256 = %s, topic_version = %s, scale_version = %s WHERE id = %s AND revision = %s
"""


class BatchRefusedError(Exception):
    """A batch of which nothing is recorded.

    Parameters
    ----------
    faults : sequence of Fault
        All that is wrong with its judgments.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"{len(self.faults)} faults")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a batch.

    Attributes
    ----------
    setting : ModelSetting
        The version that its new judgments name.
    events : tuple of Event
        An event for each judgment, in their order.
    repeated : frozenset of int
        Which of them were there already.
    """

    setting: ModelSetting
    events: tuple[Event, ...]
    repeated: frozenset[int]


class _MovedError(Exception):
    """Something was recorded between looking and writing."""


def record(
    labels: Sequence[GivenLabel],
    setting: GivenSetting,
    *,
    assessor: Assessor,
    judged_at: Sequence[datetime | None] | None = None,
    input_kind: str = "api",
) -> Recorded:
    """Record judgments of a model.

    Parameters
    ----------
    labels : sequence of GivenLabel
        The judgments.
    setting : GivenSetting
        What they were made by.
    assessor : Assessor
        The model.
    judged_at : sequence of datetime or None, optional
        When each was made, as far as it is known; now if it is left out.
    input_kind : str
        How they came.

    Raises
    ------
    BatchRefusedError
        If any of them cannot be recorded.
    """
    for _ in range(_ATTEMPTS):
        known = _known(labels)
        faults = [
            _taken(item, label)
            for item, label in enumerate(labels)
            if label.op_id in known and not _is_same(known[label.op_id], label, assessor)
        ]
        faults += _twice(labels)
        new = [item for item, label in enumerate(labels) if label.op_id not in known]
        placed, wrong = _placed([labels[item] for item in new], assessor)
        faults += [_at(new[_item(fault)], fault) for fault in wrong]
        if faults:
            raise BatchRefusedError(sorted(faults, key=_item))
        times = [judged_at[item] for item in new] if judged_at else [timezone.now()] * len(new)
        try:
            with writing():
                before = known[labels[0].op_id].setting if not new else None
                version = before or recorded_setting(setting, assessor)
                made = dict(zip(new, _written(placed, version, times, input_kind), strict=True))
        except (IntegrityError, _MovedError):
            continue
        events = [made.get(item) or known[each.op_id] for item, each in enumerate(labels)]
        repeated = frozenset(range(len(labels))) - frozenset(new)
        return Recorded(version, tuple(events), repeated)
    moved = Fault(("judgments", 0), "another batch", "nothing that comes between", "stale")
    raise BatchRefusedError([moved])


def _placed(
    labels: Sequence[GivenLabel], assessor: Assessor
) -> tuple[list[PlacedLabel], list[Fault]]:
    """The labels with their docs, those of another revision among the faults."""
    placed, faults = Desk(assessor).placed(labels)
    scale = current_scale()
    for each in placed:
        if each.doc.revision != each.given.revision:
            label = "none" if each.doc.value is None else scale.label(each.doc.value)
            expected = f"{each.doc.revision}, the revision of the current label ({label})"
            place = ("judgments", each.item, "revision")
            faults.append(Fault(place, str(each.given.revision), expected, "stale"))
    return placed, faults


def _known(labels: Sequence[GivenLabel]) -> dict[str, Event]:
    """The events that labels made when they came before."""
    ids = [label.op_id for label in labels]
    found: dict[str, Event] = {}
    for start in range(0, len(ids), _CHUNK):
        part = Event.objects.filter(op_id__in=ids[start : start + _CHUNK]).select_related(
            "assigned__doc", "assignment__topic", "setting"
        )
        found |= {event.op_id: event for event in part}
    return found


def _is_same(event: Event, label: GivenLabel, assessor: Assessor) -> bool:
    was = (event.assignment.topic.name, event.assigned.doc.name, event.assignment.round)
    is_own = event.assessor_id == assessor.pk and event.kind == Event.Kind.JUDGE
    return is_own and was == label.key and event.value == label.grade


def _twice(labels: Sequence[GivenLabel]) -> list[Fault]:
    first: dict[str, int] = {}
    faults = []
    for item, label in enumerate(labels):
        if first.setdefault(label.op_id, item) != item:
            expected = f"an op_id of its own; judgment {first[label.op_id]} has it"
            place = ("judgments", item, "op_id")
            faults.append(Fault(place, shown(label.op_id), expected, "op_id"))
    return faults


def _taken(item: int, label: GivenLabel) -> Fault:
    expected = "an op_id of its own; it was used for another judgment"
    return Fault(("judgments", item, "op_id"), shown(label.op_id), expected, "op_id")


def _written(
    placed: Sequence[PlacedLabel],
    setting: ModelSetting,
    times: Sequence[datetime | None],
    input_kind: str,
) -> list[Event]:
    """The events, in the log, and the labels current; in a transaction.

    Rows are changed in the order of their keys, so that two batches never wait for each other.
    """
    rows = [
        (each.given.revision + 1, True, each.given.grade, each.given.note, each.given.excerpt,
         each.sha256, each.topic_version, each.scale_version, each.doc.pk, each.given.revision)
        for each in sorted(placed, key=lambda each: each.doc.pk)
    ]  # fmt: skip
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_UPDATE, rows)
            if cursor.rowcount != len(rows):
                raise _MovedError
    newly: dict[int, int] = {}
    for each in placed:
        if not each.doc.is_judged:
            newly[each.doc.assignment_id] = newly.get(each.doc.assignment_id, 0) + 1
    for assignment, count in sorted(newly.items()):
        Assignment.objects.filter(pk=assignment).update(judged=F("judged") + count)
    is_timed = current_instance().campaign.judging.activity != "none"
    events = [
        _event(each, setting, time, input_kind, is_timed=is_timed)
        for each, time in zip(placed, times, strict=True)
    ]
    return Event.objects.bulk_create(events, batch_size=_CHUNK)


def _event(
    label: PlacedLabel,
    setting: ModelSetting,
    judged_at: datetime | None,
    input_kind: str,
    *,
    is_timed: bool,
) -> Event:
    given = label.given
    return Event(
        op_id=given.op_id,
        kind=Event.Kind.JUDGE,
        assessor=setting.assessor,
        assignment=label.doc.assignment,
        assigned=label.doc,
        setting=setting,
        value=given.grade,
        note=given.note,
        excerpt=given.excerpt,
        sha256=label.sha256,
        topic_version=label.topic_version,
        scale_version=label.scale_version,
        base_revision=given.revision,
        revision=given.revision + 1,
        judged_at=judged_at,
        active_ms=given.active_ms if is_timed else None,
        input_kind=input_kind,
    )


def _item(fault: Fault) -> int:
    return int(fault.place[1])


def _at(item: int, fault: Fault) -> Fault:
    place = ("judgments", item, *fault.place[2:])
    return Fault(place, fault.found, fault.expected, fault.reason)
