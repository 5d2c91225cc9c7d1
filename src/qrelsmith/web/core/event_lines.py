"""Events as lines of exports, which are also the input of the chain's digests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from qrelsmith.web.core.lines import Cell, Kind, json_text

_CHUNK = 1000


@dataclass(frozen=True)
class EventLines:
    """Conversion of the events of a log into records.

    Attributes
    ----------
    kind : Kind
        File name and keys of the records.
    names : mapping of str to str
        The keys that are columns of other tables, each with its path from the event; all other keys
        are columns of the event.
    deferred : tuple of str
        Large columns of other tables that are not needed.
    """

    kind: Kind
    names: Mapping[str, str] = field(default_factory=dict)
    deferred: tuple[str, ...] = ()

    @property
    def related(self) -> tuple[str, ...]:
        """The other tables."""
        return tuple({path.rpartition("__")[0]: None for path in self.names.values()})

    def record(self, event: Any) -> Mapping[str, Cell]:
        """Return an event as a record, the form of events in exports and in the chain's digests."""
        # During a migration, events lack columns that were added later.
        return {
            key: at(event, self.names[key]) if key in self.names else _cell(event, key)
            for key in self.kind.keys
        }

    def read(self, events: Any) -> Any:
        """Return a query of events with all columns that the events' records contain."""
        found = events.objects.select_related(*self.related) if self.names else events.objects.all()
        return found.defer(*self.deferred)

    def records(self, events: Any) -> Iterator[Mapping[str, Cell]]:
        """Iterate over the records of all events, in the order in which they were accepted."""
        return map(self.record, self.read(events).order_by("id").iterator(chunk_size=_CHUNK))


def at(row: Any, path: str) -> Any:
    """Return the column at a path from a row; None if a row on the path is missing."""
    for name in path.split("__"):
        row = getattr(row, name, None)
    return row


def _cell(event: Any, key: str) -> Cell:
    cell = getattr(event, key, None)
    if isinstance(cell, (list, dict)):
        return json_text(cell) if cell else ""
    return cell


# The columns common to all events of judgments.
TEXTS = ("op_id", "kind", "input_kind")
NUMBERS = ("base_revision", "revision", "topic_version", "client_ms", "active_ms", "idle_ms")
TIMES = ("accepted_at", "judged_at", "shown_at")
EVENTS = EventLines(
    Kind(
        "events.jsonl",
        texts=(
            *TEXTS, "assessor", "topic", "doc", "hit", "note", "excerpt", "sha256", "undoes",
            "passages",
        ),
        numbers=(*NUMBERS, "round", "value", "scale_version", "setting"),
        times=TIMES,
    ),
    {
        "assessor": "assessor__name",
        "topic": "assignment__topic__name",
        "doc": "assigned__doc__name",
        "hit": "assignment__hit",
        "round": "assignment__round",
        "undoes": "undoes__op_id",
        "setting": "setting__version",
    },
)  # fmt: skip
PREFERENCE_EVENTS = EventLines(
    Kind(
        "preference_events.jsonl",
        texts=(
            *TEXTS, "assessor", "topic", "left", "right", "left_sha256", "right_sha256", "undoes",
            "passages",
        ),
        numbers=(*NUMBERS, "pair", "outcome", "settings_version"),
        times=TIMES,
    ),
    {
        "assessor": "assessor__name",
        "topic": "contest__topic__name",
        "left": "pair__left__name",
        "right": "pair__right__name",
        "pair": "pair__number",
        "undoes": "undoes__op_id",
    },
    deferred=("contest__candidates", "contest__nonrelevant"),
)  # fmt: skip
DESK = EventLines(
    Kind(
        "desk.jsonl",
        texts=(
            "op_id", "kind", "by", "topic", "doc", "other", "text", "sha256", "other_sha256",
            "passages", "aspect",
        ),
        numbers=("revision", "value", "topic_version", "scale_version", "is_blind"),
        times=("at",),
        is_since_0_1=True,
    ),
    {"topic": "topic__name", "doc": "doc__name", "other": "other__name"},
)  # fmt: skip
# Not exported: accounts belong to this database only.
ACTIONS = EventLines(
    Kind(
        "actions.jsonl",
        texts=("action", "target", "details", "request_id"),
        numbers=("account",),
        times=("at",),
    )
)
