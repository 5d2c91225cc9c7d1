"""Severing a crowd worker from what he or she did."""

from __future__ import annotations

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.web.models import Assessor, CrowdWorker, Sitting


def forget_worker(assessor: Assessor) -> None:
    """Delete the platform's ids of a worker, and what his or her codes are made of.

    Whoever comes with the same id afterwards is somebody new, excluded before or not.

    Raises
    ------
    UsageError
        If something is owed that was not approved yet, or a HIT is not handed in.
    """
    worker = CrowdWorker.objects.filter(assessor=assessor).first()
    if worker is None:
        return
    sittings = Sitting.objects.filter(worker=worker)
    owed = sittings.exclude(pay=0).filter(approved_at=None).count()
    if owed or sittings.filter(ended_at=None).exists():
        raise UsageError(
            f"{quoted(assessor.name)} has {owed} unpaid sessions, or one in progress. "
            "Approve them (qrelsmith app crowd approve) and pay, or release the HIT"
        )
    sittings.update(reference="", study="", submit_to="", nonce="", code_sha256=None)
    CrowdWorker.objects.filter(pk=worker.pk).update(platform_id="", digest=None)
