"""Labels rebuilt from the log of events, and compared with those in the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from types import MappingProxyType
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from qrelsmith.web.core.checks import Check
from qrelsmith.web.judging.kinds import JudgmentKind

_CHUNK = 2000
_History = tuple[Any, list[Any]]


def compare_labels(kind: JudgmentKind, checks: tuple[Check, Check, Check]) -> None:
    """Check the events of every item against its label; requires a snapshot.

    Parameters
    ----------
    kind : JudgmentKind
        The kind of judgment.
    checks : tuple of Check
        Three checks that receive the errors: events follow one another, an undo restores the
        previous label, labels match the events.
    """
    follow, undone, labels = checks
    name = kind.words.event
    for held, history in histories(kind):
        states: dict[int, Any] = {0: kind.blank}
        for place, accepted in enumerate(history, start=1):
            follow.rows += 1
            if accepted.revision != place or accepted.base_revision != place - 1:
                follow.fault(
                    f"{name} {accepted.op_id} has revision {accepted.revision}, not {place}"
                )
            if not kind.belongs(accepted, held):
                follow.fault(
                    f"{name} {accepted.op_id} and its {kind.words.unit} belong to different"
                    f" {kind.stream}s or assessors"
                )
            label = kind.label_after(accepted)
            if accepted.undoes is not None:
                undone.rows += 1
                if label != states.get(accepted.undoes.base_revision):
                    undone.fault(f"{name} {accepted.op_id} does not restore the earlier label")
            states[accepted.revision] = label
        labels.rows += 1
        if not kind.holds(held, history[-1]):
            labels.fault(
                f"{kind.words.unit} {held.pk} (revision {held.revision}) differs from event {place}"
            )


def rebuild_units(kind: JudgmentKind) -> int:
    """Rebuild current labels from the log; return the number corrected."""
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
    bare: Any = without_events(kind).exclude(**kind.unjudged)
    return changed + int(bare.update(**kind.unjudged))


def write_labels(
    kind: JudgmentKind,
    rows: Sequence[tuple[Any, dict[str, Any]]],
    *,
    in_play: Mapping[str, Any] = MappingProxyType({}),
) -> bool:
    """Write the labels of items with unchanged revisions; return whether all were written.

    The items are changed in the order of their numbers, so that no deadlock occurs.

    Parameters
    ----------
    kind : JudgmentKind
        The kind of judgment.
    rows : sequence of (item, dict)
        The items as read before, and their new columns.
    in_play : mapping
        The columns and the values that they must have in an item that gets a label.
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


def histories(kind: JudgmentKind) -> Iterator[_History]:
    """Yield every item that has events, with its events in the order of revisions."""
    ordered = kind.events.objects.select_related("undoes")
    events: Iterable[Any] = ordered.order_by(f"{kind.unit}_id", "revision").iterator(
        chunk_size=_CHUNK
    )
    grouped = ((pk, list(group)) for pk, group in groupby(events, key=kind.unit_key))
    while batch := dict(islice(grouped, _CHUNK)):
        units = kind.units.objects.in_bulk(list(batch))
        for pk, history in batch.items():
            yield units[pk], history


def without_events(kind: JudgmentKind) -> QuerySet[Any]:
    """Return the items without events."""
    bare: QuerySet[Any] = kind.units.objects.filter(events=None)
    return bare
