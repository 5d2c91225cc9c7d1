"""Export and import of the sessions and training of crowd workers as records.

These records contain no platform ids and no codes: codes are valid only in the app that issued
them.
"""

from __future__ import annotations

from qrelsmith.web.core.lines import Kind
from qrelsmith.web.models import Sitting, TrainingAnswer
from qrelsmith.web.records.rows import Rows, part

_WORKER = {"worker": "assessor__name"}
_BATCH = {"batch": "name"}

PART = part(
    "sitting records",
    Rows(
        Kind(
            "crowd_sittings.jsonl",
            texts=("worker", "batch", "hit", "result"),
            numbers=("number", "pay"),
            times=("began_at", "ended_at", "approved_at"),
        ),
        Sitting,
        key=("worker", "number"),
        names={"worker": _WORKER, "batch": _BATCH, "hit": {"hit": "key"}},
        order=("worker__assessor__name", "number"),
    ),
    Rows(
        Kind(
            "crowd_training.jsonl",
            texts=("worker", "batch"),
            numbers=("number", "value", "is_right"),
            times=("at",),
        ),
        TrainingAnswer,
        key=("worker", "batch", "number"),
        names={"worker": _WORKER, "batch": _BATCH},
        order=("worker__assessor__name", "batch__name", "number"),
    ),
)
