"""The queue of background jobs, with one row per job."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Job(models.Model):
    """Work that a process of the app does outside requests.

    A process claims a job under its own name and renews the claim from time to time. If it stops
    renewing the claim, another process claims the job, and later writes by the first are refused.
    """

    class State(models.TextChoices):
        """The state of a job."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    kind = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    # The options as a text: there is at most one unfinished job per kind and options.
    key = models.CharField(max_length=500)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # The process that works on the job, the number of starts, and the last renewal.
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
