"""Many judgments of a model at once: all of them are recorded or none.

They are events like those of people, accepted by the same rules: an operation that comes again is
the same event, and a label is changed only from the revision that the client saw. They come by the
thousand, so they are looked at and written together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError
from django.db.models import F
from django.utils import timezone

from qrelsmith.web.accounts.tokens import check_unrevoked
from qrelsmith.web.core.chain import extend
from qrelsmith.web.core.closing import open_heads
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.projections import write_labels
from qrelsmith.web.core.subjects import DOCS
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.model_assessors.labels import Desk, GivenLabel, PlacedLabel
from qrelsmith.web.model_assessors.settings import GivenSetting, recorded_setting
from qrelsmith.web.models import (
    ApiToken,
    Assessor,
    AssignedDoc,
    Assignment,
    Doc,
    Event,
    ModelSetting,
)
from qrelsmith.web.openapi.schemas import Fault, shown
from qrelsmith.web.project import current_instance

_CHUNK = 500
# How often a batch is looked at anew when another one came between.
_ATTEMPTS = 5


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
    """The result of recording a batch.

    Attributes
    ----------
    setting : ModelSetting
        The version that its new judgments name.
    revisions : tuple of int
        The revision that each judgment made of its label, in their order.
    repeated : frozenset of int
        Which of them were there already.
    """

    setting: ModelSetting
    revisions: tuple[int, ...]
    repeated: frozenset[int]


class _MovedError(Exception):
    """An error: another label was recorded between looking and writing."""


def record(
    labels: Sequence[GivenLabel],
    setting: GivenSetting,
    *,
    assessor: Assessor,
    token: ApiToken | None = None,
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
    token : ApiToken, optional
        What the model came with, which must not be revoked before they are recorded.
    judged_at : sequence of datetime or None, optional
        When each was made, as far as it is known; now if it is left out.
    input_kind : str
        How they came.

    Raises
    ------
    BatchRefusedError
        If any of them cannot be recorded.
    TokenError
        If the token was revoked meanwhile.
    """
    for _ in range(_ATTEMPTS):
        earlier = _events_before(labels)
        faults = [
            _op_id_fault(item, label)
            for item, label in enumerate(labels)
            if label.op_id in earlier and not _is_same(earlier[label.op_id], label, assessor)
        ]
        faults += _twice(labels)
        new = [item for item, label in enumerate(labels) if label.op_id not in earlier]
        placed, wrong = _place_labels([labels[item] for item in new], assessor)
        faults += [_at(new[_item(fault)], fault) for fault in wrong]
        if faults:
            # The same batch, sent twice, may have been recorded between two of our looks.
            if _events_before(labels).keys() != earlier.keys():
                continue
            raise BatchRefusedError(sorted(faults, key=_item))
        times = [judged_at[item] for item in new] if judged_at else [timezone.now()] * len(new)
        try:
            with writing():
                if token is not None:
                    check_unrevoked(token)
                before = earlier[labels[0].op_id].setting if not new else None
                version = before or recorded_setting(setting, assessor)
                _write(placed, version, times, input_kind)
        except (IntegrityError, _MovedError):
            continue
        revisions = tuple(
            earlier[each.op_id].revision if each.op_id in earlier else each.revision + 1
            for each in labels
        )
        return Recorded(version, revisions, frozenset(range(len(labels))) - frozenset(new))
    moved = Fault(("judgments", 0), "another batch", "nothing that comes between", "stale")
    raise BatchRefusedError([moved])


def _place_labels(
    labels: Sequence[GivenLabel], assessor: Assessor
) -> tuple[list[PlacedLabel], list[Fault]]:
    """The labels with their docs, those of another revision among the faults."""
    placed, faults = Desk(assessor).place(labels)
    scale = current_scale()
    for each in placed:
        if each.doc.revision != each.given.revision:
            label = "none" if each.doc.value is None else scale.label(each.doc.value)
            expected = f"{each.doc.revision}, the revision of the current label ({label})"
            place = ("judgments", each.item, "revision")
            faults.append(Fault(place, str(each.given.revision), expected, "stale"))
    return placed, faults


def _events_before(labels: Sequence[GivenLabel]) -> dict[str, Event]:
    """The events that labels made when they came before."""
    ids = [label.op_id for label in labels]
    events: dict[str, Event] = {}
    for start in range(0, len(ids), _CHUNK):
        part = Event.objects.filter(op_id__in=ids[start : start + _CHUNK]).select_related(
            "assigned__doc", "assignment__topic", "setting"
        )
        events |= {event.op_id: event for event in part}
    return events


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


def _op_id_fault(item: int, label: GivenLabel) -> Fault:
    expected = "an op_id of its own; it was used for another judgment"
    return Fault(("judgments", item, "op_id"), shown(label.op_id), expected, "op_id")


def _write(
    placed: Sequence[PlacedLabel],
    setting: ModelSetting,
    times: Sequence[datetime | None],
    input_kind: str,
) -> None:
    """The events into the log, and the labels current; in a transaction."""
    if not placed:
        return
    heads = open_heads({label.doc.assignment.pk for label in placed})
    if heads is None:
        raise _MovedError
    now = timezone.now()
    events = [
        _event(label, setting, input_kind, judged_at=time, accepted_at=now)
        for label, time in zip(placed, times, strict=True)
    ]
    rows = [
        (event.assigned, DOCS.unit_columns(DOCS.label_of(event), event.revision))
        for event in events
    ]
    if not write_labels(DOCS, rows, base=lambda unit: unit.revision):
        raise _MovedError
    newly = Counter(label.doc.assignment.pk for label in placed if not label.doc.is_judged)
    for key, head in sorted(extend(events, heads).items()):
        Assignment.objects.filter(pk=key).update(judged=F("judged") + newly[key], head=head)


def _event(
    label: PlacedLabel,
    setting: ModelSetting,
    input_kind: str,
    *,
    judged_at: datetime | None,
    accepted_at: datetime,
) -> Event:
    """The event of a label, complete but for its digest; its doc has the revision before."""
    named, doc = label.given, label.doc
    is_timed = current_instance().campaign.judging.activity != "none"
    return Event(
        op_id=named.op_id,
        kind=Event.Kind.JUDGE,
        assessor=setting.assessor,
        assignment=doc.assignment,
        assigned=AssignedDoc(pk=doc.pk, doc=Doc(name=named.doc), revision=named.revision),
        setting=setting,
        value=named.grade,
        note=named.note,
        excerpt=named.excerpt,
        sha256=label.sha256,
        topic_version=label.topic_version,
        scale_version=label.scale_version,
        base_revision=named.revision,
        revision=named.revision + 1,
        active_ms=named.active_ms if is_timed else None,
        input_kind=input_kind,
        accepted_at=accepted_at,
        judged_at=judged_at,
    )


def _item(fault: Fault) -> int:
    return int(fault.place[1])


def _at(item: int, fault: Fault) -> Fault:
    place = ("judgments", item, *fault.place[2:])
    return Fault(place, fault.found, fault.expected, fault.reason)
