"""The log of judgments, in the order of acceptance. Events never change."""

from __future__ import annotations

from django.db import models

from qrelsmith.web.models.accepted import AcceptedEvent
from qrelsmith.web.models.accounts import Assessor
from qrelsmith.web.models.assignments import AnswerAspect, AnswerAssignment, AssignedDoc, Assignment
from qrelsmith.web.models.model_assessors import ModelSetting


class Event(AcceptedEvent):
    """A judgment, or the undo of a judgment."""

    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="events")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="events")
    assigned = models.ForeignKey(AssignedDoc, on_delete=models.PROTECT, related_name="events")
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undo")
    # The setting of a model; empty for people.
    setting = models.ForeignKey(
        ModelSetting, null=True, on_delete=models.PROTECT, related_name="events"
    )
    # The label after the event; empty: unjudged again.
    value = models.FloatField(null=True)
    note = models.TextField(blank=True)
    # A passage in words without a position, from models, forms and version 0.1.0.
    excerpt = models.TextField(blank=True)
    # The version of the doc and of the scale.
    sha256 = models.CharField(max_length=64, blank=True)
    scale_version = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assigned", "revision"], name="one_event_a_revision")
        ]
        indexes = [models.Index(fields=["assignment", "kind", "-id"])]


class AnswerEvent(AcceptedEvent):
    """A judgment of an aspect, an edit of a nugget, or an undo."""

    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="+")
    assignment = models.ForeignKey(
        AnswerAssignment, on_delete=models.PROTECT, related_name="events"
    )
    item = models.ForeignKey(AnswerAspect, on_delete=models.PROTECT, related_name="events")
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undo")
    value = models.FloatField(null=True)
    wording = models.TextField(blank=True)
    related = models.CharField(max_length=500, blank=True)
    note = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    scale_version = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="one_answer_event_a_revision")
        ]
