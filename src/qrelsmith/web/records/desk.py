"""Export and import of the adjudication log as records."""

from __future__ import annotations

from typing import Any

from qrelsmith.base.errors import quoted
from qrelsmith.web.answers.kind import ASPECTS
from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.event_lines import DESK
from qrelsmith.web.core.lines import Record
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.models import DeskEvent
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.records.judgments import passages_of_record
from qrelsmith.web.records.parts import Coming, Part
from qrelsmith.web.records.rows import Rows


def _finish(record: Record, columns: dict[str, Any]) -> None:
    """Check the pair and the verdict of a record, and read its passages."""
    doc, other = columns["doc"], columns["other"]
    if other is not None and (doc is None or doc.name >= other.name):
        raise record.fault("'other' precedes 'doc'; expected the docs of the pair sorted by name")
    value, version = columns["value"], columns["scale_version"]
    if value is not None:
        kind = ASPECTS if columns["aspect"] else PAIRS if other else DOCS
        scale = kind.scales().get(version)
        if scale is None or not scale.has(value):
            what = "choices" if other else "scale"
            raise record.fault(
                f"'value' is {value:g}; expected a value of version {version} of the {what}"
            )
    columns["passages"] = passages_of_record(record)


_ROWS = Rows(
    DESK.kind,
    DeskEvent,
    key=("op_id",),
    names={name: {name: "name"} for name in ("topic", "doc", "other")},
    finish=_finish,
)


def _import_desk(coming: Coming) -> Counts:
    """Record adjudication events; existing events do not change.

    Raises
    ------
    InputError
        If the topic or doc of a record is missing, its verdict is not on the scale, or another
        event has its revision.
    """
    counts = Counts("desk events")
    verdicts = DeskEvent.objects.filter(kind=DeskEvent.Kind.ADJUDICATED)
    taken: set[tuple[int | str | None, ...]] = set(
        verdicts.values_list("topic", "doc", "other", "aspect", "revision")
    )
    for record in _ROWS.new(coming.folder, counts):
        (columns,) = _ROWS.read([record])
        event = DeskEvent(**columns)
        if event.kind == DeskEvent.Kind.ADJUDICATED:
            key = (event.topic_id, event.doc_id, event.other_id, event.aspect, event.revision)
            if key in taken:
                judged = " and ".join(quoted(doc.name) for doc in (event.doc, event.other) if doc)
                raise record.fault(f"{judged} already has a verdict with revision {event.revision}")
            taken.add(key)
        append_row(event)
    return counts


PART = Part(((DESK.kind, lambda: DESK.records(DeskEvent)),), _import_desk)
