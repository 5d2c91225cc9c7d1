"""Graded docs and pairs: the columns of their labels, declared once, and the label at each event.

Whatever accepts, takes back, verifies, rebuilds, exports or imports a label asks a `Subject` for
its columns. An event says all of the label that it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, TypeVar

from qrelsmith.web.core.event_lines import (
    EVENTS,
    PREFERENCE_EVENTS,
    event_record,
    events_of_records,
    preference_event_record,
    preference_events_of_records,
)
from qrelsmith.web.core.lines import Cell, Kind
from qrelsmith.web.models import (
    AssignedDoc,
    Assignment,
    Contest,
    Event,
    PairTask,
    PreferenceEvent,
)

AnyEvent = Event | PreferenceEvent
AnyUnit = AssignedDoc | PairTask
_Label = TypeVar("_Label", bound="Label | PairAnswer")


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an assigned doc at some revision.

    Attributes
    ----------
    value : float or None
        A grade, a code below 0, or None: unjudged.
    note, excerpt : str
        What came with it.
    passages : list of dict
        The passages of the doc that support it.
    sha256 : str
        The digest of the doc that was shown; empty if it is unjudged.
    topic_version, scale_version : int
        The texts by which it was judged; 0 if it is unjudged.
    """

    value: float | None = None
    note: str = ""
    excerpt: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)
    sha256: str = ""
    topic_version: int = 0
    scale_version: int = 0


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer to a pair at some revision.

    Attributes
    ----------
    outcome : int or None
        From −2 (left much better) to 2, or None: unjudged.
    left_sha256, right_sha256 : str
        The digests of the docs that were shown; empty if it is unjudged.
    passages : list of dict
        The passages of both docs that support it, each with its side.
    topic_version, settings_version : int
        The texts by which it was judged; 0 if it is unjudged.
    """

    outcome: int | None = None
    left_sha256: str = ""
    right_sha256: str = ""
    topic_version: int = 0
    settings_version: int = 0
    passages: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Subject(Generic[_Label]):
    """A kind of thing that is judged.

    Attributes
    ----------
    blank : Label or PairAnswer
        What stands of one that is unjudged; its fields are columns of events and units alike, the
        first of them that of the grade or outcome.
    events : type
        What happens to them.
    units : type
        What holds the current label of each: a projection of its events.
    streams : type
        What holds many units, is closed as a whole, and has a chain of events.
    unit, stream : str
        How events name theirs.
    kind : Kind
        How events are written.
    record : callable
        The record of an event.
    read : callable
        Events with all that their records hold of others.
    """

    blank: _Label
    events: Any
    units: Any
    streams: Any
    unit: str
    stream: str
    kind: Kind
    record: Callable[[Any], Mapping[str, Cell]]
    read: Callable[[], Any]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of a label."""
        return tuple(each.name for each in fields(self.blank))

    @property
    def value(self) -> str:
        """The column of the grade or outcome."""
        return self.columns[0]

    @cached_property
    def unjudged(self) -> dict[str, Any]:
        """The columns of a unit to which nothing happened yet."""
        return self.unit_columns(self.blank, 0)

    def label_of(self, row: AnyEvent | AnyUnit) -> _Label:
        """The label that a row holds."""
        return type(self.blank)(**{name: getattr(row, name) for name in self.columns})

    def label_after(self, event: AnyEvent) -> _Label:
        """The label that an event leaves; an event says all of it."""
        return self.blank if getattr(event, self.value) is None else self.label_of(event)

    def label_at(self, unit: AnyUnit, revision: int) -> _Label:
        """The label that a unit had at an earlier revision."""
        if revision == 0:
            return self.blank
        return self.label_after(self.events.objects.get(**{self.unit: unit, "revision": revision}))

    def label_columns(self, label: _Label) -> dict[str, Any]:
        """The columns of a label with what they hold."""
        return {name: getattr(label, name) for name in self.columns}

    def unit_columns(self, label: _Label, revision: int) -> dict[str, Any]:
        """The columns by which a unit holds a label."""
        is_judged = label != self.blank
        return self.label_columns(label) | {"revision": revision, "is_judged": is_judged}

    def holds(self, unit: AnyUnit, last: AnyEvent) -> bool:
        """Whether a unit holds what its last event leaves."""
        wanted = self.unit_columns(self.label_after(last), last.revision)
        return all(getattr(unit, name) == value for name, value in wanted.items())

    def unit_key(self, event: AnyEvent) -> int:
        """The number of an event's unit."""
        return int(getattr(event, f"{self.unit}_id"))

    def stream_key(self, event: AnyEvent) -> int:
        """The number of an event's assignment or contest."""
        return int(getattr(event, f"{self.stream}_id"))


UNJUDGED = Label()
UNANSWERED = PairAnswer()
DOCS = Subject(
    UNJUDGED, Event, AssignedDoc, Assignment, "assigned", "assignment", EVENTS, event_record,
    events_of_records,
)  # fmt: skip
PAIRS = Subject(
    UNANSWERED, PreferenceEvent, PairTask, Contest, "pair", "contest", PREFERENCE_EVENTS,
    preference_event_record, preference_events_of_records,
)  # fmt: skip
SUBJECTS: tuple[Subject[Any], ...] = (DOCS, PAIRS)


def subject_of(event: AnyEvent) -> Subject[Any]:
    """The kind of thing that an event happened to."""
    return DOCS if isinstance(event, Event) else PAIRS
