"""The events: what assessors did, in the order in which it was accepted. Nothing changes them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from qrelsmith.web.models.accounts import Assessor
from qrelsmith.web.models.assignments import AssignedDoc, Assignment
from qrelsmith.web.models.model_assessors import ModelSetting


class Event(models.Model):
    """A judgment, or an undo of one.

    The database refuses to change or delete a row. `op_id` is chosen by the client, so that a
    repeated request is the same event.
    """

    class Kind(models.TextChoices):
        """What was done."""

        JUDGE = "judge"
        UNDO = "undo"

    op_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="events")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="events")
    assigned = models.ForeignKey(AssignedDoc, on_delete=models.PROTECT, related_name="events")
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undo")
    # What a model judged by; empty for people.
    setting = models.ForeignKey(
        ModelSetting, null=True, on_delete=models.PROTECT, related_name="events"
    )
    # The label after the event; empty: unjudged again.
    value = models.FloatField(null=True)
    note = models.TextField(blank=True)
    excerpt = models.TextField(blank=True)
    # What was judged, and by which text.
    sha256 = models.CharField(max_length=64, blank=True)
    topic_version = models.PositiveIntegerField()
    scale_version = models.PositiveIntegerField()
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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assigned", "revision"], name="one_event_a_revision")
        ]
        indexes = [models.Index(fields=["assignment", "kind", "-id"])]
