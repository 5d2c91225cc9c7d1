"""People and their rights: an account is a person, an assessor is a person's pseudonym."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models
from django.utils import timezone


class Role(models.TextChoices):
    """The role of an account, which defines its rights; see `access`."""

    ADMIN = "admin"
    ORGANISER = "organiser"
    ASSESSOR = "assessor"
    VIEWER = "viewer"


class Assessor(models.Model):
    """A pseudonym of a person, or a program that judges; exports contain no other name."""

    name = models.CharField(max_length=200, unique=True)
    group = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Account(AbstractBaseUser):
    """A person who can log in. No column of this table is ever exported."""

    login = models.CharField(max_length=150, unique=True)
    role = models.CharField(max_length=20, choices=Role)
    assessor = models.OneToOneField(
        Assessor, null=True, blank=True, on_delete=models.PROTECT, related_name="account"
    )
    email = models.CharField(max_length=254, blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    forgotten_at = models.DateTimeField(null=True, blank=True)

    USERNAME_FIELD = "login"
    REQUIRED_FIELDS = ["role"]

    def __str__(self) -> str:
        return self.login


class Identity(models.Model):
    """A person at an OpenID Connect provider who logs in to an account."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="one_account_of_identity")
        ]


class Invite(models.Model):
    """A link that creates an account or resets its password; it works once, until it expires.

    Only the digest of its token is stored, so that a reader of the database cannot use the link.
    """

    token_sha256 = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20, choices=Role)
    assessor = models.ForeignKey(Assessor, null=True, blank=True, on_delete=models.CASCADE)
    account = models.ForeignKey(Account, null=True, blank=True, on_delete=models.CASCADE)
    created_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="invites_made"
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)


class LoginFailure(models.Model):
    """A failed login, stored for as long as it counts towards the limit."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["key", "at"])]
