"""Work sessions of crowd workers: whether there is work for a worker, and at which step.

A worker's id is not a secret and cannot be verified. Only the `reference`, the platform's id of one
piece of work, is unknown to other people. An unfinished HIT therefore continues only in the browser
in which it was begun, or under the same reference. A visitor with another worker's id sees and
changes none of that worker's work.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Max
from django.utils import timezone

from qrelsmith.topk.crowd.platforms import Arrival
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.claims import has_work
from qrelsmith.web.crowd.requeueing import abandon
from qrelsmith.web.crowd.tokens import new_pseudonym, worker_digest
from qrelsmith.web.models import Account, Assessor, Batch, CrowdWorker, Hit, Role, Sitting


class TurnedAwayError(Exception):
    """There is no work for a worker.

    Parameters
    ----------
    reason : str
        One of `closed`, `nothing`, `excluded`, `untrained`, `elsewhere`, `abandoned`, `other`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def worker_of(batch: Batch, arrival: Arrival) -> CrowdWorker | None:
    """Return the arriving worker, or None for a new worker."""
    digest = worker_digest(batch.platform, arrival.worker)
    return CrowdWorker.objects.select_related("assessor").filter(digest=digest).first()


def sitting_of(batch: Batch, worker: CrowdWorker | None, arrival: Arrival) -> Sitting | None:
    """Return the session with the reference of this arrival, open or ended."""
    sittings = Sitting.objects.filter(batch=batch, worker=worker, reference=arrival.reference)
    return sittings.first() if worker else None


def check_work(
    batch: Batch, worker: CrowdWorker | None, arrival: Arrival, *, own: CrowdWorker | None
) -> None:
    """Raise an error unless a worker has something to do, or results to see again.

    Parameters
    ----------
    batch : Batch
        The requested batch.
    worker : CrowdWorker or None
        The worker; None: a new worker.
    arrival : Arrival
        The ids with which the platform sent the worker.
    own : CrowdWorker or None
        The worker who is logged in to the browser, if any.

    Raises
    ------
    TurnedAwayError
        If there is nothing to do or see.
    """
    sitting = sitting_of(batch, worker, arrival)
    if sitting is not None:
        if sitting.result == Sitting.Result.ABANDONED:
            raise TurnedAwayError("abandoned")
        return
    if not batch.is_open:
        raise TurnedAwayError("closed")
    if worker is not None:
        if worker.excluded_at is not None:
            raise TurnedAwayError("excluded")
        if worker.trained.get(batch.kind) is False:
            raise TurnedAwayError("untrained")
        if worker.assessor.group != batch.group:
            raise TurnedAwayError("other")
        other = _open_sitting(worker)
        if other is not None and not _is_overdue(other):
            if worker == own and other.batch_id == batch.pk:
                return
            raise TurnedAwayError("elsewhere")
    if not has_work(batch, worker):
        raise TurnedAwayError("nothing")


def begin(batch: Batch, arrival: Arrival, *, own: CrowdWorker | None) -> Sitting:
    """Begin a session after the worker's consent, or continue the existing session.

    Raises
    ------
    TurnedAwayError
        If there is no work.
    """
    with writing():
        worker = worker_of(batch, arrival)
        if worker is not None:
            CrowdWorker.objects.select_for_update(no_key=True).get(pk=worker.pk)
        check_work(batch, worker, arrival, own=own)
        sitting = sitting_of(batch, worker, arrival)
        if sitting is not None:
            return sitting
        worker = worker or _new_worker(batch, arrival)
        values = {
            "reference": arrival.reference, "study": arrival.study, "submit_to": arrival.submit_to
        }  # fmt: skip
        other = _open_sitting(worker)
        if other is not None and _is_overdue(other):
            _end_overdue(other)
        elif other is not None:
            # The worker returned the work to the platform and took the same work again.
            Sitting.objects.filter(pk=other.pk).update(**values)
            return other
        last = Sitting.objects.filter(worker=worker).aggregate(last=Max("number"))["last"] or 0
        return Sitting.objects.create(batch=batch, worker=worker, number=last + 1, **values)


def current_sitting(worker: CrowdWorker, *, wanted: int | None = None) -> Sitting | None:
    """Return the worker's open session, else the requested session, else the latest."""
    sittings = Sitting.objects.select_related("batch", "hit", "worker__assessor").filter(
        worker=worker
    )
    return (
        sittings.filter(ended_at=None).first()
        or (sittings.filter(pk=wanted).first() if wanted is not None else None)
        or sittings.order_by("-number").first()
    )


def account_of_worker(worker: CrowdWorker) -> Account:
    """Return the account for a worker's sessions; it has no password."""
    return Account.objects.get(assessor=worker.assessor_id)


def _new_worker(batch: Batch, arrival: Arrival) -> CrowdWorker:
    assessor = Assessor.objects.create(name=new_pseudonym(), group=batch.group)
    account = Account(login=assessor.name, role=Role.ASSESSOR, assessor=assessor)
    account.set_unusable_password()
    account.save()
    return CrowdWorker.objects.create(
        assessor=assessor,
        platform=batch.platform,
        platform_id=arrival.worker,
        digest=worker_digest(batch.platform, arrival.worker),
    )


def _open_sitting(worker: CrowdWorker) -> Sitting | None:
    sittings = Sitting.objects.select_related("batch", "hit__batch")
    return sittings.filter(worker=worker, ended_at=None).first()


def _is_overdue(sitting: Sitting) -> bool:
    since = sitting.hit.taken_at if sitting.hit else sitting.began_at
    hold = timedelta(minutes=int(sitting.batch.terms["hold"]))
    return since is not None and since < timezone.now() - hold


def _end_overdue(sitting: Sitting) -> None:
    if sitting.hit is not None and sitting.hit.state == Hit.State.TAKEN:
        abandon(sitting.hit)
    else:
        Sitting.objects.filter(pk=sitting.pk).update(
            ended_at=timezone.now(), result=Sitting.Result.ABANDONED
        )
