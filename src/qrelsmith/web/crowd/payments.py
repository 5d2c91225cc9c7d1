"""Payments of workers, approval of codes, and the payment list for the platform."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from qrelsmith.base.tables import Table
from qrelsmith.topk.crowd.platform_submissions import PlatformSubmission
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.tokens import code_digest, worker_digest
from qrelsmith.web.models import Batch, Sitting

PAYMENTS = (
    "platform", "worker_id", "reference", "study", "assessor", "batch", "hit", "result", "pay",
    "currency", "approved_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Approval:
    """The result of approving a code.

    Attributes
    ----------
    state : str
        `approved` now; `used`: it was approved before; `unknown`; `other worker`: the code belongs
        to a different worker than the submission.
    sitting : Sitting or None
        The session of the code.
    """

    state: str
    sitting: Sitting | None = None


def approve_code(code: str) -> Approval:
    """Approve a code; a code can be approved only once."""
    return _approve(_by_code(code))


def approve_submission(submission: PlatformSubmission) -> Approval:
    """Approve a row of a platform's results by its code, or, without a code, by the submission id.

    On platforms with one code for all workers, the submission id identifies the session.
    """
    sitting = _by_code(submission.code) if submission.code else None
    if sitting is None:
        sitting = _sittings().filter(reference=submission.reference).exclude(reference="").first()
    if sitting is None or sitting.code_sha256 is None:
        return Approval("unknown")
    digest = worker_digest(sitting.worker.platform, submission.worker)
    if digest != sitting.worker.digest:
        return Approval("other worker", sitting)
    return _approve(sitting)


def payment_rows(batch: Batch | None = None) -> list[tuple[str, ...]]:
    """Return a row per paid session with the platform's ids; for organisers only."""
    sittings = _sittings().exclude(pay=0).order_by("batch__name", "ended_at", "pk")
    if batch is not None:
        sittings = sittings.filter(batch=batch)
    return [
        (
            sitting.worker.platform,
            sitting.worker.platform_id,
            sitting.reference,
            sitting.study,
            sitting.worker.assessor.name,
            sitting.batch.name,
            sitting.hit.key if sitting.hit else "",
            sitting.result,
            f"{sitting.pay:.2f}",
            str(sitting.batch.terms["currency"]),
            sitting.approved_at.isoformat(timespec="seconds") if sitting.approved_at else "",
        )
        for sitting in sittings
    ]


def money(batches: Iterable[Batch]) -> Table:
    """Return the past and future cost of each batch: payments to workers and to the platform."""
    rows = []
    for batch in batches:
        paid = list(batch.sittings.exclude(pay=0).values_list("pay", "approved_at", "result"))
        fee = float(batch.terms["fee"])
        fees = fee * sum(result == Sitting.Result.FINISHED for _, _, result in paid)
        rows.append(
            (
                batch.name,
                len(paid),
                round(sum((pay for pay, _, _ in paid), 0.0), 2),
                round(sum((pay for pay, approved, _ in paid if approved is None), 0.0), 2),
                round(fees, 2),
                str(batch.terms["currency"]),
            )
        )
    return Table.of(("batch", "sittings", "pay", "not_approved", "fees", "currency"), rows)


def _sittings() -> QuerySet[Sitting]:
    sittings = Sitting.objects.select_related("worker__assessor", "batch", "hit")
    return sittings.defer("hit__docs")


def _by_code(code: str) -> Sitting | None:
    return _sittings().filter(code_sha256=code_digest(code)).first()


def _approve(sitting: Sitting | None) -> Approval:
    if sitting is None:
        return Approval("unknown")
    now = timezone.now()
    with writing():
        is_new = Sitting.objects.filter(pk=sitting.pk, approved_at=None).update(approved_at=now)
    return Approval("approved" if is_new else "used", sitting)
