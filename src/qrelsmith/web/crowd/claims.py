"""Distribution of HITs: no two workers get the same HIT."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.requeueing import abandon
from qrelsmith.web.models import Batch, CrowdWorker, Hit, PairTask, Sitting

# Number of HITs to try while other workers may be taking them, before reporting that none is left.
_ATTEMPTS = 5


def take_hit(sitting: Sitting) -> Hit | None:
    """Return the HIT of a work session: the current HIT, or a new HIT assigned to the worker.

    Return None if there is no HIT for this worker now. Overdue HITs of other workers are given out
    last.
    """
    with writing():
        # Requests of one worker are processed one after the other.
        CrowdWorker.objects.select_for_update(no_key=True).get(pk=sitting.worker_id)
        current = Sitting.objects.select_related("hit", "worker__assessor", "batch").get(
            pk=sitting.pk
        )
        if current.hit is not None or current.ended_at is not None:
            return current.hit
        if current.worker.excluded_at is not None or not current.batch.is_open:
            return None
        for _ in range(_ATTEMPTS):
            hit = _free(current.batch, current.worker) or _abandoned_hit(
                current.batch, current.worker
            )
            if hit is None:
                return None
            if _take(hit, current):
                return hit
    return None


def has_work(batch: Batch, worker: CrowdWorker | None) -> bool:
    """Return whether there is a HIT for a worker, or for a new worker if `worker` is None."""
    if not batch.is_open:
        return False
    if _suitable_hits(batch, worker).filter(state=Hit.State.OPEN).exists():
        return True
    return _suitable_hits(batch, worker).filter(_overdue(batch)).exists()


def release_overdue(batch: Batch, *, minutes: int | None = None) -> list[Hit]:
    """Take back HITs that workers hold for too long: by the terms, or more than some minutes.

    Return these HITs.
    """
    with writing():
        hits = Hit.objects.select_related("batch").filter(_overdue(batch, minutes), batch=batch)
        found = list(hits.select_for_update(of=("self",)).order_by("number"))
        for hit in found:
            abandon(hit)
    return found


def _free(batch: Batch, worker: CrowdWorker) -> Hit | None:
    hits = _suitable_hits(batch, worker).filter(state=Hit.State.OPEN).order_by("number")
    # On PostgreSQL, rows that other requests are about to take are ignored.
    return hits.select_for_update(skip_locked=True, of=("self",)).first()


def _abandoned_hit(batch: Batch, worker: CrowdWorker) -> Hit | None:
    hits = _suitable_hits(batch, worker).filter(_overdue(batch)).order_by("taken_at")
    hit = hits.select_for_update(skip_locked=True, of=("self",)).first()
    return None if hit is None else abandon(hit)


def _take(hit: Hit, sitting: Sitting) -> bool:
    """Assign a HIT to the worker of a session, unless another worker has already taken it."""
    mine = {"state": Hit.State.TAKEN, "worker": sitting.worker, "taken_at": timezone.now()}
    if not Hit.objects.filter(pk=hit.pk, state=Hit.State.OPEN, worker=None).update(**mine):
        return False
    for name, value in mine.items():
        setattr(hit, name, value)
    Sitting.objects.filter(pk=sitting.pk).update(hit=hit)
    hit_kind(hit).give(hit, sitting.worker.assessor)
    return True


def _suitable_hits(batch: Batch, worker: CrowdWorker | None) -> QuerySet[Hit]:
    """Return the HITs of a batch in which the worker has not seen any item."""
    hits = Hit.objects.select_related("batch").filter(batch=batch)
    if worker is None:
        return hits
    done = Hit.objects.filter(batch=batch, worker=worker)
    most = int(batch.terms["per_worker"])
    if most and done.exclude(state=Hit.State.ABANDONED).count() >= most:
        return hits.none()
    seen = Hit.objects.filter(worker=worker).values("name")
    own = PairTask.objects.filter(
        assessor=worker.assessor_id,
        purpose=PairTask.Purpose.SEARCH,
        contest=OuterRef("contest"),
        round=OuterRef("round"),
        left=OuterRef("left"),
        right=OuterRef("right"),
    )
    known = PairTask.objects.filter(
        Exists(own), hit=OuterRef("key"), withdrawn=False, purpose=PairTask.Purpose.SEARCH
    )
    return hits.exclude(name__in=seen).exclude(Exists(known))


def _overdue(batch: Batch, minutes: int | None = None) -> Q:
    hold = int(batch.terms["hold"]) if minutes is None else minutes
    return Q(state=Hit.State.TAKEN, taken_at__lt=timezone.now() - timedelta(minutes=hold))
