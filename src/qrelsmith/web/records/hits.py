"""Export and import of batches, crowd workers and HITs as records.

These records contain workers by pseudonym only, and no addresses, codes or platform ids.
"""

from __future__ import annotations

from typing import Any

from qrelsmith.web.core.lines import Kind, Record
from qrelsmith.web.crowd.assigned_hits import AssignedHits
from qrelsmith.web.crowd.hit_kinds import HIT_KINDS
from qrelsmith.web.models import Batch, CrowdWorker, Hit
from qrelsmith.web.records.rows import Rows, part


def _finish(record: Record, columns: dict[str, Any]) -> None:
    """Check the state of a HIT, and find its assignment."""
    worker, name = record.text("worker"), record.text("name")
    if bool(worker) is (columns["state"] == Hit.State.OPEN):
        raise record.fault("the HIT is open but has a worker, or is not open but has none")
    kind = HIT_KINDS[columns["batch"].kind]
    if worker and name and isinstance(kind, AssignedHits):
        own = kind.judged.streams.objects.filter(
            assessor__name=worker, topic=columns["topic"], hit=name
        )
        columns[kind.column] = own.first()


_BATCHES = Rows(
    Kind(
        "crowd_batches.jsonl",
        texts=("name", "kind", "platform", "group", "terms", "training"),
        numbers=("seed", "is_open"),
        times=("created_at",),
    ),
    Batch,
    key=("name",),
    order=("name",),
    full=("terms", "training"),
)
_WORKERS = Rows(
    Kind(
        "crowd_workers.jsonl",
        texts=("assessor", "platform", "trained", "reason"),
        times=("excluded_at", "created_at"),
    ),
    CrowdWorker,
    key=("assessor",),
    names={"assessor": {"assessor": "name"}},
    order=("assessor__name",),
    full=("trained",),
)
_HITS = Rows(
    Kind(
        "crowd_hits.jsonl",
        texts=("batch", "name", "key", "follows", "topic", "docs", "challenges", "ordering",
               "state", "worker"),
        numbers=("number", "seed", "missed", "events_at_close", "aspects"),
        times=("taken_at", "finished_at"),
    ),
    Hit,
    key=("key",),
    names={
        "batch": {"batch": "name"},
        "follows": {"follows": "key"},
        "topic": {"topic": "name"},
        "worker": {"worker": "assessor__name"},
    },
    order=("batch__name", "number"),
    finish=_finish,
)  # fmt: skip
PART = part("HIT records", _BATCHES, _WORKERS, _HITS)
