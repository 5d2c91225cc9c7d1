"""Export and import of the events of every kind of judgment as records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.db import IntegrityError

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.event_lines import at
from qrelsmith.web.core.fields import PAIR_PASSAGES, PASSAGES
from qrelsmith.web.core.lines import Record, read_records
from qrelsmith.web.judging.accepting import take_in
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.judging.label_versions import ShownVersions
from qrelsmith.web.models import DocVersion, Event, ModelSetting
from qrelsmith.web.records.parts import Coming, Part
from qrelsmith.web.records.rows import value_of

BATCH = 1000
_SHA256 = re.compile("[0-9a-f]{64}")
_Names = tuple[str, ...]


class _Importer:
    """Import of the events of a kind; existing events do not change.

    Raises
    ------
    InputError
        If the assignment of an event is missing, another event has its id or revision, its label is
        not on the scale, or it names an unknown version of a doc whose versions are known.
    """

    def __init__(self, kind: JudgmentKind, coming: Coming) -> None:
        self._kind = kind
        self._coming = coming
        self._scales = kind.scales()
        self._streams = {
            tuple(kind.names_of(stream).values()): stream for stream in kind.streams_with_names()
        }
        settings = ModelSetting.objects.all()
        self._settings = {(each.assessor_id, each.version): each for each in settings}
        self._ids: dict[str, int] = {}
        self._revisions: dict[_Names, int] = {}

    def run(self) -> Counts:
        """Import all events; return the number of new events."""
        kind = self._kind
        counts = Counts(kind.lines.kind.name.replace("_", " "))
        records = read_records(self._coming.folder, kind.lines.kind)
        while batch := list(islice(records, BATCH)):
            for record in batch:
                self._check_unrepeated(record)
            ids = [record.text("op_id") for record in batch]
            there = set(kind.events.objects.filter(op_id__in=ids).values_list("op_id", flat=True))
            units = self._units(batch)
            texts = ShownVersions(self._scales, self._digests(units), is_complete=False)
            events = [
                (record, self._event(record, unit, texts))
                for record, unit in zip(batch, units, strict=True)
            ]
            new = [each for each in events if each[1].op_id not in there]
            counts.same += len(batch) - len(new)
            counts.new += len(new)
            with writing():
                self._insert(new)
                self._check_close(new)
        return counts

    def _check_unrepeated(self, record: Record) -> None:
        """Raise an error if an earlier record has the same id, or the same revision of a label."""
        op_id = record.text("op_id")
        if not op_id:
            raise record.fault("the key op_id is missing")
        line = self._ids.setdefault(op_id, record.line)
        if line != record.line:
            raise record.fault(
                f"op_id is {quoted(op_id)}, which line {line} already has; expected a unique op_id"
            )
        names = (*self._kind.stream_names, *self._kind.unit_names)
        revision = tuple(record.text(key) for key in (*names, "revision"))
        line = self._revisions.setdefault(revision, record.line)
        if line != record.line:
            named = " ".join(f"{key} {quoted(record.text(key))}" for key in self._kind.unit_names)
            raise record.fault(
                f"the event repeats a revision: line {line} is also revision "
                f"{record.text('revision')} of {named}"
            )

    def _units(self, records: Sequence[Record]) -> list[Any]:
        """Return the items of some events."""
        kind = self._kind
        wanted: dict[_Names, list[Record]] = {}
        for record in records:
            wanted.setdefault(self._stream_names(record), []).append(record)
        (key, path), *_ = kind.unit_names.items()
        paths = (*kind.unit_names.values(), *kind.own_names.values())
        related = filter(None, {each.rpartition("__")[0] for each in paths})
        found = kind.units.objects.select_related(*related, *kind.shown.values())
        units: dict[tuple[_Names, str], Any] = {}
        for names, own in wanted.items():
            stream = self._streams[names]
            own_keys = {record.text(key) for record in own}
            for unit in found.filter(**{kind.stream: stream, f"{path}__in": own_keys}):
                setattr(unit, kind.stream, stream)
                units[names, str(at(unit, path))] = unit
        return [
            self._own(record, units.get((self._stream_names(record), record.text(key))))
            for record in records
        ]

    def _stream_names(self, record: Record) -> _Names:
        names = tuple(record.text(key) for key in self._kind.stream_names)
        if names not in self._streams:
            named = ", ".join(
                f"{key} {quoted(name)}"
                for key, name in zip(self._kind.stream_names, names, strict=True)
            )
            raise record.fault(f"found no {self._kind.stream} with {named}")
        return names

    def _own(self, record: Record, unit: Any) -> Any:
        """Return an item if it exists and matches the record."""
        kind = self._kind
        for key, path in {**kind.unit_names, **kind.own_names}.items():
            held = None if unit is None else str(at(unit, path) or "")
            if held != record.text(key):
                expected = "one of its items" if held is None else quoted(held)
                raise record.fault(
                    f"{key} is {quoted(record.text(key))}; expected {expected} of"
                    f" {kind.words.stream.format(**self._stream_words(record))}"
                )
        return unit

    def _stream_words(self, record: Record) -> dict[str, str]:
        return {key: record.text(key) for key in self._kind.stream_names}

    def _digests(self, units: Sequence[Any]) -> dict[int, set[str]]:
        """Return the digests of the known versions of docs, including those imported later."""
        shown = self._kind.shown.values()
        docs = {of.pk: of.name for unit in units for of in (getattr(unit, doc) for doc in shown)}
        coming = self._coming.digests
        digests = {pk: {coming[name]} for pk, name in docs.items() if name in coming}
        known = DocVersion.objects.filter(doc__in=docs)
        for doc, sha256 in known.values_list("doc", "sha256"):
            digests.setdefault(doc, set()).add(sha256)
        return digests

    def _event(self, record: Record, unit: Any, texts: ShownVersions) -> Any:
        kind = self._kind
        columns = {
            column.name: value_of(column, record)
            for column in kind.events._meta.concrete_fields
            if not (column.is_relation or column.primary_key or column.name == "digest")
        }
        event = kind.events(
            **columns | {"passages": passages_of_record(record)},
            assessor_id=kind.owner(unit),
            **{kind.unit: unit, kind.stream: getattr(unit, kind.stream)},
            **self._setting(record, unit),
        )
        label = kind.label_of(event)
        if getattr(label, kind.value) is not None:
            for column in kind.shown:
                if not _SHA256.fullmatch(getattr(label, column)):
                    raise record.fault(
                        f"{column} is {quoted(getattr(label, column))}; expected the"
                        " SHA-256 of a doc's version"
                    )
            for fault in kind.faults(label, unit, texts):
                raise record.fault(f"{fault.field} is {fault.found}; expected {fault.expected}")
        elif event.kind == Event.Kind.JUDGE:
            raise record.fault(f"the key {kind.value} is missing; the kind 'judge' requires it")
        return event

    def _setting(self, record: Record, unit: Any) -> dict[str, ModelSetting]:
        """Return the column with a model's setting; no column for a person."""
        version = record.whole("setting")
        if version is None:
            return {}
        setting = self._settings.get((self._kind.owner(unit) or 0, version))
        if setting is None:
            raise record.fault(
                f"'setting' is {version}; expected the version of a setting of"
                f" {quoted(record.text('assessor'))}"
            )
        return {"setting": setting}

    def _insert(self, events: Iterable[tuple[Record, Any]]) -> None:
        """Add events in order, linking undos to the undone events."""
        waiting: list[Any] = []
        last: Record | None = None
        for record, event in events:
            undone = record.text("undoes")
            if undone:
                # The undone event must be in the table first.
                self._take_in(waiting, record)
                waiting = []
                event.undoes = self._kind.events.objects.filter(op_id=undone).first()
                if event.undoes is None:
                    raise record.fault(
                        f"the undone event {quoted(undone)} is unknown; expected an earlier event"
                    )
            waiting.append(event)
            last = record
        if last is not None:
            self._take_in(waiting, last)

    def _take_in(self, events: list[Any], record: Record) -> None:
        try:
            take_in(events)
        except IntegrityError:
            raise record.fault(
                "this event or one above it has a revision or undo that is already stored; "
                "expected only new revisions and undos"
            ) from None

    def _check_close(self, events: Iterable[tuple[Record, Any]]) -> None:
        """Raise an error for an event after its assignment was closed here."""
        kind = self._kind
        streams = {kind.stream_key(event): (record, event) for record, event in events}
        for record, event in streams.values():
            stream = getattr(event, kind.stream)
            at_close = getattr(stream, "events_at_close", None)
            if stream.is_open or at_close is None:
                continue
            if kind.events.objects.filter(**{kind.stream: stream}).count() > at_close:
                raise record.fault(
                    f"{kind.stream_name(stream)} was closed here after {at_close} "
                    "events; expected it to be open. Reopen it before the import"
                )


def passages_of_record(record: Record) -> list[dict[str, Any]]:
    """Read the passages in a record; the app has already compared them with the doc."""
    if not record.text("passages"):
        return []
    passages: list[dict[str, Any]] = record.json("passages", list)
    schema = PAIR_PASSAGES if record.text("left") else PASSAGES
    for fault in schema.faults(passages):
        where = "".join(f"[{place}]" for place in fault.place)
        raise record.fault(f"passages{where} is {fault.found}; expected {fault.expected}")
    return passages


def part_of(kind: JudgmentKind) -> Part:
    """Return the part for a kind's events."""
    return Part(
        ((kind.lines.kind, lambda: kind.lines.records(kind.events)),),
        lambda coming: _Importer(kind, coming).run(),
        decides_labels=True,
    )
