"""Submission of HITs: attention checks, exclusion of workers, completion codes."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from qrelsmith.web.core.closing import close_hit, lock_hit
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.progress import pairs_of, progress_of
from qrelsmith.web.crowd.requeueing import abandon, discard
from qrelsmith.web.crowd.tokens import code_digest, code_of, new_nonce
from qrelsmith.web.models import AssignedDoc, Batch, CrowdWorker, Hit, PairTask, Sitting

MISSED = "missed a challenge"
_BETTER = {"left": -1, "right": 1}


class UnfinishedError(Exception):
    """A submitted HIT has unanswered items."""

    def __init__(self, left: int) -> None:
        super().__init__(f"{left} items are not answered yet")
        self.left = left


def hand_in(sitting: Sitting) -> Sitting:
    """End a session and submit its HIT; return the session, with its code.

    A worker who fails an attention check is excluded. All HITs of the worker in the batch are
    discarded, opened again, and paid. Repeated calls have no effect.

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
        lock_hit(hit.pk)
        left = progress_of(hit).left
        if left:
            raise UnfinishedError(left)
        hit.missed = missed_challenges(hit)
        hit.finished_at = timezone.now()
        hit.state = Hit.State.FINISHED
        hit.save(update_fields=["missed", "finished_at", "state"])
        close_hit(hit)
        _end(current, Sitting.Result.FINISHED, float(current.batch.terms["reward"]))
        if hit.missed:
            _exclude(current.worker, MISSED, batch=current.batch)
        return current


def end_untrained(sitting: Sitting) -> None:
    """End a session after failed training; only inside a transaction that writes."""
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


def missed_challenges(hit: Hit) -> int:
    """Return the number of failed attention checks in a HIT: worse doc, tie, or no answer."""
    if hit.assignment_id is None:
        outcomes = dict(pairs_of(hit).filter(is_judged=True).values_list("pk", "outcome"))
        return missed_pairs(hit, outcomes)
    docs = AssignedDoc.objects.filter(assignment=hit.assignment_id, is_judged=True)
    return missed_docs(hit, dict(docs.values_list("pk", "value")))


def missed_pairs(hit: Hit, outcomes: Mapping[int, float | None]) -> int:
    """Return the number of attention checks failed by outcomes, which are keyed by pair."""
    tasks = pairs_of(hit).filter(purpose=PairTask.Purpose.CHALLENGE)
    return sum(
        (outcomes.get(pk) or 0) * _BETTER[better] <= 0
        for pk, better in tasks.values_list("pk", "better")
    )


def missed_docs(hit: Hit, values: Mapping[int, float | None]) -> int:
    """Return the number of attention checks failed by values, which are keyed by assigned doc."""
    docs = AssignedDoc.objects.filter(assignment=hit.assignment_id, doc__name__in=hit.challenges)
    missed = 0
    for pk, name in docs.values_list("pk", "doc__name"):
        lowest, highest = hit.challenges[name]
        value = values.get(pk)
        missed += value is None or not lowest <= value <= highest
    return missed


def _lock_sitting(sitting: Sitting) -> Sitting:
    CrowdWorker.objects.select_for_update(no_key=True).get(pk=sitting.worker_id)
    found = Sitting.objects.select_related("hit__batch", "hit__assignment", "worker", "batch")
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
    done = list(hits.filter(state=Hit.State.FINISHED).order_by("number"))
    for hit in done:
        discard(hit)
    held = list(Hit.objects.select_related("batch").filter(worker=worker, state=Hit.State.TAKEN))
    for hit in held:
        abandon(hit)
    return done + held
