"""Rounds of judging after the first round."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class RejudgingRound(models.Model):
    """The reason for a later round, and what its assessors see; assignments contain its work.

    Later rounds are numbered from 2; the first round needs no reason.
    """

    class Reason(models.TextChoices):
        """The reasons for judging docs again."""

        DISAGREEMENT = "disagreement"
        STALE = "stale"
        # A sample of each assessor's own docs, to measure self-agreement.
        REPEAT = "repeat"

    number = models.PositiveIntegerField(unique=True)
    reason = models.CharField(max_length=20, choices=Reason)
    # The rule that selected the docs, and the group concerned; for stale labels, what changed.
    rule = models.TextField(blank=True)
    reference = models.CharField(max_length=200, blank=True)
    # Whether assessors see the labels of the first round; otherwise they judge blind.
    shows_labels = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
