"""The queue of background jobs: creating, claiming and ending jobs.

Every change of a job is an UPDATE that checks its state and owner. Therefore no two processes work
on the same job, and a process that was considered dead cannot end the job.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db import IntegrityError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Job

# Interval of a job's heartbeats, and the time after which a job without heartbeats is considered
# lost.
BEAT_S = 2.0
PATIENCE = timedelta(seconds=15)
# A job is not started again after this number of lost processes.
MOST_ATTEMPTS = 3
UNFINISHED = (Job.State.WAITING, Job.State.RUNNING)
# The key of jobs that run one at a time per kind.
_ALONE = "alone"
# Number of finished jobs kept per kind.
_KEPT = 50


def key_of(options: Mapping[str, Any]) -> str:
    """Return the options of a job as text."""
    return json.dumps(options, sort_keys=True)


def ask(kind: str, options: Mapping[str, Any]) -> Job:
    """Return the unfinished job of a kind with these options, created if there is none."""
    there = unfinished_jobs(kind, options)
    job = there.first()
    while job is None:
        try:
            with writing():
                job = Job.objects.create(kind=kind, key=key_of(options), options=dict(options))
        except IntegrityError:
            # Another process created the job at the same time.
            job = there.first()
    return job


def ask_alone(kind: str, options: Mapping[str, Any]) -> Job | None:
    """Create a job of a kind, or return None if any job of that kind is unfinished.

    A unique constraint of the table ensures this: all unfinished jobs of such a kind share one key.
    """
    try:
        with writing():
            return Job.objects.create(kind=kind, key=_ALONE, options=dict(options))
    except IntegrityError:
        return None


def unfinished_jobs(kind: str, options: Mapping[str, Any] | None = None) -> QuerySet[Job]:
    """Return the waiting and running jobs of a kind, optionally with given options."""
    jobs = Job.objects.filter(kind=kind, state__in=UNFINISHED)
    return jobs if options is None else jobs.filter(key=key_of(options))


def latest(kind: str, options: Mapping[str, Any]) -> Job | None:
    """Return the last completed job of a kind with these options, without its result."""
    done = Job.objects.filter(kind=kind, key=key_of(options), state=Job.State.DONE)
    return done.defer("result").order_by("-ended_at").first()


def claim(kinds: Collection[str]) -> Job | None:
    """Claim the oldest job that is waiting, or is running without a recent heartbeat."""
    now = timezone.now()
    lost = Q(state=Job.State.RUNNING, beat_at__lt=now - PATIENCE)
    free = Job.objects.filter(Q(state=Job.State.WAITING) | lost, kind__in=kinds)
    for pk in free.order_by("id").values_list("pk", flat=True)[:10]:
        with writing():
            own = free.filter(pk=pk)
            too_often = own.filter(attempts__gte=MOST_ATTEMPTS)
            problem = f"the app ended {MOST_ATTEMPTS} times while running this job"
            if too_often.update(state=Job.State.FAILED, problem=problem, ended_at=now):
                continue
            owner = secrets.token_hex(16)
            columns = {"owner": owner, "beat_at": now, "attempts": F("attempts") + 1}
            if own.update(state=Job.State.RUNNING, done=0, total=0, **columns):
                return Job.objects.get(pk=pk)
    return None


def beat(job: Job, done: int, total: int) -> bool:
    """Record a heartbeat with the progress; return whether the job's owner should continue."""
    with writing():
        columns = {"beat_at": timezone.now(), "done": done, "total": total}
        return bool(_own(job).filter(is_unwanted=False).update(**columns))


def end(job: Job, *, result: str = "", problem: str = "") -> bool:
    """End a job with its result or problem; return whether its owner still held the job."""
    state = Job.State.FAILED if problem else Job.State.DONE
    with writing():
        own = _own(job)
        unwanted = own.filter(is_unwanted=True)
        # A job that was finished before it could be stopped counts as done, because its result
        # exists.
        if problem and unwanted.update(state=Job.State.CANCELLED, ended_at=timezone.now()):
            return False
        columns = {"result": result, "problem": problem, "ended_at": timezone.now()}
        is_mine = bool(own.update(state=state, **columns))
        if is_mine:
            _tidy(job.kind)
    return is_mine


def release(job: Job) -> None:
    """Return a job to the queue because the process ends."""
    with writing():
        _own(job).update(state=Job.State.WAITING, owner="", attempts=F("attempts") - 1)


def cancel(pk: int) -> bool:
    """Cancel a job (a running job ends at its next step); return whether the job existed."""
    with writing():
        waiting = Job.objects.filter(pk=pk, state=Job.State.WAITING)
        if waiting.update(state=Job.State.CANCELLED, ended_at=timezone.now()):
            return True
        return bool(Job.objects.filter(pk=pk, state=Job.State.RUNNING).update(is_unwanted=True))


def _own(job: Job) -> Any:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, owner=job.owner)


def _tidy(kind: str) -> None:
    """Delete the finished jobs of a kind except the newest."""
    ended = Job.objects.filter(kind=kind).exclude(state__in=UNFINISHED).order_by("-pk")
    oldest = ended.values_list("pk", flat=True)[_KEPT : _KEPT + 1].first()
    if oldest is not None:
        ended.filter(pk__lte=oldest).delete()
