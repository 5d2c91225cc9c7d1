"""Comparison of the chain heads in an export with those computed from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign_folder import MANIFEST
from qrelsmith.io.manifest import read_manifest
from qrelsmith.web.core.campaign_chain import DESK_HEAD, desk_head
from qrelsmith.web.core.event_lines import DESK
from qrelsmith.web.core.lines import Kind, Record, read_records
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind
from qrelsmith.web.models import DeskEvent
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.records.assignments import ASSIGNMENTS
from qrelsmith.web.records.contests import CONTESTS
from qrelsmith.web.records.items import rows_of

# The files of assignments and preference tasks, which are older than `items`.
_STREAMS: Mapping[JudgmentKind, Kind] = {DOCS: ASSIGNMENTS.kind, PAIRS: CONTESTS.kind}


def check_heads(folder: Path) -> None:
    """Check that the events of a folder lead to the heads in its files.

    The head also differs if an assignment or preference task has further events in this database.

    Raises
    ------
    InputError
        If a head differs; the first such head is reported.
    """
    for kind in KINDS:
        _check(folder, _STREAMS.get(kind) or rows_of(kind, kind.streams).kind, kind)
    _check_desk(folder)


def _check_desk(folder: Path) -> None:
    """Check the head of the adjudication log, which is in the manifest."""
    manifest = folder.parent / MANIFEST
    said, here = read_manifest(manifest).parameters.get(DESK_HEAD), desk_head().get(DESK_HEAD)
    if said in (None, here):
        return
    if sum(1 for _ in read_records(folder, DESK.kind)) == DeskEvent.objects.count():
        raise InputError(
            f"{DESK_HEAD} is {said}; expected {here}, computed from the adjudication events",
            path=manifest,
        )


def _check(folder: Path, streams: Kind, kind: JudgmentKind) -> None:
    here = {tuple(kind.names_of(stream).values()): stream for stream in kind.streams_with_names()}
    key, events = tuple(kind.stream_names), kind.lines.kind
    counts: Counter[tuple[str, ...]] | None = None
    for record in read_records(folder, streams):
        names = _key(record, key)
        head, stream = record.text("head"), here[names]
        if head in ("", stream.head):
            continue
        if counts is None:
            counts = Counter(_key(event, key) for event in read_records(folder, events))
        if counts[names] == stream.events.count():
            raise record.fault(
                f"'head' is {head[:12]}…; expected {stream.head[:12]}…, computed from the events"
            )


def _key(record: Record, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(record.text(name) for name in names)
