"""Kinds of judgment: each declares once what is judged, its label, its scale and its words.

Whatever accepts, takes back, verifies, rebuilds, exports or imports a judgment asks its kind. An
event holds all of the label that it leaves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from django.db.models import F, QuerySet
from django.urls import URLPattern
from django.utils.translation import gettext

from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.event_lines import EventLines, at
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import RefusedError, Submission
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.models import Assessor, DocVersion
from qrelsmith.web.openapi.schemas import name_list, shown

_CHUNK = 500
# The digests of all versions of a few docs.
_DIGESTS = Prepared[Any](
    lambda one, other: DocVersion.objects.filter(doc__in=(one, other)).values_list("doc", "sha256")
)


class LabelScale(Protocol):
    """A version of what a label can be."""

    @property
    def version(self) -> int:
        """Its number, from 1."""

    @property
    def expected(self) -> str:
        """The values that a label can have, for errors."""

    def has(self, value: float) -> bool:
        """Return whether a label can have a value."""

    def off(self, value: float) -> str:
        """Return a sentence for a person whose label cannot have that value."""


@dataclass(frozen=True, slots=True)
class ShownVersions:
    """The versions that labels are checked against.

    Attributes
    ----------
    scales : mapping of int to LabelScale
        Versions of the scale.
    digests : mapping of int to collection of str
        The digests of the versions of docs, by the doc's key.
    is_complete : bool
        Whether a doc without digests has no version, rather than one that is not known here.
    """

    scales: Mapping[int, LabelScale]
    digests: Mapping[int, Collection[str]] = field(default_factory=dict)
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class KindWords:
    """The sentences of a kind of judgment, translated where they are shown.

    Attributes
    ----------
    not_yours, twice : str
        The refusals of another assessor's item, and of an item twice in a batch.
    no_scale, stale : str
        The refusals of an unknown version of the scale, and of a label that changed meanwhile.
    event, unit, stream : str
        What an event, an item, and an assignment or contest by its names are called in checks.
    """

    not_yours: Any
    twice: Any
    no_scale: Any
    stale: Any
    event: str
    unit: str
    stream: str


class JudgmentKind(ABC):
    """A kind of judgment.

    Attributes
    ----------
    name, api : str
        What clients call an item, and where the addresses for programs begin.
    words : KindWords
        Its sentences.
    submission : type
        What a client sends.
    blank : dataclass
        The label of an unjudged item; its fields are columns of events and items alike, the first
        of them that of the grade or outcome.
    events, units, streams : type
        The tables of the log, of judged items with their current labels, and of what holds many
        items, is closed as a whole and has a chain of events: assignments, contests.
    unit, stream : str
        The columns by which events name their item and its assignment or contest.
    shown : mapping of str to str
        The columns of digests of what was shown, each with the column of its doc.
    scale : str
        The column of the version of the scale.
    in_play : mapping of str to bool
        The columns of items that can get a label.
    counts_events : bool
        Whether an assignment or contest counts its events as its revision.
    lines : EventLines
        The records of its events.
    stream_names, unit_names, own_names : mapping of str to str
        The keys by which records name an assignment or contest, one of its items, and what must
        belong to the item as well, each with its path from the row.
    prepared_unit : Prepared
        One of the `items` of an assignment or contest.
    """

    name: ClassVar[str]
    api: ClassVar[str]
    words: ClassVar[KindWords]
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
    prepared_unit: ClassVar[Prepared[Any]]

    # What rows hold.

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

    def streams_with_names(self) -> QuerySet[Any]:
        """Return assignments or contests with what they are named by."""
        paths = [path.rpartition("__")[0] for path in self.stream_names.values()]
        found: QuerySet[Any] = self.streams.objects.select_related(*filter(None, paths))
        return found

    def names_of(self, stream: Any) -> dict[str, str]:
        """Return the names of an assignment or contest, as records have them."""
        return {key: str(at(stream, path)) for key, path in self.stream_names.items()}

    def stream_name(self, stream: Any) -> str:
        """Return an assignment or contest as sentences name it."""
        return self.name_with(self.names_of(stream))

    def name_with(self, names: Mapping[str, str]) -> str:
        """Return an assignment or contest with these names as sentences name it."""
        hit, round_ = names.get("hit"), names.get("round", "1")
        name = self.words.stream.format(**names) + (f", HIT {hit}" if hit else "")
        return name if round_ == "1" else f"{name}, round {round_}"

    def record(self, event: Any) -> Mapping[str, Any]:
        """Return an event as exports hold it and the chain digests it."""
        return self.lines.record(event)

    # Whose it is, and whether it can be judged now.

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
    def lock_head(self, unit: Any, *, has_account: bool) -> str:
        """Return the head of what is open, under the lock under which it is closed.

        Raises
        ------
        RefusedError
            If it is closed, or a person's account is.
        """

    @abstractmethod
    def start_time(self, unit: Any) -> datetime:
        """Return the time before which an item cannot have been shown."""

    def stream_changes(self, units: Iterable[tuple[Any, bool]]) -> dict[str, Any]:
        """Return the changed columns of a stream some of whose items get or lose a label."""
        changed = sum(int(is_judged) - int(unit.is_judged) for unit, is_judged in units)
        return {"judged": F("judged") + changed}

    def finish(self, unit: Any) -> None:  # noqa: B027 - most kinds have nothing to do
        """Do what follows once the event of an item is in the log."""

    # The label, and what can be wrong with it.

    @abstractmethod
    def current_scale(self) -> LabelScale:
        """Return the current version of the scale."""

    @abstractmethod
    def scales(self) -> Mapping[int, LabelScale]:
        """Return all versions of the scale."""

    def scale_of(self, unit: Any, scale: Any) -> Any:
        """Return the part of a scale that holds for an item; most kinds have one for all."""
        return scale

    def lacks(self, label: Any, unit: Any, scale: Any) -> Iterator[RefusedError]:
        """Find the evidence that a label needs and lacks."""
        yield from ()

    def label_text(self, value: float) -> str:
        """Return a grade or outcome as a person reads it."""
        return grade_text(value)

    def current_digest(self, unit: Any, column: str) -> str:
        """Return the digest of the current version of a doc, empty where it is not at hand."""
        return ""

    def label(self, submission: Any, unit: Any, scale: LabelScale) -> Any:
        """Return the label of a judgment; versions that it does not name are the current ones."""
        given_as = {
            self.value: submission.said,
            "topic_version": submission.topic_version or at(unit, self.stream).topic.version,
            self.scale: getattr(submission, self.scale) or scale.version,
            **{
                column: getattr(submission, column) or self.current_digest(unit, column)
                for column in self.shown
            },
        }
        return type(self.blank)(
            **{name: given_as.get(name, getattr(submission, name, None)) for name in self.columns}
        )

    def texts(self, labels: Sequence[tuple[Any, Any]], scale: LabelScale) -> ShownVersions:
        """Read the versions that some labels of items name."""
        is_other = any(getattr(label, self.scale) != scale.version for label, _ in labels)
        docs = {
            getattr(unit, f"{doc}_id")
            for label, unit in labels
            for column, doc in self.shown.items()
            if getattr(label, column) != self.current_digest(unit, column)
        }
        return ShownVersions(
            self.scales() if is_other else {scale.version: scale}, digests_of(docs)
        )

    def faults(self, label: Any, unit: Any, texts: ShownVersions) -> Iterator[RefusedError]:
        """Find what is wrong with a label, whoever gives it and however."""
        for column, doc in self.shown.items():
            yield from self._digest_faults(label, unit, texts, column, doc)
        topic = getattr(unit, self.stream).topic
        if not 1 <= label.topic_version <= topic.version:
            yield RefusedError(
                "version",
                gettext("There is no such version of the topic."),
                field="topic_version",
                found=str(label.topic_version),
                expected=f"a version of topic {shown(topic.name)}"
                f" ({name_list(range(1, topic.version + 1))})",
            )
        value, version = getattr(label, self.value), getattr(label, self.scale)
        scale = texts.scales.get(version)
        if scale is None:
            yield RefusedError(
                "version",
                self.words.no_scale,
                field=self.scale,
                found=str(version),
                expected=f"one of its versions ({name_list(list(texts.scales))})",
            )
        elif value is not None and not (scale := self.scale_of(unit, scale)).has(value):
            yield RefusedError(
                "value",
                scale.off(value),
                current=unit,
                field=self.value,
                found=grade_text(value),
                expected=scale.expected,
            )

    def with_passages(self, label: Any, unit: Any) -> Any:
        """Return the label with its passages in order, each of which must be where it says.

        Raises
        ------
        RefusedError
            If one is not in the version that was shown.
        """
        if not label.passages:
            return label
        passages = [
            passage
            for column, doc in self.shown.items()
            for passage in seen_passages(
                [each for each in label.passages if each.get("side", doc) == doc],
                DocVersion.objects.filter(
                    doc=getattr(unit, f"{doc}_id"), sha256=getattr(label, column)
                ),
            )
        ]
        return replace(label, passages=passages)

    def conflict(self, current: Any, *, base: int) -> RefusedError:
        """Return a conflict: the label changed since the client read revision `base`."""
        value = getattr(current, self.value)
        label = "none" if value is None else self.label_text(value)
        return RefusedError(
            "stale",
            self.words.stale,
            current=current,
            field="base_revision",
            found=str(base),
            expected=f"{current.revision}, the revision of the current label ({label})",
        )

    def closed_refusal(self, unit: Any) -> RefusedError:
        """Return the refusal of a judgment of something that is closed."""
        return RefusedError(
            "closed",
            gettext("This topic is closed."),
            current=unit,
            field="topic",
            found=shown(getattr(unit, self.stream).topic.name),
            expected="a topic that is not closed",
        )

    # What pages, programs and checks show of it.

    @abstractmethod
    def row_json(self, unit: Any) -> dict[str, Any]:
        """Return an item with its current label, for a script."""

    @abstractmethod
    def progress_json(self, unit: Any, assessor: Assessor) -> dict[str, Any]:
        """Return how far the assignment or contest of an item is, for a script."""

    def pages(self) -> list[URLPattern]:
        """Return the addresses of its pages that no list of addresses has."""
        return []

    def plan_work(self, campaign: Campaign) -> Any:
        """Return what a campaign's folder has for this kind, as `record_planned` takes it."""
        return None

    def work_of(self, assessor: Assessor | None) -> list[dict[str, Any]]:
        """Return the work of an assessor for the front page, where that does not list it itself."""
        return []

    def write_files(self, campaign: Campaign, folder: Path) -> None:  # noqa: B027 - most need none
        """Write what an export of this kind holds besides its judgments."""

    def judgment_rows(self, round_: int) -> Iterator[Mapping[str, object]]:
        """Find the rows of `judgments.csv` of a round, by column; a missing cell is empty."""
        yield from ()

    def belongs(self, event: Any, unit: Any) -> bool:
        """Return whether an event and its item belong together."""
        return self.stream_key(event) == self.stream_key(unit)

    def count_columns(self, stream: Any, counts: Mapping[str, int]) -> dict[str, Any]:
        """Return further columns of an assignment or contest whose counts are rebuilt."""
        return {}

    def checks(self) -> list[Check]:
        """Check what only holds of this kind; only inside a snapshot."""
        return []

    def _digest_faults(
        self, label: Any, unit: Any, texts: ShownVersions, column: str, doc: str
    ) -> Iterator[RefusedError]:
        digest, doc_row = getattr(label, column), getattr(unit, doc)
        if not digest:
            yield RefusedError(
                "sha256",
                gettext("The content of this doc is not in the app."),
                current=unit,
                field=doc,
                found=shown(doc_row.name),
                expected="a doc whose content is in the app (qrelsmith app import)",
            )
            return
        known = texts.digests.get(doc_row.pk, () if texts.is_complete else (digest,))
        if digest not in (self.current_digest(unit, column), *known):
            yield RefusedError(
                "sha256",
                gettext("What was shown is no version of this doc; load the page again."),
                current=unit,
                field=column,
                found=shown(digest),
                expected=f"the digest of a version of doc {shown(doc_row.name)}",
            )


KINDS: list[JudgmentKind] = []


def kind_of(row: Any) -> JudgmentKind:
    """Return the kind of judgment of an event or item."""
    return next(kind for kind in KINDS if isinstance(row, (kind.events, kind.units)))


def digests_of(docs: Iterable[int]) -> dict[int, set[str]]:
    """Return the digests of all versions of some docs."""
    wanted = sorted(set(docs))
    digests: dict[int, set[str]] = {}
    for start in range(0, len(wanted), _CHUNK):
        part = wanted[start : start + _CHUNK]
        rows: Iterable[Any] = (
            _DIGESTS.rows(part[0], part[-1])
            if len(part) <= 2
            else DocVersion.objects.filter(doc__in=part).values_list("doc", "sha256")
        )
        for doc, digest in rows:
            digests.setdefault(doc, set()).add(digest)
    return digests
