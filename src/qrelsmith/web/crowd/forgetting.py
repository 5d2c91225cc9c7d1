"""Removal of the link between a crowd worker and the worker's judgments."""

from __future__ import annotations

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.web.models import Assessor, CrowdWorker, Sitting


def forget_worker(assessor: Assessor) -> None:
    """Delete a worker's platform ids and the data from which the worker's codes are derived.

    If the same id arrives later, the worker is treated as new, even after an exclusion.

    Raises
    ------
    UsageError
        If a payment is not approved yet, or a HIT is not submitted yet.
    """
    worker = CrowdWorker.objects.filter(assessor=assessor).first()
    if worker is None:
        return
    sittings = Sitting.objects.filter(worker=worker)
    owed = sittings.exclude(pay=0).filter(approved_at=None).count()
    if owed or sittings.filter(ended_at=None).exists():
        raise UsageError(
            f"{quoted(assessor.name)} has {owed} unpaid sessions, or a session in progress."
            " Approve the sessions (qrelsmith app crowd approve) and pay, or release the HIT"
        )
    sittings.update(reference="", study="", submit_to="", nonce="", code_sha256=None)
    CrowdWorker.objects.filter(pk=worker.pk).update(platform_id="", digest=None)
