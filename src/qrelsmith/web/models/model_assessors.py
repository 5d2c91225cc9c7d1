"""Programs that judge: their settings, replies and API tokens."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from qrelsmith.web.models.accounts import Account, Assessor
from qrelsmith.web.models.content import Doc, Topic


class ModelSetting(models.Model):
    """The setting of a model assessor: model, prompt and parameters. Rows never change.

    A different prompt is a different version. `parameters` is a JSON object as text with sorted
    keys, because JSON columns of SQLite and PostgreSQL store numbers differently.
    """

    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="settings")
    version = models.PositiveIntegerField()
    model = models.CharField(max_length=200)
    prompt = models.TextField()
    prompt_sha256 = models.CharField(max_length=64)
    parameters = models.TextField(default="{}")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assessor", "version"], name="one_setting_version")
        ]

    def __str__(self) -> str:
        return f"{self.assessor} {self.version}"


class ModelReply(models.Model):
    """A reply of a model, unchanged, with its cost. Rows never change.

    A label that is requested again has a reply for each attempt. An unusable reply has an error and
    is not a label. A request that was never answered is recorded the same way, with an empty
    answer.
    """

    # The digest of assessor, request, topic and docs: it is the same for a repeated submission.
    op_id = models.CharField(max_length=64, unique=True)
    assessor = models.ForeignKey(Assessor, on_delete=models.PROTECT, related_name="replies")
    setting = models.ForeignKey(ModelSetting, on_delete=models.PROTECT, related_name="replies")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="+")
    doc = models.ForeignKey(Doc, on_delete=models.PROTECT, related_name="+")
    # The doc on side B; empty for a grade.
    other = models.ForeignKey(Doc, null=True, on_delete=models.PROTECT, related_name="+")
    # The SHA-256 of the whole request.
    request = models.CharField(max_length=64, blank=True)
    answer = models.TextField(blank=True)
    fault = models.TextField(blank=True)
    # Token counts of the endpoint, and amounts that count as spent; money in billionths of the
    # currency unit.
    tokens_in = models.BigIntegerField(null=True)
    tokens_out = models.BigIntegerField(null=True)
    tokens = models.BigIntegerField(default=0)
    money = models.BigIntegerField(default=0)
    latency_ms = models.BigIntegerField(null=True)
    accepted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["setting", "topic", "doc"])]


class ApiToken(models.Model):
    """A token that authenticates a program as one model assessor, for its scopes, until it expires.

    Only its digest is stored, so that a reader of the database cannot use the token.
    """

    class Scope(models.TextChoices):
        """The scopes that a token can have."""

        WORK_READ = "work:read"
        JUDGMENTS_WRITE = "judgments:write"

    token_sha256 = models.CharField(max_length=64, unique=True)
    assessor = models.ForeignKey(Assessor, on_delete=models.CASCADE, related_name="tokens")
    # Separated by blanks.
    scopes = models.CharField(max_length=200)
    created_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    def may(self, scope: str) -> bool:
        """Return whether the token has a scope."""
        return scope in self.scopes.split()
