"""Verdicts on docs and words about them, at the desk of adjudication; nothing changes them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from qrelsmith.web.models.content import Doc, Topic


class DeskEvent(models.Model):
    """A verdict, somebody's look at the labels, or a word in a thread.

    Each is about a topic, a doc, a pair, or an aspect of an answer.
    Who did it is a pseudonym, as in exports. The newest verdict on a doc of a topic is the label,
    that on a pair its answer; one without a value takes the one before back.
    """

    class Kind(models.TextChoices):
        """Kinds of deeds."""

        ADJUDICATED = "adjudicated"
        REVEALED = "revealed"
        SAID = "said"
        # A pair whose assessors contradict each other was given to them to discuss.
        OPENED = "opened"

    op_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=20, choices=Kind)
    by = models.CharField(max_length=200)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="desk")
    # Empty: the thread of the topic itself.
    doc = models.ForeignKey(Doc, null=True, on_delete=models.PROTECT, related_name="desk")
    # The second doc of a pair, whose docs stand in the order of their names; empty: a doc alone. A
    # verdict on a pair is below 0 where `doc` is better.
    other = models.ForeignKey(Doc, null=True, on_delete=models.PROTECT, related_name="+")
    # The aspect of an answer, which is `doc`; empty: a doc or a pair.
    aspect = models.CharField(max_length=1000, blank=True)
    # The verdict's place among those on its doc, from 1; 0 for all that is no verdict.
    revision = models.PositiveIntegerField(default=0)
    value = models.FloatField(null=True)
    text = models.TextField(blank=True)
    passages = models.JSONField(default=list)
    # Whether the one who decided had not seen the labels, and by which texts it was; of a pair
    # `scale_version` is that of the choices.
    is_blind = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64, blank=True)
    other_sha256 = models.CharField(max_length=64, blank=True)
    topic_version = models.PositiveIntegerField(default=0)
    scale_version = models.PositiveIntegerField(default=0)
    # Over the event and all before it; see `campaign_chain`.
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
