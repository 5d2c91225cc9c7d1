"""Batches, crowd workers and HITs as records, out and in.

Workers are in them by their pseudonyms only; addresses, codes and the platform's ids are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Cell, Kind, Record, json_text, read_records
from qrelsmith.web.models import Assessor, Assignment, Batch, CrowdWorker, Hit, Topic
from qrelsmith.web.records.parts import Part

BATCHES = Kind(
    "crowd_batches.jsonl",
    texts=("name", "kind", "platform", "group", "terms", "training"),
    numbers=("seed", "is_open"),
    times=("created_at",),
)
WORKERS = Kind(
    "crowd_workers.jsonl",
    texts=("assessor", "platform", "trained", "reason"),
    times=("excluded_at", "created_at"),
)
HITS = Kind(
    "crowd_hits.jsonl",
    texts=("batch", "name", "key", "follows", "topic", "docs", "challenges", "ordering", "state",
           "worker"),
    numbers=("number", "seed", "missed", "events_at_close"),
    times=("taken_at", "finished_at"),
)  # fmt: skip


def batch_records() -> Iterator[Mapping[str, Cell]]:
    """All batches, by name."""
    for batch in Batch.objects.order_by("name"):
        yield {
            "name": batch.name,
            "kind": batch.kind,
            "platform": batch.platform,
            "group": batch.group,
            "terms": json_text(batch.terms),
            "training": json_text(batch.training),
            "seed": batch.seed,
            "is_open": int(batch.is_open),
            "created_at": batch.created_at,
        }


def worker_records() -> Iterator[Mapping[str, Cell]]:
    """All crowd workers, by pseudonym."""
    for worker in CrowdWorker.objects.select_related("assessor").order_by("assessor__name"):
        yield {
            "assessor": worker.assessor.name,
            "platform": worker.platform,
            "trained": json_text(worker.trained),
            "reason": worker.reason,
            "excluded_at": worker.excluded_at,
            "created_at": worker.created_at,
        }


def hit_records() -> Iterator[Mapping[str, Cell]]:
    """All HITs, by batch and number."""
    hits = Hit.objects.select_related("batch", "follows", "topic", "worker__assessor")
    for hit in hits.order_by("batch__name", "number"):
        yield {
            "batch": hit.batch.name,
            "name": hit.name,
            "key": hit.key,
            "follows": hit.follows.key if hit.follows else "",
            "topic": hit.topic.name if hit.topic else "",
            "docs": json_text(hit.docs) if hit.docs else "",
            "challenges": json_text(hit.challenges) if hit.challenges else "",
            "ordering": hit.ordering,
            "state": hit.state,
            "worker": hit.worker.assessor.name if hit.worker else "",
            "number": hit.number,
            "seed": hit.seed,
            "missed": hit.missed,
            "events_at_close": hit.events_at_close,
            "taken_at": hit.taken_at,
            "finished_at": hit.finished_at,
        }


def import_hits(folder: Path) -> Counts:
    """Record the batches, workers and HITs of a folder; what is there already is left as it is.

    Raises
    ------
    InputError
        At a record that is not as it should be, or that names what is not known.
    """
    counts = Counts("HIT records")
    with writing():
        batches = _import_batches(folder, counts)
        workers = _import_workers(folder, counts)
        _import_hits(folder, counts, batches, workers)
    return counts


def _import_batches(folder: Path, counts: Counts) -> dict[str, Batch]:
    batches = {each.name: each for each in Batch.objects.all()}
    for record in read_records(folder, BATCHES):
        name = record.text("name")
        if name in batches:
            counts.same += 1
            continue
        counts.new += 1
        if record.text("kind") not in Batch.Kind.values:
            expected = f"expected one of {', '.join(Batch.Kind.values)}"
            raise record.fault(f"kind is {quoted(record.text('kind'))}; {expected}")
        batches[name] = Batch.objects.create(
            name=name,
            kind=record.text("kind"),
            platform=record.text("platform"),
            group=record.text("group"),
            terms=record.json("terms", dict),
            training=record.json("training", list),
            seed=record.need("seed"),
            is_open=bool(record.need("is_open")),
            created_at=record.need_time("created_at"),
        )
    return batches


def _import_workers(folder: Path, counts: Counts) -> dict[str, CrowdWorker]:
    workers = {each.assessor.name: each for each in CrowdWorker.objects.select_related("assessor")}
    for record in read_records(folder, WORKERS):
        name = record.text("assessor")
        if name in workers:
            counts.same += 1
            continue
        counts.new += 1
        assessor = Assessor.objects.filter(name=name).first()
        if assessor is None:
            raise record.fault(f"the assessor {quoted(name)} is unknown")
        workers[name] = CrowdWorker.objects.create(
            assessor=assessor,
            platform=record.text("platform"),
            trained=record.json("trained", dict),
            reason=record.text("reason"),
            excluded_at=record.time("excluded_at"),
            created_at=record.need_time("created_at"),
        )
    return workers


def _import_hits(
    folder: Path, counts: Counts, batches: Mapping[str, Batch], workers: Mapping[str, CrowdWorker]
) -> None:
    there = {each.key: each for each in Hit.objects.all()}
    topics = {each.name: each for each in Topic.objects.all()}
    assignments = {
        (each.assessor.name, each.topic.name, each.hit): each
        for each in Assignment.objects.select_related("assessor", "topic").exclude(hit="")
    }
    for record in read_records(folder, HITS):
        key, topic, worker = record.text("key"), record.text("topic"), record.text("worker")
        if key in there:
            counts.same += 1
            continue
        counts.new += 1
        for what, name, names in (
            ("batch", record.text("batch"), batches),
            ("worker", worker, workers),
            ("topic", topic, topics),
            ("HIT", record.text("follows"), there),
        ):
            if name and name not in names:
                raise record.fault(f"the {what} {quoted(name)} is unknown")
        _check_state(record)
        there[key] = Hit.objects.create(
            batch=batches[record.text("batch")],
            number=record.need("number"),
            name=record.text("name"),
            key=key,
            follows=there.get(record.text("follows")),
            topic=topics.get(topic),
            docs=record.json("docs", list) if record.text("docs") else [],
            challenges=record.json("challenges", dict) if record.text("challenges") else {},
            ordering=record.text("ordering"),
            seed=record.whole("seed"),
            assignment=assignments.get((worker, topic, record.text("name"))),
            state=record.text("state"),
            worker=workers.get(worker),
            taken_at=record.time("taken_at"),
            finished_at=record.time("finished_at"),
            missed=record.need("missed"),
            events_at_close=record.whole("events_at_close"),
        )


def _check_state(record: Record) -> None:
    """Raise at a HIT whose state cannot be."""
    state, worker = record.text("state"), record.text("worker")
    if state not in Hit.State.values:
        raise record.fault(
            f"state is {quoted(state)}; expected one of {', '.join(Hit.State.values)}"
        )
    if bool(worker) is (state == Hit.State.OPEN) or not record.text("batch"):
        raise record.fault("an open HIT has no worker, and every other one has; expected a batch")


PART = Part(
    ((BATCHES, batch_records), (WORKERS, worker_records), (HITS, hit_records)),
    lambda coming: import_hits(coming.folder),
)
