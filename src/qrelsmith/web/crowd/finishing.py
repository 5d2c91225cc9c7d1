"""Submission of HITs: attention checks, exclusion of workers, completion codes."""

from __future__ import annotations

from django.utils import timezone

from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.requeueing import abandon, discard
from qrelsmith.web.crowd.tokens import code_digest, code_of, new_nonce
from qrelsmith.web.models import Batch, CrowdWorker, Hit, Sitting

MISSED = "missed a challenge"


class UnfinishedError(Exception):
    """A submitted HIT has unanswered items."""

    def __init__(self, left: int) -> None:
        super().__init__(f"{left} items are not answered yet")
        self.left = left


def hand_in(sitting: Sitting) -> Sitting:
    """End a session and submit its HIT; return the session, with its code.

    A worker who fails an attention check is excluded. All HITs of this worker in the batch are then
    paid, discarded, and opened again for other workers. Repeated calls have no effect.

    Raises
    ------
    UnfinishedError
        If an item has no answer yet.
    """
    with writing():
        current = _lock_sitting(sitting)
        hit = current.hit
        if current.ended_at is not None or hit is None:
            return current
        kind = hit_kind(hit)
        kind.lock(hit)
        left = kind.progress(hit).left
        if left:
            raise UnfinishedError(left)
        hit.missed = kind.count_missed(hit)
        hit.finished_at = timezone.now()
        hit.state = Hit.State.FINISHED
        hit.save(update_fields=["missed", "finished_at", "state"])
        kind.close(hit)
        _end(current, Sitting.Result.FINISHED, float(current.batch.terms["reward"]))
        if hit.missed:
            _exclude(current.worker, MISSED, batch=current.batch)
        return current


def end_untrained(sitting: Sitting) -> None:
    """End a session after failed training; requires a write transaction."""
    _end(sitting, Sitting.Result.UNTRAINED, float(sitting.batch.terms["training_reward"]))


def end_empty(sitting: Sitting) -> Sitting:
    """End a session for which there was no HIT; the training is paid."""
    with writing():
        current = _lock_sitting(sitting)
        if current.ended_at is None and current.hit is None:
            _end(current, Sitting.Result.EMPTY, float(current.batch.terms["training_reward"]))
        return current


def exclude(worker: CrowdWorker, reason: str) -> list[Hit]:
    """Exclude a worker from further HITs, and discard the worker's HITs in open batches.

    Return the HITs that were discarded or taken back.
    """
    with writing():
        current = CrowdWorker.objects.select_for_update(no_key=True).get(pk=worker.pk)
        return _exclude(current, reason)


def _lock_sitting(sitting: Sitting) -> Sitting:
    CrowdWorker.objects.select_for_update(no_key=True).get(pk=sitting.worker_id)
    found = Sitting.objects.select_related("hit__batch", "worker__assessor", "batch")
    return found.get(pk=sitting.pk)


def _end(sitting: Sitting, result: Sitting.Result, pay: float) -> None:
    sitting.ended_at = timezone.now()
    sitting.result = result
    sitting.pay = pay
    if pay or result == Sitting.Result.FINISHED:
        sitting.nonce = new_nonce()
        sitting.code_sha256 = code_digest(code_of(sitting))
    sitting.save()


def _exclude(worker: CrowdWorker, reason: str, *, batch: Batch | None = None) -> list[Hit]:
    if worker.excluded_at is None:
        worker.excluded_at = timezone.now()
        worker.reason = reason
        worker.save(update_fields=["excluded_at", "reason"])
    hits = Hit.objects.select_related("batch").filter(worker=worker)
    hits = hits.filter(batch=batch) if batch else hits.filter(batch__is_open=True)
    # Edits of nuggets lock the assignments of answers in the same order, by their keys.
    done = list(hits.filter(state=Hit.State.FINISHED).order_by("answers_id", "number"))
    for hit in done:
        discard(hit)
    held = list(Hit.objects.select_related("batch").filter(worker=worker, state=Hit.State.TAKEN))
    for hit in held:
        abandon(hit)
    return done + held
