"""The adjudication log: verdicts and messages, which never change."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from qrelsmith.web.models.content import Doc, Topic


class DeskEvent(models.Model):
    """A verdict, the revealing of labels, or a message in a thread.

    Each event is about a topic, a doc, a pair, or an aspect of an answer. The actor is a pseudonym,
    as in exports. The latest verdict on a doc is the doc's label for the topic. The latest verdict
    on a pair is the pair's answer. A verdict without a value withdraws the previous verdict.
    """

    class Kind(models.TextChoices):
        """Kinds of adjudication events."""

        ADJUDICATED = "adjudicated"
        REVEALED = "revealed"
        SAID = "said"
        # Assessors with contradicting answers to a pair were asked to discuss the pair.
        OPENED = "opened"

    op_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=20, choices=Kind)
    by = models.CharField(max_length=200)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="desk")
    # Empty: the thread of the topic itself.
    doc = models.ForeignKey(Doc, null=True, on_delete=models.PROTECT, related_name="desk")
    # The second doc of a pair, whose docs are in the order of their names; empty: a single doc. A
    # verdict on a pair is below 0 if `doc` is better.
    other = models.ForeignKey(Doc, null=True, on_delete=models.PROTECT, related_name="+")
    # The aspect of the answer `doc`; empty for a doc or a pair.
    aspect = models.CharField(max_length=1000, blank=True)
    # The number of the verdict among the verdicts on its doc, from 1; 0 for other events.
    revision = models.PositiveIntegerField(default=0)
    value = models.FloatField(null=True)
    text = models.TextField(blank=True)
    passages = models.JSONField(default=list)
    # Whether the adjudicator had not seen the labels, and the versions that were shown; for a pair,
    # `scale_version` is that of the choices.
    is_blind = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64, blank=True)
    other_sha256 = models.CharField(max_length=64, blank=True)
    topic_version = models.PositiveIntegerField(default=0)
    scale_version = models.PositiveIntegerField(default=0)
    # Digest over the event and all earlier events; see `campaign_chain`.
    digest = models.CharField(max_length=64, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "doc", "aspect", "revision"],
                condition=Q(kind="adjudicated", other=None),
                name="one_verdict_a_revision",
            ),
            models.UniqueConstraint(
                fields=["topic", "doc", "other", "revision"],
                condition=Q(kind="adjudicated", other__isnull=False),
                name="one_pair_verdict_a_revision",
            ),
        ]
        indexes = [models.Index(fields=["topic", "doc", "kind", "revision"])]
