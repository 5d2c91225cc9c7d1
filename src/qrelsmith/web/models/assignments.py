"""Assignments of docs or answers to assessors, in order, with the current labels."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from qrelsmith.web.models.accounts import Assessor
from qrelsmith.web.models.content import Doc, Topic


class Assignment(models.Model):
    """An assessor's docs of one topic: the whole pool, a HIT, or a later round.

    `judged` is the number of docs with a label; it belongs to the projection.
    """

    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="assignments")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="assignments")
    hit = models.CharField(max_length=200, blank=True)
    round = models.PositiveIntegerField(default=1)
    ordering = models.CharField(max_length=100, blank=True)
    seed = models.BigIntegerField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)
    judged = models.PositiveIntegerField(default=0)
    is_open = models.BooleanField(default=True)
    # The number of events at closing; null while the assignment is open, and if it was closed by an
    # old version, which did not count events.
    events_at_close = models.PositiveIntegerField(null=True, blank=True)
    # The digest of the last event; see `chain`.
    head = models.CharField(max_length=64, default="")
    opened_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assessor", "topic", "round", "hit"], name="one_assignment"
            )
        ]


class AssignedDoc(models.Model):
    """A doc at its position in an assignment, and its current label: a projection of the events.

    Revision 0 means that the doc was never judged; every accepted event adds 1. A `value` is a
    grade, or a code below 0 for an error; without a value the doc is unjudged.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="docs")
    doc = models.ForeignKey(Doc, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(default=0)
    value = models.FloatField(null=True, blank=True)
    is_judged = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    excerpt = models.TextField(blank=True)
    passages = models.JSONField(default=list)
    # The versions that were judged; if they differ from the current ones, the label is stale.
    sha256 = models.CharField(max_length=64, blank=True)
    topic_version = models.PositiveIntegerField(default=0)
    scale_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "doc"], name="doc_once_in_assignment"),
            models.UniqueConstraint(fields=["assignment", "position"], name="one_doc_a_position"),
        ]
        indexes = [models.Index(fields=["assignment", "is_judged", "position"])]


class AnswerAssignment(models.Model):
    """The answers to a topic that an assessor judges in a round or in a HIT, in order.

    `answers` contains each answer with its run, its turns and its sentences with citations.
    """

    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="+")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="+")
    hit = models.CharField(max_length=200, blank=True)
    round = models.PositiveIntegerField(default=1)
    answers = models.JSONField(default=list)
    total = models.PositiveIntegerField(default=0)
    judged = models.PositiveIntegerField(default=0)
    is_open = models.BooleanField(default=True)
    events_at_close = models.PositiveIntegerField(null=True, blank=True)
    head = models.CharField(max_length=64, default="")
    opened_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assessor", "topic", "round", "hit"], name="one_answer_assignment"
            )
        ]


class AnswerAspect(models.Model):
    """An aspect of one of the answers, or an edit of a nugget, with its current label.

    `doc` is the text to read: the answer itself, or the doc cited by a sentence. `text` and
    `importance` describe the current aspect; an edit stores the values from before the first edit.
    """

    assignment = models.ForeignKey(AnswerAssignment, on_delete=models.PROTECT, related_name="items")
    doc = models.ForeignKey(Doc, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    family = models.CharField(max_length=500)
    aspect = models.CharField(max_length=1000)
    text = models.TextField()
    importance = models.CharField(max_length=100, blank=True)
    revision = models.PositiveIntegerField(default=0)
    is_judged = models.BooleanField(default=False)
    value = models.FloatField(null=True, blank=True)
    wording = models.TextField(blank=True)
    related = models.CharField(max_length=500, blank=True)
    note = models.TextField(blank=True)
    passages = models.JSONField(default=list)
    sha256 = models.CharField(max_length=64, blank=True)
    topic_version = models.PositiveIntegerField(default=0)
    scale_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "place", "family", "aspect"], name="one_aspect_an_answer"
            ),
            models.UniqueConstraint(
                fields=["assignment", "position"], name="one_aspect_a_position"
            ),
        ]
