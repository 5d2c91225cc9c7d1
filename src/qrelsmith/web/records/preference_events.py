"""Answers to pairs as records, out and in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.event_lines import PREFERENCE_EVENTS, preference_event_records
from qrelsmith.web.core.lines import Record, read_records
from qrelsmith.web.models import PairTask, PreferenceEvent, TopicVersion
from qrelsmith.web.pairs.choices import choices_versions
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.records.accepted import (
    BATCH,
    Unrepeated,
    event_columns,
    insert_in_order,
)
from qrelsmith.web.records.parts import Part

_SHA256 = re.compile("[0-9a-f]{64}")
_Pairs = Mapping[tuple[str, int], PairTask]


def import_preference_events(folder: Path) -> Counts:
    """Record the answers of a folder; those that are there already are left as they are.

    Raises
    ------
    InputError
        At an event of a pair that is not there or another assessor's, whose id or revision another
        event has, or whose outcome is none of the choices.
    """
    counts = Counts("preference events")
    pairs = {
        (task.contest.topic.name, task.number): task
        for task in PairTask.objects.select_related("assessor", "contest__topic", "left", "right")
    }
    check = _Check(pairs)
    records = read_records(folder, PREFERENCE_EVENTS)
    while batch := list(islice(records, BATCH)):
        for record in batch:
            check(record)
        ids = [record.text("op_id") for record in batch]
        there = set(PreferenceEvent.objects.filter(op_id__in=ids).values_list("op_id", flat=True))
        new = [record for record in batch if record.text("op_id") not in there]
        counts.same += len(batch) - len(new)
        counts.new += len(new)
        with writing():
            insert_in_order(
                PreferenceEvent, ((record, _event(record, _pair(record, pairs))) for record in new)
            )
    return counts


class _Check:
    """Raises at an event that the app cannot have accepted."""

    def __init__(self, pairs: _Pairs) -> None:
        self._pairs = pairs
        self._choices = choices_versions()
        self._topics = set(TopicVersion.objects.values_list("topic__name", "version"))
        self._unrepeated = Unrepeated(
            ("topic", "pair", "revision"), lambda record: f"pair {record.text('pair')}"
        )

    def __call__(self, record: Record) -> None:
        self._unrepeated.check(record)
        task = _pair(record, self._pairs)
        assessor = task.assessor.name if task.assessor else ""
        said = (record.text("assessor"), record.text("left"), record.text("right"))
        if said != (assessor, task.left.name, task.right.name):
            raise record.fault(
                f"pair {task.number} of topic {quoted(record.text('topic'))} has another assessor"
                " or other docs"
            )
        kind = record.text("kind")
        if kind not in PreferenceEvent.Kind.values:
            kinds = ", ".join(PreferenceEvent.Kind.values)
            raise record.fault(f"kind is {quoted(kind)}; expected {kinds}")
        if record.whole("outcome") is not None:
            self._answer(record)
        elif kind == PreferenceEvent.Kind.JUDGE:
            raise record.fault("the key outcome is missing; expected it, as kind is 'judge'")

    def _answer(self, record: Record) -> None:
        outcome, version = record.whole("outcome"), record.need("settings_version")
        choices = self._choices.get(version)
        if choices is None or outcome not in choices.outcomes:
            raise record.fault(
                f"outcome is {outcome}; expected one of version {version} of the choices"
            )
        topic, text = record.text("topic"), record.need("topic_version")
        if (topic, text) not in self._topics:
            raise record.fault(
                f"topic_version is {text}; expected a version of topic {quoted(topic)}"
            )
        for side in ("left_sha256", "right_sha256"):
            if not _SHA256.fullmatch(record.text(side)):
                raise record.fault(
                    f"{side} is {quoted(record.text(side))}; expected the 64 digits of a doc's"
                    " version"
                )


def _pair(record: Record, pairs: _Pairs) -> PairTask:
    key = (record.text("topic"), record.need("pair"))
    if key not in pairs:
        raise record.fault(f"topic {quoted(key[0])} has no pair {key[1]}")
    return pairs[key]


def _event(record: Record, task: PairTask) -> PreferenceEvent:
    return PreferenceEvent(
        **event_columns(record, PAIRS),
        assessor=task.assessor,
        contest=task.contest,
        pair=task,
    )


PART = Part(
    ((PREFERENCE_EVENTS, preference_event_records),),
    lambda coming: import_preference_events(coming.folder),
    decides_labels=True,
)
