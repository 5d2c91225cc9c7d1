"""Export and import of preference tasks and their pairs as records."""

from __future__ import annotations

from typing import Any

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Kind, Record
from qrelsmith.web.models import Contest, PairTask
from qrelsmith.web.records.parts import Coming, Part
from qrelsmith.web.records.rows import Rows
from qrelsmith.web.records.versions import CHOICES

_ASSESSOR = {"assessor": {"assessor": "name"}}
_TOPIC = {"topic": "name"}
CONTESTS = Rows(
    Kind(
        "contests.jsonl",
        texts=("topic", "assessor", "candidates", "nonrelevant", "setting", "head"),
        numbers=("is_open",),
        times=("created_at",),
    ),
    Contest,
    key=("topic",),
    names={"topic": _TOPIC, **_ASSESSOR},
    order=("topic__name",),
    full=("candidates", "nonrelevant", "setting"),
)


def _check_sides(record: Record, columns: dict[str, Any]) -> None:
    if columns["better"] not in ("", "left", "right"):
        better = quoted(columns["better"])
        raise record.fault(f"'better' is {better}; expected 'left', 'right' or an empty text")


_PAIRS = Rows(
    Kind(
        "pairs.jsonl",
        texts=("topic", "left", "right", "purpose", "better", "hit", "assessor"),
        numbers=("number", "round", "slot", "position", "withdrawn"),
        times=("claimed_at",),
    ),
    PairTask,
    key=("topic", "number"),
    names={
        "contest": {"topic": "topic__name"},
        "left": {"left": "name"},
        "right": {"right": "name"},
        **_ASSESSOR,
    },
    order=("contest__topic__name", "number"),
    adds_docs=True,
    parent="contest",
    finish=_check_sides,
)


def _import_contests(coming: Coming) -> Counts:
    """Record preference tasks with their pairs; existing tasks do not change."""
    counts = Counts("contest records")
    with writing():
        CHOICES.take_in(coming.folder, Counts("choices"))
        contests = CONTESTS.take_in(coming.folder, counts)
        _PAIRS.take_in(coming.folder, counts, parents=contests)
    return counts


PART = Part((CHOICES.file, CONTESTS.file, _PAIRS.file), _import_contests, decides_labels=True)
