"""Consistency checks of HITs, workers, sessions and answers."""

from __future__ import annotations

from django.db.models import Q

from qrelsmith.web.core.checks import Check
from qrelsmith.web.crowd.finishing import MISSED
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.models import CrowdWorker, Hit, PairTask, Sitting

_OVER = (Hit.State.DISCARDED, Hit.State.ABANDONED)


def crowd_checks() -> list[Check]:
    """Check every HIT and every session; requires a snapshot."""
    return [
        _check_claims(),
        _check_finished(),
        _check_discarded(),
        _check_excluded(),
        _check_paid(),
    ]


def _check_claims() -> Check:
    """Check that the items of a HIT are assigned to the HIT's worker only."""
    check = Check("each HIT has one worker")
    hits = Hit.objects.select_related("worker", "assignment", "answers", "batch")
    for hit in hits.defer("docs", "answers__answers").order_by("pk").iterator():
        check.rows += 1
        worker = hit.worker.assessor_id if hit.worker else None
        if (worker is None) is not (hit.state == Hit.State.OPEN):
            check.fault(f"HIT {hit.key} is {hit.state}, but its assessor is {worker or 'missing'}")
        for fault in hit_kind(hit).claim_faults(hit, worker):
            check.fault(fault)
    lost = PairTask.objects.exclude(hit="").exclude(hit__in=Hit.objects.values("key"))
    for key in sorted(set(lost.values_list("hit", flat=True))):
        check.fault(f"there are pairs of HIT {key}, which does not exist")
    return check


def _check_finished() -> Check:
    """Check that all items of counted HITs are answered, including attention checks."""
    check = Check("valid HITs are complete")
    hits = Hit.objects.select_related("batch").filter(state=Hit.State.FINISHED)
    for hit in hits.order_by("pk").iterator():
        check.rows += 1
        kind = hit_kind(hit)
        if kind.progress(hit).left:
            check.fault(f"HIT {hit.key} is submitted, but not complete")
        if kind.count_missed(hit) != hit.missed or hit.missed:
            check.fault(f"HIT {hit.key} counts, although attention checks failed")
    return check


def _check_discarded() -> Check:
    """Check that discarded work is closed and assigned to another worker."""
    check = Check("discarded HITs are withdrawn and replaced")
    for hit in Hit.objects.defer("docs").filter(state__in=_OVER).order_by("pk").iterator():
        check.rows += 1
        if PairTask.objects.filter(hit=hit.key, withdrawn=False).exists():
            check.fault(f"HIT {hit.key} is {hit.state}, but still has valid pairs")
        if not Hit.objects.filter(follows=hit).exists():
            check.fault(f"HIT {hit.key} is {hit.state}, but has no replacement")
    return check


def _check_excluded() -> Check:
    check = Check("workers who failed an attention check are excluded")
    careless = CrowdWorker.objects.filter(hits__missed__gt=0).distinct()
    check.rows = careless.count()
    for worker in careless.filter(excluded_at=None).select_related("assessor"):
        check.fault(f"{worker.assessor.name} failed an attention check, but is not excluded")
    for worker in CrowdWorker.objects.filter(reason=MISSED).exclude(hits__missed__gt=0):
        check.fault(f"worker {worker.pk} is excluded for an attention check, but failed none")
    return check


def _check_paid() -> Check:
    """Check that every submitted HIT is paid, including discarded ones."""
    check = Check("submitted HITs are paid")
    done = Hit.objects.filter(state__in=(Hit.State.FINISHED, Hit.State.DISCARDED))
    check.rows = done.count()
    for hit in done.exclude(sitting__result=Sitting.Result.FINISHED).order_by("pk"):
        check.fault(f"HIT {hit.key} is submitted, but its session is not")
    strange = Sitting.objects.filter(
        Q(result=Sitting.Result.FINISHED, hit=None) | Q(ended_at=None) & ~Q(result="")
    )
    for sitting in strange:
        check.fault(f"session {sitting.pk} has a result, but has no HIT or no end")
    return check
