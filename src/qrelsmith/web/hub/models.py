"""The campaigns of a server and their members."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from qrelsmith.web.models import Account, Role


class HubCampaign(models.Model):
    """A campaign of the server: the folder of this name. The content is in a separate database."""

    name = models.CharField(max_length=60, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)
    # Last progress reported by the campaign, which need not be running to be shown on the front
    # page.
    judged = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """The role of an account in a campaign, and its login there."""

    campaign = models.ForeignKey(HubCampaign, on_delete=models.CASCADE, related_name="members")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    login = models.CharField(max_length=150)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "account"], name="one_role"),
            models.UniqueConstraint(fields=["campaign", "login"], name="one_person"),
        ]
