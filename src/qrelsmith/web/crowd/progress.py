"""Progress of a worker in a HIT, and the address of the next item."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from qrelsmith.web.models import AssignedDoc, CrowdWorker, Hit, PairTask, Sitting


@dataclass(frozen=True, slots=True)
class SittingProgress:
    """Progress in a HIT.

    Attributes
    ----------
    done, total : int
        Number of pairs or docs with an answer, and of all.
    address : str
        Address of the next unanswered item, or of the first item if none is left.
    """

    done: int
    total: int
    address: str

    @property
    def left(self) -> int:
        """The number of pairs or docs without an answer."""
        return self.total - self.done


def progress_of(hit: Hit) -> SittingProgress:
    """Return the progress of a HIT that a worker has taken."""
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
    """Return the valid pairs of a HIT, in order."""
    return PairTask.objects.filter(hit=hit.key, withdrawn=False).order_by("position")


def current_sitting(worker: CrowdWorker, *, wanted: int | None = None) -> Sitting | None:
    """Return the worker's open session, else the requested one, else the latest."""
    sittings = Sitting.objects.select_related("batch", "hit", "worker__assessor").filter(
        worker=worker
    )
    return (
        sittings.filter(ended_at=None).first()
        or (sittings.filter(pk=wanted).first() if wanted is not None else None)
        or sittings.order_by("-number").first()
    )
