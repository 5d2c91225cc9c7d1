"""Logs besides the events: assessors' activity and organisers' actions."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from qrelsmith.web.models.assignments import AssignedDoc, Assignment


class Activity(models.Model):
    """How long an assessor worked on a doc since the last report, judged or not."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="activity")
    assigned = models.ForeignKey(AssignedDoc, on_delete=models.CASCADE, related_name="+")
    active_ms = models.BigIntegerField()
    idle_ms = models.BigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["assignment", "-at"])]


class OrganiserAction(models.Model):
    """An action of an organiser, an admin or a command. Nothing changes it.

    The account is a number, not a reference: it stays when a person is forgotten.
    """

    account = models.BigIntegerField(null=True)
    action = models.CharField(max_length=50)
    target = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict)
    request_id = models.CharField(max_length=32, blank=True)
    # Over the action and all before it; see `campaign_chain`.
    digest = models.CharField(max_length=64, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["-at"])]


class CampaignHead(models.Model):
    """The digest of the last row of a table whose rows are chained: one row a table."""

    stream = models.CharField(max_length=20, unique=True)
    head = models.CharField(max_length=64, default="")


class Stamp(models.Model):
    """Of which campaign the database is: one row, and the same identity in the app's folder."""

    identity = models.CharField(max_length=64)
    title = models.CharField(max_length=500, blank=True)
