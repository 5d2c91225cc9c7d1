"""Atomic writing of a batch: its events and the current labels.

The write transaction locks all state before reading it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext

from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError, Timing
from qrelsmith.web.core.timing import points_in_time
from qrelsmith.web.judging.batches import BatchRefusedError, Change, Fault, Kind, Sender
from qrelsmith.web.judging.chain import extend
from qrelsmith.web.judging.projections import write_labels
from qrelsmith.web.models import Assessor, Event


def write_changes(
    kind: Kind,
    changes: Sequence[Change],
    timings: Sequence[Timing],
    sender: Sender,
    faults: list[Fault],
) -> None:
    """Complete and write events, and update the current labels: all or nothing."""
    with writing():
        columns = sender.prepare()
        heads, closed = _lock_streams(kind, changes, sender)
        faults = faults + closed
        if faults:
            raise BatchRefusedError(
                faults + (_moved_faults(kind, changes) if len(changes) > 1 else [])
            )
        for change, timing in zip(changes, timings, strict=True):
            _complete(kind, change, timing, sender, columns)
        rows = [
            (change.unit, kind.unit_columns(change.label, change.event.revision))
            for change in changes
        ]
        is_known = all(each.unit.revision == each.event.base_revision for each in changes)
        if not is_known or not write_labels(kind, rows, in_play=kind.in_play):
            raise BatchRefusedError(_moved_faults(kind, changes)) if changes else IntegrityError
        _check_newest_judgment(kind, changes, sender)
        labelled: dict[int, list[tuple[Any, bool]]] = {}
        for change, (_, held) in zip(changes, rows, strict=True):
            own = labelled.setdefault(kind.stream_key(change.unit), [])
            own.append((change.unit, held["is_judged"]))
        changed = {key: kind.stream_changes(own) for key, own in labelled.items()}
        extend([change.event for change in changes], heads, changed)
    for unit, held in rows:
        for name, value in held.items():
            setattr(unit, name, value)
        kind.finish(unit)


def _lock_streams(
    kind: Kind, changes: Sequence[Change], sender: Sender
) -> tuple[dict[int, str], list[Fault]]:
    """Lock the streams of judgments in order; return their heads, and refusals for closed ones."""
    heads: dict[int, str] = {}
    faults: list[Fault] = []
    for change in sorted(changes, key=lambda change: (kind.stream_key(change.unit), change.item)):
        key = kind.stream_key(change.unit)
        if key in heads:
            continue
        try:
            heads[key] = kind.lock_head(change.unit, has_account=sender.has_account)
        except RefusedError as fault:
            faults.append((change.item, fault))
    return heads, faults


def _moved_faults(kind: Kind, changes: Sequence[Change]) -> list[Fault]:
    """Return conflicts for items whose label has changed, or which can no longer be labelled."""
    current = kind.items().in_bulk([change.unit.pk for change in changes])
    return [
        (change.item, kind.conflict(now, base=change.event.base_revision))
        for change in changes
        for now in [current[change.unit.pk]]
        if now.revision != change.event.base_revision
        or any(getattr(now, name) != value for name, value in kind.in_play.items())
    ]


def _complete(
    kind: Kind, change: Change, timing: Timing, sender: Sender, columns: Mapping[str, Any]
) -> None:
    """Fill in all columns of an event except its digest."""
    event, unit = change.event, change.unit
    event.assessor = sender.assessor
    setattr(event, kind.unit, unit)
    setattr(event, kind.stream, getattr(unit, kind.stream))
    event.revision = event.base_revision + 1
    when = points_in_time(timing, since=kind.start_time(unit))
    if event.op_id in sender.times:
        when["judged_at"] = sender.times[event.op_id]
    for name, value in {**when, **kind.label_columns(change.label), **columns}.items():
        setattr(event, name, value)


def _check_newest_judgment(kind: Kind, changes: Sequence[Change], sender: Sender) -> None:
    """Raise an error if something was judged after the judgment to undo."""
    for change in changes:
        last = change.event.undoes
        if (
            last is not None
            and newest_judgment(kind, kind.stream_key(last), sender.assessor) != last
        ):
            now = kind.items().get(pk=change.unit.pk)
            raise RefusedError(
                "stale",
                gettext("Another judgment was saved in the meantime. Undo again."),
                current=now,
            )


def newest_judgment(kind: Kind, stream: int, assessor: Assessor | None) -> Any:
    """Return an assessor's latest judgment that was not undone."""
    of = {kind.stream: stream, "assessor": assessor}
    left = kind.events.objects.filter(**of, kind=Event.Kind.JUDGE, undo=None)
    return left.order_by("-id").first()
