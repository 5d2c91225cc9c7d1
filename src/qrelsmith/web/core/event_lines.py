"""Events as lines of exports, which the chain digests as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import QuerySet

from qrelsmith.web.core.lines import Cell, Kind, json_text
from qrelsmith.web.models import DeskEvent, Event, OrganiserAction, PreferenceEvent

# What is written as it is; each kind of event has more.
_TEXTS = ("op_id", "kind", "input_kind")
_NUMBERS = ("base_revision", "revision", "topic_version", "client_ms", "active_ms", "idle_ms")
_TIMES = ("accepted_at", "judged_at", "shown_at")
EVENTS = Kind(
    "events.jsonl",
    texts=(
        *_TEXTS, "assessor", "topic", "doc", "hit", "note", "excerpt", "sha256", "undoes",
        "passages",
    ),
    numbers=(*_NUMBERS, "round", "value", "scale_version", "setting"),
    times=_TIMES,
)  # fmt: skip
_GRADED = (*_TEXTS, *_NUMBERS, *_TIMES, "value", "note", "excerpt", "sha256", "scale_version")
PREFERENCE_EVENTS = Kind(
    "preference_events.jsonl",
    texts=(
        *_TEXTS, "assessor", "topic", "left", "right", "left_sha256", "right_sha256", "undoes",
        "passages",
    ),
    numbers=(*_NUMBERS, "pair", "outcome", "settings_version"),
    times=_TIMES,
)  # fmt: skip
_PAIRED = (
    *_TEXTS, *_NUMBERS, *_TIMES, "outcome", "left_sha256", "right_sha256", "settings_version",
)  # fmt: skip
_DESK_PLAIN = (
    "op_id", "kind", "by", "text", "sha256", "other_sha256", "revision", "value", "topic_version",
    "scale_version", "is_blind", "at",
)  # fmt: skip
DESK = Kind(
    "desk.jsonl",
    texts=(
        "op_id", "kind", "by", "topic", "doc", "other", "text", "sha256", "other_sha256",
        "passages",
    ),
    numbers=("revision", "value", "topic_version", "scale_version", "is_blind"),
    times=("at",),
    is_since_0_1=True,
)  # fmt: skip
# Not exported: accounts are of this database only.
ACTIONS = Kind(
    "actions.jsonl",
    texts=("action", "target", "details", "request_id"),
    numbers=("account",),
    times=("at",),
)
_CHUNK = 1000


def events_of_records() -> QuerySet[Event]:
    """Events with what their records hold of others."""
    return Event.objects.select_related(
        "assessor", "assignment__topic", "assigned__doc", "undoes", "setting"
    )


def event_records() -> Iterator[Mapping[str, Cell]]:
    """All events, in the order in which they were accepted."""
    return map(event_record, events_of_records().order_by("id").iterator(chunk_size=_CHUNK))


def event_record(event: Event) -> Mapping[str, Cell]:
    """An event as exports hold it and the chain digests it."""
    # A migration gives events that have no column yet which came later.
    return {name: getattr(event, name, None) for name in _GRADED} | {
        "assessor": event.assessor.name,
        "topic": event.assignment.topic.name,
        "doc": event.assigned.doc.name,
        "hit": event.assignment.hit,
        "round": event.assignment.round,
        "undoes": event.undoes.op_id if event.undoes else "",
        "passages": passages_text(event),
        "setting": event.setting.version if event.setting else None,
    }


def preference_events_of_records() -> QuerySet[PreferenceEvent]:
    """Events with what their records hold of others."""
    found = PreferenceEvent.objects.select_related(
        "assessor", "contest__topic", "pair__left", "pair__right", "undoes"
    )
    return found.defer("contest__candidates", "contest__nonrelevant")


def preference_event_records() -> Iterator[Mapping[str, Cell]]:
    """All events, in the order in which they were accepted."""
    events = preference_events_of_records().order_by("id")
    return map(preference_event_record, events.iterator(chunk_size=_CHUNK))


def preference_event_record(event: PreferenceEvent) -> Mapping[str, Cell]:
    """An event as exports hold it and the chain digests it."""
    return {name: getattr(event, name, None) for name in _PAIRED} | {
        "assessor": event.assessor.name,
        "topic": event.contest.topic.name,
        "left": event.pair.left.name,
        "right": event.pair.right.name,
        "pair": event.pair.number,
        "undoes": event.undoes.op_id if event.undoes else "",
        "passages": passages_text(event),
    }


def desk_record(event: DeskEvent) -> Mapping[str, Cell]:
    """A desk event as exports hold it and the chain digests it."""
    other = getattr(event, "other", None)
    return {name: getattr(event, name, None) for name in _DESK_PLAIN} | {
        "topic": event.topic.name,
        "doc": event.doc.name if event.doc else "",
        "other": other.name if other else "",
        "passages": passages_text(event),
    }


def action_record(action: OrganiserAction) -> Mapping[str, Cell]:
    """An action as the chain digests it."""
    return {
        "account": action.account,
        "action": action.action,
        "target": action.target,
        "details": json_text(action.details) if action.details else "",
        "request_id": action.request_id,
        "at": action.at,
    }


def passages_text(event: Event | PreferenceEvent | DeskEvent) -> str:
    """The passages of an event as a record holds them."""
    return json_text(event.passages) if event.passages else ""
