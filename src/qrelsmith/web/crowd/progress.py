"""How far a worker is in a HIT, and where it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from qrelsmith.web.models import AssignedDoc, CrowdWorker, Hit, PairTask, Sitting


@dataclass(frozen=True, slots=True)
class SittingProgress:
    """How far a HIT is.

    Attributes
    ----------
    done, total : int
        Pairs or docs that are answered, and all.
    address : str
        Where the next of them is, or the first if none is left.
    """

    done: int
    total: int
    address: str

    @property
    def left(self) -> int:
        """The number of pairs or docs that are still to be answered."""
        return self.total - self.done


def progress_of(hit: Hit) -> SittingProgress:
    """How far a HIT that somebody has is."""
    if hit.assignment is not None:
        docs = AssignedDoc.objects.filter(assignment=hit.assignment)
        done = docs.filter(is_judged=True).count()
        return SittingProgress(done, docs.count(), reverse("resume", args=[hit.assignment_id]))
    tasks = pairs_of(hit)
    left = tasks.filter(is_judged=False)
    task = left.first() or tasks.first()
    address = reverse("prefer", args=[task.contest_id, task.pk]) if task else reverse("hand-in")
    total = tasks.count()
    return SittingProgress(total - left.count(), total, address)


def pairs_of(hit: Hit) -> QuerySet[PairTask]:
    """Return the pairs of a HIT that are in play, in their order."""
    return PairTask.objects.filter(hit=hit.key, withdrawn=False).order_by("position")


def current_sitting(worker: CrowdWorker, *, wanted: int | None = None) -> Sitting | None:
    """Return the sitting that is not over; else the one that is asked for, or the newest."""
    sittings = Sitting.objects.select_related("batch", "hit", "worker__assessor").filter(
        worker=worker
    )
    return (
        sittings.filter(ended_at=None).first()
        or (sittings.filter(pk=wanted).first() if wanted is not None else None)
        or sittings.order_by("-number").first()
    )
