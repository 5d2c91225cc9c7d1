"""The only module that adds events to the log: judgments, undos, and events accepted elsewhere.

A person sends a batch of one judgment, a program a batch of many; both pass the same checks. A
client names its operation (`op_id`) and the revision that it saw. A repeated operation is logged
once; an operation on an old revision is refused, and the current label is returned. Labels change
by an UPDATE guarded by the revision, in one transaction with the events, and all state is locked
before it is read. A batch is accepted as a whole or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext

from qrelsmith.web.core.event_lines import at
from qrelsmith.web.core.submissions import Accepted, RefusedError, Submission, Timing
from qrelsmith.web.judging.batches import BatchRefusedError, Change, Fault, Kind, Sender
from qrelsmith.web.judging.chain import extend
from qrelsmith.web.judging.label_versions import ShownVersions, digests_of
from qrelsmith.web.judging.writing_events import newest_judgment, write_changes
from qrelsmith.web.models import Assessor, Event
from qrelsmith.web.openapi.schemas import shown

_JUDGE, _UNDO = Event.Kind.JUDGE, Event.Kind.UNDO
_CHUNK = 500
# How often a batch is checked again after a conflict with another batch.
_ATTEMPTS = 5


def person(assessor: Assessor | None, stream: int, *, has_account: bool = True) -> Sender:
    """Return a sender for a person's judgments in an assignment or preference task."""

    def find(kind: Kind, submissions: Sequence[Submission]) -> list[Any]:
        units = [kind.prepared_unit.first(each.unit, stream) for each in submissions]
        return [
            unit if unit and assessor and kind.owner(unit) == assessor.pk
            else [RefusedError("unknown", kind.words.not_yours)]
            for unit in units
        ]  # fmt: skip

    return Sender(assessor, find, has_account)


def judge(kind: Kind, submission: Submission, sender: Sender) -> Accepted:
    """Accept one judgment.

    Raises
    ------
    RefusedError
        If the judgment cannot be accepted; nothing has changed in this case.
    """
    try:
        return accept(kind, [submission], sender)[0]
    except BatchRefusedError as error:
        raise error.faults[0][1] from None


def accept(kind: Kind, submissions: Sequence[Any], sender: Sender) -> list[Accepted]:
    """Accept all given judgments, or none.

    Raises
    ------
    BatchRefusedError
        If any judgment cannot be accepted.
    """
    earlier: dict[str, Any] = {}
    for attempt in range(_ATTEMPTS):
        units = sender.find(kind, submissions)
        faults = [
            fault
            for item, submission in enumerate(submissions)
            if submission.op_id in earlier
            for fault in _op_id_faults(
                item, submission, units[item], earlier[submission.op_id], kind, sender
            )
        ]
        try:
            done = _accept_new(kind, submissions, units, earlier, faults, sender)
        except (IntegrityError, BatchRefusedError) as error:
            # A repeated operation fails on a constraint: its revision or its id is taken.
            found = _events_of(kind, submissions)
            is_last = attempt == _ATTEMPTS - 1 or isinstance(error, BatchRefusedError)
            if found.keys() == earlier.keys() and is_last:
                raise
            earlier = found
            continue
        if earlier:
            fresh = kind.items().in_bulk([kind.unit_key(event) for event in earlier.values()])
        return [
            done.get(submission.op_id)
            or Accepted(
                event := earlier[submission.op_id], fresh[kind.unit_key(event)], repeated=True
            )
            for submission in submissions
        ]
    moved = gettext("Other judgments were saved in the meantime. Try again.")
    raise BatchRefusedError([(0, RefusedError("stale", moved, found="another batch"))])


