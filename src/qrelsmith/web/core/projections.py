"""Labels of units rebuilt from their events, and compared with what the database holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.subjects import AnyEvent, AnyUnit, Subject

_CHUNK = 2000
_History = tuple[Any, list[Any]]


def compare_labels(
    subject: Subject[Any],
    checks: tuple[Check, Check, Check],
    *,
    event: str,
    unit: str,
    belongs: Callable[[Any, Any], str],
) -> None:
    """Walk along the events of every unit; only inside a snapshot.

    Parameters
    ----------
    subject : Subject
        Docs or pairs.
    checks : tuple of Check
        Whether events follow one another, whether an undo restores the label before, and whether
        labels are what the events leave; each is told its faults.
    event, unit : str
        How events and units are called in sentences.
    belongs : callable
        The fault of an event and its unit that do not belong together; empty if they do.
    """
    follow, undone, labels = checks
    for held, history in histories(subject):
        states: dict[int, Any] = {0: subject.blank}
        for place, accepted in enumerate(history, start=1):
            follow.rows += 1
            if accepted.revision != place or accepted.base_revision != place - 1:
                follow.fault(
                    f"{event} {accepted.op_id} has revision {accepted.revision}, not {place}"
                )
            fault = belongs(accepted, held)
            if fault:
                follow.fault(f"{event} {accepted.op_id} is {fault}")
            label = subject.label_after(accepted)
            if accepted.undoes is not None:
                undone.rows += 1
                if label != states.get(accepted.undoes.base_revision):
                    undone.fault(f"{event} {accepted.op_id} leaves another label than there was")
            states[accepted.revision] = label
        labels.rows += 1
        if not subject.holds(held, history[-1]):
            labels.fault(f"{unit} {held.pk} has revision {held.revision}; its events {place}")


def compare_untouched(subject: Subject[Any], check: Check, *, unit: str) -> Check:
    """Whether units without events are unjudged."""
    bare = _without_events(subject)
    check.rows = bare.count()
    for each in bare.exclude(**subject.unjudged).iterator():
        check.fault(f"{unit} {each.pk} has a label, but no event")
    return check


def rebuild_units(subject: Subject[Any]) -> int:
    """Give every unit what its events leave; how many had something else."""
    found = histories(subject)
    changed = 0
    while batch := list(islice(found, _CHUNK)):
        wrong = [
            (held, subject.unit_columns(subject.label_after(events[-1]), events[-1].revision))
            for held, events in batch
            if not subject.holds(held, events[-1])
        ]
        write_labels(subject, wrong, base=lambda unit: unit.revision)
        changed += len(wrong)
    bare: Any = _without_events(subject).exclude(**subject.unjudged)
    return changed + int(bare.update(**subject.unjudged))


def write_labels(
    subject: Subject[Any],
    rows: Sequence[tuple[AnyUnit, dict[str, Any]]],
    *,
    base: Callable[[AnyUnit], int],
) -> bool:
    """Give many units their labels, each from the revision `base`; whether all had theirs.

    They are changed in the order of their numbers, so that no two writers wait for each other.
    """
    if not rows:
        return True
    meta = subject.units._meta
    columns = [meta.get_field(name) for name in subject.unjudged]
    names = ", ".join(f"{each.column} = %s" for each in columns)
    values = [
        (
            *(each.get_db_prep_save(held[each.name], connection) for each in columns),
            unit.pk,
            base(unit),
        )
        for unit, held in sorted(rows, key=lambda row: row[0].pk)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {meta.db_table} SET {names} WHERE id = %s AND revision = %s",  # noqa: S608 - names of ours
            values,
        )
        return bool(cursor.rowcount == len(values))


def histories(subject: Subject[Any]) -> Iterator[_History]:
    """Every unit that has events, with them in the order of their revisions."""
    ordered = subject.events.objects.select_related("undoes")
    events: Iterable[AnyEvent] = ordered.order_by(f"{subject.unit}_id", "revision").iterator(
        chunk_size=_CHUNK
    )
    grouped = ((pk, list(group)) for pk, group in groupby(events, key=subject.unit_key))
    while batch := dict(islice(grouped, _CHUNK)):
        units = subject.units.objects.in_bulk(list(batch))
        for pk, history in batch.items():
            yield units[pk], history


def _without_events(subject: Subject[Any]) -> QuerySet[Any]:
    bare: QuerySet[Any] = subject.units.objects.filter(events=None)
    return bare
