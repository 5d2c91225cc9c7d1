"""Columns that events of both kinds have: who accepted what, in which order, and when."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class AcceptedEvent(models.Model):
    """An event of a log that only grows.

    The database refuses to change or delete a row. `op_id` is chosen by the client, so that a
    repeated request is the same event.
    """

    class Kind(models.TextChoices):
        """The kind of an event."""

        JUDGE = "judge"
        UNDO = "undo"

    op_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    # By which text it was judged, what the client knew, and what came of it.
    topic_version = models.PositiveIntegerField()
    base_revision = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    # When: by the server's clock, and as the client measured.
    accepted_at = models.DateTimeField(default=timezone.now)
    judged_at = models.DateTimeField(null=True)
    shown_at = models.DateTimeField(null=True)
    client_ms = models.BigIntegerField(null=True)
    active_ms = models.BigIntegerField(null=True)
    idle_ms = models.BigIntegerField(null=True)
    input_kind = models.CharField(max_length=20, blank=True)
    # Over the event and all before it in its stream; see `chain`.
    digest = models.CharField(max_length=64, default="")
    # The passages that support what was said; see `qrelsmith.web.docs.passages`.
    passages = models.JSONField(default=list)

    class Meta:
        abstract = True
