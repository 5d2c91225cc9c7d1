"""Sittings of crowd workers and their training as records, out and in.

The platform's ids and the codes are not in them: codes are good only in the app that gave them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Cell, Kind, Record, read_records
from qrelsmith.web.models import Batch, CrowdWorker, Hit, Sitting, TrainingAnswer
from qrelsmith.web.records.parts import Part

SITTINGS = Kind(
    "crowd_sittings.jsonl",
    texts=("worker", "batch", "hit", "result"),
    numbers=("number", "pay"),
    times=("began_at", "ended_at", "approved_at"),
)
TRAINING = Kind(
    "crowd_training.jsonl",
    texts=("worker", "batch"),
    numbers=("number", "value", "is_right"),
    times=("at",),
)


def sitting_records() -> Iterator[Mapping[str, Cell]]:
    """All sittings, by worker and number."""
    found = Sitting.objects.select_related("worker__assessor", "batch", "hit")
    for sitting in found.order_by("worker__assessor__name", "number"):
        yield {
            "worker": sitting.worker.assessor.name,
            "batch": sitting.batch.name,
            "hit": sitting.hit.key if sitting.hit else "",
            "result": sitting.result,
            "number": sitting.number,
            "pay": sitting.pay,
            "began_at": sitting.began_at,
            "ended_at": sitting.ended_at,
            "approved_at": sitting.approved_at,
        }


def training_records() -> Iterator[Mapping[str, Cell]]:
    """The answers of workers in training, by worker, batch and number."""
    found = TrainingAnswer.objects.select_related("worker__assessor", "batch")
    for answer in found.order_by("worker__assessor__name", "batch__name", "number"):
        yield {
            "worker": answer.worker.assessor.name,
            "batch": answer.batch.name,
            "number": answer.number,
            "value": answer.value,
            "is_right": int(answer.is_right),
            "at": answer.at,
        }


def import_sittings(folder: Path) -> Counts:
    """Record the sittings and training of a folder; what is there already is left as it is.

    Raises
    ------
    InputError
        At a record that is not as it should be, or that names what is not known.
    """
    counts = Counts("sitting records")
    names = _Names()
    with writing():
        there = set(Sitting.objects.values_list("worker__assessor__name", "number"))
        for record in read_records(folder, SITTINGS):
            if (record.text("worker"), record.need("number")) in there:
                counts.same += 1
                continue
            counts.new += 1
            Sitting.objects.create(
                worker=names.worker(record),
                batch=names.batch(record),
                number=record.need("number"),
                hit=names.hit(record),
                result=_result(record),
                pay=record.number("pay") or 0.0,
                began_at=record.need_time("began_at"),
                ended_at=record.time("ended_at"),
                approved_at=record.time("approved_at"),
            )
        learned = set(
            TrainingAnswer.objects.values_list("worker__assessor__name", "batch__name", "number")
        )
        for record in read_records(folder, TRAINING):
            if (record.text("worker"), record.text("batch"), record.need("number")) in learned:
                counts.same += 1
                continue
            counts.new += 1
            TrainingAnswer.objects.create(
                worker=names.worker(record),
                batch=names.batch(record),
                number=record.need("number"),
                value=record.number("value") or 0.0,
                is_right=bool(record.need("is_right")),
                at=record.need_time("at"),
            )
    return counts


class _Names:
    """Workers, batches and HITs by the names that records call them."""

    def __init__(self) -> None:
        found = CrowdWorker.objects.select_related("assessor")
        self._workers = {each.assessor.name: each for each in found}
        self._batches = {each.name: each for each in Batch.objects.all()}
        self._hits = {each.key: each for each in Hit.objects.all()}

    def worker(self, record: Record) -> CrowdWorker:
        found = self._workers.get(record.text("worker"))
        if found is None:
            raise record.fault(f"the worker {quoted(record.text('worker'))} is unknown")
        return found

    def batch(self, record: Record) -> Batch:
        found = self._batches.get(record.text("batch"))
        if found is None:
            raise record.fault(f"the batch {quoted(record.text('batch'))} is unknown")
        return found

    def hit(self, record: Record) -> Hit | None:
        key = record.text("hit")
        if key and key not in self._hits:
            raise record.fault(f"the HIT {quoted(key)} is unknown")
        return self._hits.get(key)


def _result(record: Record) -> str:
    result = record.text("result")
    if result and result not in Sitting.Result.values:
        expected = f"expected one of {', '.join(Sitting.Result.values)}, or nothing"
        raise record.fault(f"result is {quoted(result)}; {expected}")
    return result


PART = Part(
    ((SITTINGS, sitting_records), (TRAINING, training_records)),
    lambda coming: import_sittings(coming.folder),
)