def undo(
    kind: Kind, op_id: str, stream: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Undo the assessor's latest judgment that was not undone yet.

    Raises
    ------
    RefusedError
        If there is no such judgment, or the assignment is closed.
    """
    try:
        return _undo(kind, op_id, person(assessor, stream), stream, timing or Timing())
    except (IntegrityError, RefusedError, BatchRefusedError) as error:
        earlier = kind.events.objects.filter(op_id=op_id).first()
        if earlier is None:
            raise (error.faults[0][1] if isinstance(error, BatchRefusedError) else error) from None
    mine = assessor is not None and earlier.assessor_id == assessor.pk
    if not mine or earlier.kind != _UNDO or kind.stream_key(earlier) != stream:
        raise _id_refusal(op_id)
    return Accepted(earlier, kind.items().get(pk=kind.unit_key(earlier)), repeated=True)


def check(kind: Kind, label: Any, unit: Any) -> Any:
    """Check an item's label, and return the label with its passages in order.

    Raises
    ------
    RefusedError
        If the label is invalid; the first error is raised.
    """
    docs = [getattr(unit, f"{doc}_id") for doc in kind.shown.values()]
    texts = ShownVersions(kind.scales(), digests_of(docs), is_complete=False)
    for fault in kind.faults(label, unit, texts):
        raise fault
    return kind.with_passages(label, unit)


def take_in(events: Sequence[Any]) -> None:
    """Record events of one kind that another app accepted; they lack only their digests.

    Requires a write transaction, and the caller must rebuild the labels afterwards.
    `JudgmentKind.faults` checks whether the other app could have accepted the labels.
    """
    extend(events)


def restore(kind: Kind, undone: Any, last: Any, label: Any, **columns: Any) -> None:
    """Restore a closed item's earlier label by undoing the event `undone`.

    `last` is the item's last event; `label` is the item's label before `undone`.

    Requires a write transaction, and the caller must rebuild the labels afterwards.
    """
    event = kind.events(
        kind=_UNDO,
        undoes=undone,
        base_revision=last.revision,
        revision=last.revision + 1,
        assessor_id=last.assessor_id,
        **{kind.unit: getattr(last, kind.unit), f"{kind.stream}_id": kind.stream_key(last)},
        **kind.label_columns(label),
        **columns,
    )
    extend([event])


def _accept_new(
    kind: Kind,
    submissions: Sequence[Any],
    units: Sequence[Any],
    earlier: Mapping[str, Any],
    faults: list[Fault],
    sender: Sender,
) -> dict[str, Accepted]:
    """Accept the judgments that were not accepted before; return them by operation id."""
    new = [item for item, each in enumerate(submissions) if each.op_id not in earlier]
    faults += _repeats(kind, submissions, units)
    faults += [
        (item, fault) for item in new if isinstance(units[item], list) for fault in units[item]
    ]
    new = [item for item in new if not isinstance(units[item], list)]
    scale = kind.current_scale()
    changes = [
        Change(item, units[item], _event(kind, submissions[item]), label)
        for item in new
        for label in [kind.label(submissions[item], units[item], scale)]
    ]
    texts = kind.texts([(change.label, change.unit) for change in changes], scale)
    for change in changes:
        faults += [(change.item, fault) for fault in _check(kind, change, texts)]
    if faults and len(submissions) == 1:
        raise BatchRefusedError(faults)
    if changes or faults:
        timings = [submissions[change.item].timing for change in changes]
        write_changes(kind, changes, timings, sender, faults)
    return {
        change.event.op_id: Accepted(change.event, change.unit, repeated=False)
        for change in changes
    }


def _check(kind: Kind, change: Change, texts: ShownVersions) -> list[RefusedError]:
    """Return the errors of a label; if there are none, sort its passages."""
    faults = list(kind.faults(change.label, change.unit, texts))
    scale = texts.scales.get(getattr(change.label, kind.scale))
    if not faults and scale is not None:
        faults += kind.lacks(change.label, change.unit, scale)
    if not faults:
        try:
            change.label = kind.with_passages(change.label, change.unit)
        except RefusedError as fault:
            faults.append(fault)
    return faults


def _event(kind: Kind, submission: Any) -> Any:
    return kind.events(
        op_id=submission.op_id,
        kind=_JUDGE,
        base_revision=submission.base_revision,
        input_kind=submission.input_kind,
    )


def _undo(kind: Kind, op_id: str, sender: Sender, stream: int, timing: Timing) -> Accepted:
    last = newest_judgment(kind, stream, sender.assessor)
    if last is None and not kind.is_mine(stream, sender.assessor):
        raise RefusedError("unknown", gettext("This topic is not assigned to you."))
    if last is None:
        raise RefusedError("nothing", gettext("There is nothing to undo."))
    unit = kind.items().get(pk=kind.unit_key(last))
    label = kind.label_at(unit, last.base_revision)
    event = kind.events(op_id=op_id, kind=_UNDO, undoes=last, base_revision=unit.revision)
    write_changes(kind, [Change(0, unit, event, label)], [timing], sender, [])
    return Accepted(event, unit, repeated=False)


def _events_of(kind: Kind, submissions: Sequence[Any]) -> dict[str, Any]:
    """Return the events of repeated judgments, by operation id."""
    ids = [each.op_id for each in submissions]
    events: dict[str, Any] = {}
    for start in range(0, len(ids), _CHUNK):
        found = kind.events.objects.filter(op_id__in=ids[start : start + _CHUNK])
        events |= {event.op_id: event for event in found}
    return events


def _op_id_faults(
    item: int, submission: Any, unit: Any, event: Any, kind: Kind, sender: Sender
) -> list[Fault]:
    """Yield errors for operation ids that were used for another judgment."""
    wanted = submission.unit if isinstance(unit, list) else unit.pk
    was = (kind.unit_key(event), getattr(event, kind.value))
    is_mine = sender.assessor is not None and event.assessor_id == sender.assessor.pk
    if is_mine and event.kind == _JUDGE and was == (wanted, submission.said):
        return []
    return [(item, _id_refusal(submission.op_id))]


def _repeats(kind: Kind, submissions: Sequence[Any], units: Sequence[Any]) -> list[Fault]:
    """Return errors for operations and items that occur twice in a batch."""
    first: dict[str, int] = {}
    times = Counter(unit.pk for unit in units if not isinstance(unit, list))
    faults = []
    for item, (each, unit) in enumerate(zip(submissions, units, strict=True)):
        if first.setdefault(each.op_id, item) != item:
            expected = f"a unique op_id; judgment {first[each.op_id]} has the same op_id"
            faults.append((item, _id_refusal(each.op_id, expected)))
        if not isinstance(unit, list) and times[unit.pk] > 1:
            faults.append((item, _twice(kind, unit)))
    return faults


def _twice(kind: Kind, unit: Any) -> RefusedError:
    return RefusedError(
        "twice",
        kind.words.twice,
        field=kind.name,
        found=" ".join(shown(at(unit, path)) for path in kind.unit_names.values()),
        expected=f"each {kind.name} only once in a batch",
    )


def _id_refusal(op_id: str, expected: str = "") -> RefusedError:
    return RefusedError(
        "op_id",
        gettext("This operation id was already used for a different operation."),
        field="op_id",
        found=shown(op_id),
        expected=expected or "a new op_id; this op_id was used for another judgment",
    )
