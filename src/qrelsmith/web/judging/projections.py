"""Labels of units rebuilt from their events, and compared with what the database holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from types import MappingProxyType
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from qrelsmith.web.core.checks import Check
from qrelsmith.web.judging.kinds import JudgmentKind

_CHUNK = 2000
_History = tuple[Any, list[Any]]


def compare_labels(
    kind: JudgmentKind[Any],
    checks: tuple[Check, Check, Check],
    *,
    event: str,
    unit: str,
    belongs: Callable[[Any, Any], str],
) -> None:
    """Walk along the events of every unit; only inside a snapshot.

    Parameters
    ----------
    kind : JudgmentKind
        The kind of judgment.
    checks : tuple of Check
        Whether events follow one another, whether an undo restores the label before, and whether
        labels are what the events leave; each is told its faults.
    event, unit : str
        How events and units are called in sentences.
    belongs : callable
        The fault of an event and its unit that do not belong together; empty if they do.
    """
    follow, undone, labels = checks
    for held, history in histories(kind):
        states: dict[int, Any] = {0: kind.blank}
        for place, accepted in enumerate(history, start=1):
            follow.rows += 1
            if accepted.revision != place or accepted.base_revision != place - 1:
                follow.fault(
                    f"{event} {accepted.op_id} has revision {accepted.revision}, not {place}"
                )
            fault = belongs(accepted, held)
            if fault:
                follow.fault(f"{event} {accepted.op_id} is {fault}")
            label = kind.label_after(accepted)
            if accepted.undoes is not None:
                undone.rows += 1
                if label != states.get(accepted.undoes.base_revision):
                    undone.fault(f"{event} {accepted.op_id} leaves another label than there was")
            states[accepted.revision] = label
        labels.rows += 1
        if not kind.holds(held, history[-1]):
            labels.fault(f"{unit} {held.pk} has revision {held.revision}; its events {place}")


def compare_untouched(kind: JudgmentKind[Any], check: Check, *, unit: str) -> Check:
    """Whether units without events are unjudged."""
    bare = _without_events(kind)
    check.rows = bare.count()
    for each in bare.exclude(**kind.unjudged).iterator():
        check.fault(f"{unit} {each.pk} has a label, but no event")
    return check


def rebuild_units(kind: JudgmentKind[Any]) -> int:
    """Give every unit what its events leave; how many had something else."""
    found = histories(kind)
    changed = 0
    while batch := list(islice(found, _CHUNK)):
        wrong = [
            (held, kind.unit_columns(kind.label_after(events[-1]), events[-1].revision))
            for held, events in batch
            if not kind.holds(held, events[-1])
        ]
        write_labels(kind, wrong)
        changed += len(wrong)
    bare: Any = _without_events(kind).exclude(**kind.unjudged)
    return changed + int(bare.update(**kind.unjudged))


def write_labels(
    kind: JudgmentKind[Any],
    rows: Sequence[tuple[Any, dict[str, Any]]],
    *,
    in_play: Mapping[str, Any] = MappingProxyType({}),
) -> bool:
    """Give many items their labels, each from its own revision; return whether all got theirs.

    They are changed in the order of their numbers, so that no two writers wait for each other.

    Parameters
    ----------
    kind : JudgmentKind
        The kind of judgment.
    rows : sequence of (item, dict)
        The items as they were read, and their new columns.
    in_play : mapping
        The columns that an item must have to get a label.
    """
    if not rows:
        return True
    meta = kind.units._meta
    columns = [meta.get_field(name) for name in kind.unjudged]
    names = ", ".join(f"{each.column} = %s" for each in columns)
    where = "".join(f" AND {meta.get_field(name).column} = %s" for name in in_play)
    values = [
        (
            *(each.get_db_prep_save(held[each.name], connection) for each in columns),
            unit.pk,
            unit.revision,
            *in_play.values(),
        )
        for unit, held in sorted(rows, key=lambda row: row[0].pk)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {meta.db_table} SET {names} WHERE id = %s AND revision = %s{where}",  # noqa: S608 - names of ours
            values,
        )
        return bool(cursor.rowcount == len(values))


def histories(kind: JudgmentKind[Any]) -> Iterator[_History]:
    """Every unit that has events, with them in the order of their revisions."""
    ordered = kind.events.objects.select_related("undoes")
    events: Iterable[Any] = ordered.order_by(f"{kind.unit}_id", "revision").iterator(
        chunk_size=_CHUNK
    )
    grouped = ((pk, list(group)) for pk, group in groupby(events, key=kind.unit_key))
    while batch := dict(islice(grouped, _CHUNK)):
        units = kind.units.objects.in_bulk(list(batch))
        for pk, history in batch.items():
            yield units[pk], history


def _without_events(kind: JudgmentKind[Any]) -> QuerySet[Any]:
    bare: QuerySet[Any] = kind.units.objects.filter(events=None)
    return bare
