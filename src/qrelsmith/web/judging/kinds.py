"""Kinds of judgment: each declares once what is judged, its label, its checks and its words.

Whatever accepts, takes back, verifies, rebuilds, exports or imports a judgment asks its kind. An
event holds all of the label that it leaves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.lines import Kind
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import RefusedError, Submission
from qrelsmith.web.models import Assessor, Topic
from qrelsmith.web.openapi.schemas import listed, shown

Given = TypeVar("Given", bound=Submission)


class JudgmentKind(ABC, Generic[Given]):
    """A kind of judgment.

    Attributes
    ----------
    blank : dataclass
        The label of an unjudged item; its fields are columns of events and items alike, the first
        of them that of the grade or outcome.
    events, units, streams : type
        The tables of the log, of judged items with their current labels, and of what holds many
        items, is closed as a whole and has a chain of events: assignments, contests.
    unit, stream : str
        The columns by which events name their item and its assignment or contest.
    lines : Kind
        The records of its events.
    record, read : callable
        The record of an event; events with all that their records hold of other tables.
    submission : type
        What a client sends.
    prepared_unit : Prepared
        One of the `items` of an assignment or contest.
    in_play : mapping of str to bool
        The columns of items that can get a label.
    named_by : tuple of str
        What a stream is named by.
    """

    blank: ClassVar[Any]
    events: ClassVar[Any]
    units: ClassVar[Any]
    streams: ClassVar[Any]
    unit: ClassVar[str]
    stream: ClassVar[str]
    lines: ClassVar[Kind]
    record: ClassVar[Any]
    read: ClassVar[Any]
    submission: ClassVar[type[Submission]]
    prepared_unit: ClassVar[Prepared[Any]]
    in_play: ClassVar[Mapping[str, bool]] = {}
    named_by: ClassVar[tuple[str, ...]] = ("topic",)

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
        """The columns of an item without events."""
        return self.unit_columns(self.blank, 0)

    def label_of(self, row: Any) -> Any:
        """Return the label that an event or item holds."""
        return type(self.blank)(**{name: getattr(row, name) for name in self.columns})

    def label_after(self, event: Any) -> Any:
        """Return the label that an event leaves."""
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
        """Return the columns by which an item holds a label."""
        is_judged = label != self.blank
        return self.label_columns(label) | {"revision": revision, "is_judged": is_judged}

    def holds(self, unit: Any, last: Any) -> bool:
        """Return whether an item holds what its last event leaves."""
        wanted = self.unit_columns(self.label_after(last), last.revision)
        return all(getattr(unit, name) == value for name, value in wanted.items())

    def unit_key(self, event: Any) -> int:
        """Return the number of an event's item."""
        return int(getattr(event, f"{self.unit}_id"))

    def stream_key(self, row: Any) -> int:
        """Return the number of the assignment or contest of an event or item."""
        return int(getattr(row, f"{self.stream}_id"))

    @abstractmethod
    def items(self) -> QuerySet[Any]:
        """Return the items with what their answers and checks need."""

    @abstractmethod
    def owner(self, unit: Any) -> int | None:
        """Return the number of the assessor who may judge an item."""

    @abstractmethod
    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether an assessor may judge in an assignment or contest."""

    @abstractmethod
    def unknown(self, *, has_unit: bool) -> RefusedError:
        """Return the refusal of another assessor's item, or of another's assignment or contest."""

    @abstractmethod
    def texts(self, given: Sequence[tuple[Given, Any]]) -> Any:
        """Read the versions that some judgments of items are checked against."""

    @abstractmethod
    def faults(self, given: Given, unit: Any, texts: Any) -> Iterator[RefusedError]:
        """Find what is wrong with a judgment, whoever sends it and however."""

    @abstractmethod
    def label(self, given: Given, unit: Any, texts: Any) -> Any:
        """Return the label of a judgment without faults."""

    @abstractmethod
    def lock_head(self, unit: Any, *, has_account: bool) -> str:
        """Return the head of what is open, under the lock under which it is closed.

        Raises
        ------
        RefusedError
            If it is closed, or a person's account is.
        """

    @abstractmethod
    def stream_name(self, stream: Any) -> str:
        """Name an assignment or contest in a sentence."""

    @abstractmethod
    def repeated(self, unit: Any) -> RefusedError:
        """Return the refusal of an item that occurs twice in a batch."""

    @abstractmethod
    def start_time(self, unit: Any) -> datetime:
        """Return the time before which an item cannot have been shown."""

    @abstractmethod
    def stream_changes(self, units: Iterable[tuple[Any, bool]]) -> dict[str, Any]:
        """Return the changed columns of a stream some of whose items get or lose a label."""

    @abstractmethod
    def refusal(self, current: Any, *, base: int) -> RefusedError:
        """Return a conflict: the label changed since the client read revision `base`."""

    def finish(self, unit: Any) -> None:
        """Do what follows once the event of an item is in the log."""

    def topic_faults(self, given: Given, topic: Topic) -> Iterator[RefusedError]:
        """Find out whether the version of the topic that was shown is there."""
        version = given.topic_version
        if version is not None and not 1 <= version <= topic.version:
            yield RefusedError(
                "version",
                gettext("There is no such version of the topic."),
                field="topic_version",
                found=str(version),
                expected=f"a version of topic {shown(topic.name)}"
                f" ({listed(range(1, topic.version + 1))})",
            )


KINDS: list[JudgmentKind[Any]] = []


def kind_of(event: Any) -> JudgmentKind[Any]:
    """Return the kind of judgment that an event belongs to."""
    return next(kind for kind in KINDS if isinstance(event, kind.events))
