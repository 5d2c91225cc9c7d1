"""Logs besides the events: assessors' activity and organisers' actions."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from qrelsmith.web.models.assignments import AssignedDoc, Assignment


class Activity(models.Model):
    """The time that an assessor spent on a doc since the previous report, judged or not."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="activity")
    assigned = models.ForeignKey(AssignedDoc, on_delete=models.CASCADE, related_name="+")
    active_ms = models.BigIntegerField()
    idle_ms = models.BigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["assignment", "-at"])]


class OrganiserAction(models.Model):
    """An action of an organiser, an admin or a command. Rows never change.

    The account is a number, not a foreign key, so that the row stays when a person is forgotten.
    """

    account = models.BigIntegerField(null=True)
    action = models.CharField(max_length=50)
    target = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict)
    request_id = models.CharField(max_length=32, blank=True)
    # Digest over the action and all earlier actions; see `campaign_chain`.
    digest = models.CharField(max_length=64, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["-at"])]


class CampaignHead(models.Model):
    """The digest of the last row of a chained table, with one row per table."""

    stream = models.CharField(max_length=20, unique=True)
    head = models.CharField(max_length=64, default="")


class Stamp(models.Model):
    """The identity of the campaign, in one row; the app's folder contains the same identity."""

    identity = models.CharField(max_length=64)
    title = models.CharField(max_length=500, blank=True)
