"""Records of events of both kinds: their ids, their order, their times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db import IntegrityError

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.fields import PAIR_PASSAGES, PASSAGES
from qrelsmith.web.core.lines import Record
from qrelsmith.web.judging.chain import extend
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Event, PreferenceEvent

BATCH = 1000
_Logged = TypeVar("_Logged", Event, PreferenceEvent)


class Unrepeated:
    """Raises at an event whose id, or revision of a label, stood there before.

    Parameters
    ----------
    label : tuple of str
        The keys that name a label and its revision.
    named : callable
        How the label of a record is called in a sentence.
    """

    def __init__(self, label: tuple[str, ...], named: Callable[[Record], str]) -> None:
        self._label = label
        self._named = named
        self._ids: dict[str, int] = {}
        self._revisions: dict[tuple[str, ...], int] = {}

    def check(self, record: Record) -> None:
        """Look at the next record.

        Raises
        ------
        InputError
            If it has no id, or what another one has.
        """
        op_id = record.text("op_id")
        if not op_id:
            raise record.fault("the key op_id is missing")
        line = self._ids.setdefault(op_id, record.line)
        if line != record.line:
            raise record.fault(
                f"op_id is {quoted(op_id)}, which line {line} has already; expected one of its own"
            )
        revision = tuple(record.text(key) for key in self._label)
        line = self._revisions.setdefault(revision, record.line)
        if line != record.line:
            raise record.fault(
                f"the event has a revision that is taken: line {line} is revision"
                f" {record.text('revision')} of {self._named(record)}, too"
            )


def event_columns(record: Record, of: JudgmentKind[Any]) -> dict[str, Any]:
    """The columns of an event, but for `undoes` and what it refers to."""
    kind = record.text("kind")
    if kind not in Event.Kind.values:
        raise record.fault(f"kind is {quoted(kind)}; expected {', '.join(Event.Kind.values)}")
    return {
        "op_id": record.text("op_id"),
        "kind": kind,
        "base_revision": record.need("base_revision"),
        "revision": record.need("revision"),
        "accepted_at": record.need_time("accepted_at"),
        "judged_at": record.time("judged_at"),
        "shown_at": record.time("shown_at"),
        "client_ms": record.whole("client_ms"),
        "active_ms": record.whole("active_ms"),
        "idle_ms": record.whole("idle_ms"),
        "input_kind": record.text("input_kind"),
        **{name: _label_cell(record, name, of) for name in of.columns},
    }


def _label_cell(record: Record, name: str, of: JudgmentKind[Any]) -> Any:
    """A field of a label, read as its column wants it."""
    if name == "passages":
        return passages_of_record(record)
    if name == of.value:
        is_whole = of.events._meta.get_field(name).get_internal_type() != "FloatField"
        return record.whole(name) if is_whole else record.number(name)
    return record.need(name) if name in of.lines.numbers else record.text(name)


def passages_of_record(record: Record) -> list[dict[str, Any]]:
    """Passages as they stand in a record; whether they stand in the doc, the app has seen."""
    if not record.text("passages"):
        return []
    passages: list[dict[str, Any]] = record.json("passages", list)
    schema = PAIR_PASSAGES if record.text("left") else PASSAGES
    for fault in schema.faults(passages):
        where = "".join(f"[{place}]" for place in fault.place)
        raise record.fault(f"passages{where} is {fault.found}; expected {fault.expected}")
    return passages


def insert_in_order(kind: type[_Logged], events: Iterable[tuple[Record, _Logged]]) -> None:
    """Add events in their order, each that undoes another one with that one.

    Raises
    ------
    InputError
        At an event that undoes one that is not there, or that does not follow those that are.
    """
    waiting: list[_Logged] = []
    last: Record | None = None
    for record, event in events:
        undone = record.text("undoes")
        if undone:
            # What it undoes must be in the table before it.
            _insert(waiting, record)
            waiting = []
            event.undoes = kind.objects.filter(op_id=undone).first()
            if event.undoes is None:
                raise record.fault(f"it undoes the event {quoted(undone)}, which is not known")
        waiting.append(event)
        last = record
    if last is not None:
        _insert(waiting, last)


def _insert(events: list[_Logged], record: Record) -> None:
    try:
        extend(events)
    except IntegrityError:
        raise record.fault(
            "an event up to here has a revision that is taken here, or undoes what another one"
            " undid; expected events that follow those that are here"
        ) from None
