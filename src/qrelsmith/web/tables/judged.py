"""The judgments of a round, directly from the events instead of from an exported file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from qrelsmith.base.arrays import AnyArray, BoolArray, IntArray
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.models import Assignment, Doc, Hit
from qrelsmith.web.tables.event_table import EventTable

# The grade after an undo of the first judgment, as in an export.
UNJUDGED_CODE = -1.0
FIRST_ROUND = 1
# Up to this number of docs, only their names are queried; otherwise the names of all docs.
_FEW = 500
# Labels in these HITs never count; labels in a HIT that is not submitted yet count here already.
_GONE = (Hit.State.DISCARDED, Hit.State.ABANDONED)


class Assigned(NamedTuple):
    """Facts about an event's assignment."""

    topic: str
    assessor: str
    group: str
    hit: str
    ordering: str
    round: int


@lru_cache(maxsize=2)
def judgments_from(events: EventTable, round_: int = FIRST_ROUND) -> Judgments:
    """Return the judgments of a round among some events, the same as an export without open HITs.

    Textual labels, notes and scales are omitted. The latest result is cached: it never changes for
    the same events.
    """
    names = ("id", *(_FIELDS[name] for name in Assigned._fields))
    counted = Assignment.objects.filter(round=round_).exclude(crowd_hit__state__in=_GONE)
    rows = counted.values_list(*names)
    assigned = {row[0]: Assigned(*row[1:]) for row in rows}
    keys = np.fromiter(assigned, dtype=np.int64, count=len(assigned))
    events = events.select(np.isin(events.assignment, keys) & ~_is_check(events, round_))
    used, place = np.unique(events.assignment, return_inverse=True)
    said = [assigned[key] for key in used.tolist()]
    topics, topic = _codes([facts.topic for facts in said], place)
    assessors, assessor = _codes([facts.assessor for facts in said], place)
    numbers, doc = np.unique(events.doc, return_inverse=True)
    docs, doc = _codes(_doc_names(numbers), doc)
    order = _in_order(topic, doc, assessor, events.revision)
    events, place = events.select(order), place[order]
    return Judgments(
        topics=topics,
        docs=docs,
        assessors=assessors,
        topic=topic[order],
        doc=doc[order],
        assessor=assessor[order],
        grade=np.where(np.isnan(events.value), UNJUDGED_CODE, events.value),
        group=_texts([facts.group for facts in said], place),
        hit=_texts([facts.hit for facts in said], place),
        position=_column_or_none(events.position.astype(np.float64)),
        ordering=_texts([facts.ordering for facts in said], place),
        shown_at=_column_or_none(events.shown_at),
        judged_at=_column_or_none(events.judged_at),
        active_ms=_column_or_none(events.active_ms),
        idle_ms=_column_or_none(events.idle_ms),
        revision=_column_or_none(events.revision.astype(np.float64)),
    )


_FIELDS = {
    "topic": "topic__name",
    "assessor": "assessor__name",
    "group": "assessor__group",
    "hit": "hit",
    "ordering": "ordering",
    "round": "round",
}


def _is_check(events: EventTable, round_: int) -> BoolArray:
    """Return whether each event is about an attention check of a HIT."""
    hits = Hit.objects.filter(assignment__round=round_).exclude(challenges={})
    named = {(a, doc) for a, docs in hits.values_list("assignment", "challenges") for doc in docs}
    numbers = dict(Doc.objects.filter(name__in={doc for _, doc in named}).values_list("name", "id"))
    span = max(events.doc.max(initial=0), *numbers.values(), 0) + 1
    checks = [number * span + numbers[doc] for number, doc in named]
    return np.isin(events.assignment * span + events.doc, checks)


def _doc_names(numbers: IntArray) -> list[str]:
    wanted = Doc.objects.all()
    if numbers.size <= _FEW:
        wanted = wanted.filter(pk__in=numbers.tolist())
    names = dict(wanted.values_list("id", "name"))
    return [names[number] for number in numbers.tolist()]


def _codes(names: Sequence[str], of: IntArray) -> tuple[tuple[str, ...], IntArray]:
    """Return the distinct names, sorted, and the index of each event's name."""
    distinct = sorted(set(names))
    place = {name: code for code, name in enumerate(distinct)}
    codes = np.array([place[name] for name in names], dtype=np.int64)
    return tuple(distinct), codes[of]


def _in_order(topic: IntArray, doc: IntArray, assessor: IntArray, revision: IntArray) -> IntArray:
    """Return the indices of events by topic, doc, assessor and revision, without duplicates."""
    order = np.lexsort((revision, assessor, doc, topic))
    keys = np.stack([topic, doc, assessor, revision])[:, order]
    return np.asarray(order[np.append(True, (np.diff(keys) != 0).any(axis=0))[: order.size]])


def _texts(names: Sequence[str], of: IntArray) -> tuple[str, ...] | None:
    if not any(names):
        return None
    return tuple(np.array(names, dtype=object)[of].tolist())


def _column_or_none(column: AnyArray) -> Any:
    """Return a column, or None if all its values are missing."""
    missing = np.isnat(column) if column.dtype.kind == "M" else np.isnan(column)
    return None if missing.all() else column
