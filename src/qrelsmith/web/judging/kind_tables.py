"""The tables of a kind of judgment: the declarations, and the contents of rows."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from django.db.models import QuerySet

from qrelsmith.web.core.event_lines import EventLines, at
from qrelsmith.web.core.submissions import Submission


class KindTables(ABC):
    """The tables of a kind of judgment.

    Attributes
    ----------
    name, api : str
        The name of an item for clients, and the prefix of the addresses for programs.
    submission : type
        The class of a submission by a client.
    blank : dataclass
        The label of an unjudged item. Its fields are columns of both events and items; the first is
        the grade or outcome.
    events, units, streams : type
        The tables of the log, of judged items with their current labels, and of streams
        (assignments, preference tasks), which hold many items, are closed as a whole, and have a
        chain of events.
    unit, stream : str
        The columns with which events refer to their item and their stream.
    shown : mapping of str to str
        The columns with digests of what was shown, each with the column of its doc.
    scale : str
        The column with the version of the scale.
    in_play : mapping of str to bool
        The columns and the values that they have in items that can get a label.
    counts_events : bool
        Whether the revision of a stream is the number of its events.
    lines : EventLines
        The records of its events.
    stream_names, unit_names, own_names : mapping of str to str
        The keys by which records name a stream, one of its items, and further rows that must belong
        to the item; each with its path from the row.
    """

    name: ClassVar[str]
    api: ClassVar[str]
    submission: ClassVar[type[Submission]]
    blank: ClassVar[Any]
    events: ClassVar[Any]
    units: ClassVar[Any]
    streams: ClassVar[Any]
    unit: ClassVar[str]
    stream: ClassVar[str]
    shown: ClassVar[Mapping[str, str]]
    scale: ClassVar[str]
    in_play: ClassVar[Mapping[str, bool]] = MappingProxyType({})
    counts_events: ClassVar[bool] = False
    lines: ClassVar[EventLines]
    stream_names: ClassVar[Mapping[str, str]]
    unit_names: ClassVar[Mapping[str, str]]
    own_names: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of a label."""
        return tuple(each.name for each in fields(self.blank))

    @property
    def value(self) -> str:
        """The column with the grade or outcome."""
        return self.columns[0]

    @cached_property
    def unjudged(self) -> dict[str, Any]:
        """The values of the columns of an item without events."""
        return self.unit_columns(self.blank, 0)

    def label_of(self, row: Any) -> Any:
        """Return the label in an event or item."""
        return type(self.blank)(**{name: getattr(row, name) for name in self.columns})

    def label_after(self, event: Any) -> Any:
        """Return the label after an event."""
        return self.blank if getattr(event, self.value) is None else self.label_of(event)

    def label_at(self, unit: Any, revision: int) -> Any:
        """Return the label that an item had at an earlier revision."""
        if revision == 0:
            return self.blank
        return self.label_after(self.events.objects.get(**{self.unit: unit, "revision": revision}))

    def label_columns(self, label: Any) -> dict[str, Any]:
        """Return the columns of a label with their values."""
        return {name: getattr(label, name) for name in self.columns}

    def unit_columns(self, label: Any, revision: int) -> dict[str, Any]:
        """Return the values of an item's columns for a label."""
        is_judged = label != self.blank
        return self.label_columns(label) | {"revision": revision, "is_judged": is_judged}

    def holds(self, unit: Any, last: Any) -> bool:
        """Return whether an item's current label agrees with its last event."""
        wanted = self.unit_columns(self.label_after(last), last.revision)
        return all(getattr(unit, name) == value for name, value in wanted.items())

    def unit_key(self, event: Any) -> int:
        """Return the number of an event's item."""
        return int(getattr(event, f"{self.unit}_id"))

    def stream_key(self, row: Any) -> int:
        """Return the number of the stream of an event or item."""
        return int(getattr(row, f"{self.stream}_id"))

    def streams_with_names(self) -> QuerySet[Any]:
        """Return the streams, joined with the tables that contain their names."""
        paths = [path.rpartition("__")[0] for path in self.stream_names.values()]
        found: QuerySet[Any] = self.streams.objects.select_related(*filter(None, paths))
        return found

    def names_of(self, stream: Any) -> dict[str, str]:
        """Return the names that identify a stream, by their columns in records."""
        return {key: str(at(stream, path)) for key, path in self.stream_names.items()}

    def record(self, event: Any) -> Mapping[str, Any]:
        """Return an event as a record, the form of events in exports and in the chain's digests."""
        return self.lines.record(event)
