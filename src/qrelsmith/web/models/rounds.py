"""Rounds of judging after the first one."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class RejudgingRound(models.Model):
    """Why docs are judged again, and what their assessors see; who judges what, assignments say.

    Rounds are counted from 2 on: the first one needs no reason.
    """

    class Reason(models.TextChoices):
        """Why docs are judged again."""

        DISAGREEMENT = "disagreement"
        STALE = "stale"
        # A sample of each assessor's own docs, to see whether the labels come out the same.
        REPEAT = "repeat"

    number = models.PositiveIntegerField(unique=True)
    reason = models.CharField(max_length=20, choices=Reason)
    # The rule that named the docs, and the group that it was about; of stale labels, what changed.
    rule = models.TextField(blank=True)
    reference = models.CharField(max_length=200, blank=True)
    # Whether assessors see the labels of the first round; else they judge blind.
    shows_labels = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
