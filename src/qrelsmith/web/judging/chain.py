"""Hash chains of events: each event has a digest of itself and of all earlier events in its stream.

A stream is an assignment or a preference task. The digest of an event is the SHA-256 of the
previous digest (empty for the first event), a newline, and the event's line in exports. The last
digest is the head of the stream: it is stored with the assignment or preference task, and is part
of exports. If an event is changed, removed or added outside the app, all later digests differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any

from django.db import connection

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.lines import link
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind, kind_of

_CHUNK = 2000


def extend(
    events: Sequence[Any],
    heads: Mapping[int, str] | None = None,
    changes: Mapping[int, Mapping[str, Any]] | None = None,
) -> None:
    """Append events of one kind to their streams.

    Requires a write transaction.

    Parameters
    ----------
    events : sequence of events
        The events in order, complete except for their digests.
    heads : mapping of int to str, optional
        The heads of their streams, if the caller has locked them; otherwise, they are read and
        locked here.
    changes : mapping of int to mapping, optional
        Other columns of the streams to change.
    """
    if not events:
        return
    kind = kind_of(events[0])
    streams = kind.streams.objects
    keys = sorted({kind.stream_key(event) for event in events})
    if heads is None:
        locked = streams.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
        heads = dict(locked.values_list("pk", "head"))
    ends = {key: heads[key] for key in keys}
    for event in events:
        key = kind.stream_key(event)
        event.digest = ends[key] = _digest(kind, event, ends[key])
    _insert(events)
    for key, head in ends.items():
        streams.filter(pk=key).update(**(changes or {}).get(key, {}), head=head)


def _insert(events: Sequence[Any]) -> None:
    """Insert events; a single event is inserted with plain SQL, which is faster than the ORM."""
    table = type(events[0])
    if len(events) > 1:
        table.objects.bulk_create(events)
        return
    (event,) = events
    columns = [each for each in table._meta.concrete_fields if not each.primary_key]
    names = ", ".join(each.column for each in columns)
    values = [each.get_db_prep_save(getattr(event, each.attname), connection) for each in columns]
    places = ", ".join(["%s"] * len(columns))
    sql = f"INSERT INTO {table._meta.db_table} ({names}) VALUES ({places})"  # noqa: S608 - names of ours
    is_returned = connection.features.can_return_columns_from_insert
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} RETURNING id" if is_returned else sql, values)
        event.pk = cursor.fetchone()[0] if is_returned else cursor.lastrowid


def campaign_head() -> str:
    """Return one digest of the heads of all streams, as in the manifest of an export."""
    heads = [
        head
        for kind in KINDS
        for head in kind.streams.objects.exclude(head="").values_list("head", flat=True)
    ]
    return sha256("".join(f"{head}\n" for head in sorted(heads)).encode()).hexdigest()


def hold_all() -> None:
    """Wait for judgments in progress, then block all judgments until the transaction ends.

    Requires a write transaction. Rows are locked in the order of their numbers, so that no
    deadlock occurs.
    """
    for kind in KINDS:
        locked = kind.streams.objects.select_for_update(no_key=True).order_by("pk")
        list(locked.values_list("pk"))


def chain_check() -> Check:
    """Check that every event is unchanged; report the first changed event of each stream."""
    check = Check("the log of judgments is intact")
    for kind in KINDS:
        for stream, events in _streams(kind):
            before = ""
            for event in events:
                check.rows += 1
                before = _digest(kind, event, before)
                if event.digest != before:
                    check.fault(
                        f"event {event.op_id} of {kind.stream_name(stream)} was changed, or an"
                        " earlier event is missing"
                    )
                    break
            else:
                if stream.head != before:
                    check.fault(f"the last events of {kind.stream_name(stream)} are missing")
    return check


def _streams(kind: JudgmentKind) -> Iterator[tuple[Any, Iterable[Any]]]:
    """Iterate over assignments or preference tasks with their events, in order of acceptance."""
    rest = kind.streams_with_names().in_bulk()
    events = (
        kind.lines.read(kind.events).order_by(f"{kind.stream}_id", "id").iterator(chunk_size=_CHUNK)
    )
    for key, group in groupby(events, key=kind.stream_key):
        yield rest.pop(key), group
    for stream in rest.values():
        yield stream, ()


def _digest(kind: JudgmentKind, event: Any, before: str) -> str:
    return link(before, kind.record(event), kind.lines.kind)
