"""Events as judgments: one row per revision of a label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from django.db.models import Q

from qrelsmith.base.scales import Scale
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.graded.scale import ShownScale, scale_versions
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import Event, Hit

# The grade after an undo of the first judgment; readers of judgments treat it as missing.
UNJUDGED_CODE = -1.0
_CHUNK = 2000
_COLUMNS = (
    "topic", "doc", "assessor", "grade", "group", "hit", "position", "ordering", "shown_at",
    "judged_at", "active_ms", "idle_ms", "revision", "label", "note", "scale",
)  # fmt: skip


def judgments_of_round(round_: int) -> Judgments | None:
    """Return the judgments of a round with all revisions, or None if there are none.

    HITs count only if they are submitted and not discarded. Attention checks never count.
    """
    docs = (dict(zip(_COLUMNS, row, strict=True)) for row in _rows(round_))
    return _judgments(chain(docs, _other_rows(round_)))


def judgments_of_aspects(round_: int) -> Judgments | None:
    """Return the judgments of aspects of a round with all revisions, or None if there are none."""
    return _judgments(_other_rows(round_))


def _other_rows(round_: int) -> Iterator[Mapping[str, object]]:
    return (row for kind in KINDS for row in kind.judgment_rows(round_))


def _judgments(rows: Iterable[Mapping[str, object]]) -> Judgments | None:
    columns: dict[str, list[object]] = {name: [] for name in _COLUMNS}
    for row in rows:
        count = len(columns["topic"])
        for name in row.keys() - columns.keys():
            columns[name] = [None] * count
        for name, cells in columns.items():
            cells.append(row.get(name))
    return Judgments.from_columns(columns) if columns["topic"] else None


def _rows(round_: int) -> Iterator[tuple[object, ...]]:
    scales = scale_versions()
    events = Event.objects.filter(assignment__round=round_).select_related(
        "assessor", "assignment__topic", "assignment__crowd_hit", "assigned__doc"
    )
    events = events.filter(
        Q(assignment__crowd_hit=None) | Q(assignment__crowd_hit__state=Hit.State.FINISHED)
    )
    for event in events.order_by("id").iterator(chunk_size=_CHUNK):
        value = UNJUDGED_CODE if event.value is None else event.value
        scale = scales.get(event.scale_version)
        assignment = event.assignment
        hit: Hit | None = getattr(assignment, "crowd_hit", None)
        if hit is not None and event.assigned.doc.name in hit.challenges:
            continue
        yield (
            assignment.topic.name,
            event.assigned.doc.name,
            event.assessor.name,
            value,
            event.assessor.group,
            assignment.hit,
            event.assigned.position,
            assignment.ordering,
            event.shown_at,
            event.judged_at,
            event.active_ms,
            event.idle_ms,
            event.revision,
            scale.label(value) if scale and event.value is not None else "",
            event.note,
            _scale_text(scale) if scale else "",
        )


def _scale_text(scale: ShownScale) -> str:
    """Return the scale in the format of `--scale`; `number` if any positive number is a grade."""
    if scale.control == "number":
        return "number"
    return str(Scale(tuple(scale.levels))) if scale.levels else ""
