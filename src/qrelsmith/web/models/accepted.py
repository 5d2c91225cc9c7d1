"""Columns common to the events of all kinds: actor, order, times, and what was judged."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class AcceptedEvent(models.Model):
    """An event of a log that only grows.

    Rows are append-only: the database refuses to change or delete them. `op_id` is chosen by the
    client, so that a repeated request is the same event.
    """

    class Kind(models.TextChoices):
        """The kind of an event."""

        JUDGE = "judge"
        UNDO = "undo"

    op_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    # The version that was judged, the revision known to the client, and the new revision.
    topic_version = models.PositiveIntegerField()
    base_revision = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    # Times of the server's clock, and durations measured by the client.
    accepted_at = models.DateTimeField(default=timezone.now)
    judged_at = models.DateTimeField(null=True)
    shown_at = models.DateTimeField(null=True)
    client_ms = models.BigIntegerField(null=True)
    active_ms = models.BigIntegerField(null=True)
    idle_ms = models.BigIntegerField(null=True)
    input_kind = models.CharField(max_length=20, blank=True)
    # Digest over the event and all earlier events of its stream; see `chain`.
    digest = models.CharField(max_length=64, default="")
    # The passages that support the judgment; see `qrelsmith.web.docs.passages`.
    passages = models.JSONField(default=list)

    class Meta:
        abstract = True
