"""The queue of background work: one row a job."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Job(models.Model):
    """Work that a process of the app does beside its requests.

    A process takes a job by a name of its own and shows a sign of life from time to time. A job
    whose process is silent is taken by another one; what the first one writes then is refused.
    """

    class State(models.TextChoices):
        """How far a job is."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    kind = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    # The options as a text: there is one unfinished job of a kind with the same.
    key = models.CharField(max_length=500)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # Who works on it, how often it was begun, and the last sign of life.
    owner = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    beat_at = models.DateTimeField(null=True)
    is_unwanted = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="one_unfinished_job",
            )
        ]
        indexes = [models.Index(fields=["kind", "key", "state"], name="jobs_by_key")]
