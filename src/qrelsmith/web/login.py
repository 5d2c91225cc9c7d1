"""Logging in with a name and a password; after several failures it has to wait."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils import timezone

from qrelsmith.web.models import Account, LoginFailure

WINDOW = timedelta(minutes=15)
# Failures in the window for one name from one address, and for one address.
PER_NAME = 5
PER_ADDRESS = 30


class AccountBackend:
    """Finds accounts by login and password."""

    def authenticate(
        self,
        request: HttpRequest | None,
        login: str | None = None,
        password: str | None = None,
        **_: Any,
    ) -> Account | None:
        """The account, None if name or password is wrong."""
        if login is None or password is None:
            return None
        account = Account.objects.filter(login=login).first()
        if account is None:
            make_password(password)  # so that an unknown name takes as long as a known one
            return None
        return account if account.check_password(password) and account.is_active else None

    def get_user(self, user_id: int) -> Account | None:
        """The account of a session."""
        found = Account.objects.select_related("assessor")
        return found.filter(pk=user_id, is_active=True).first()


def must_wait(login: str, address: str) -> bool:
    """Whether there were too many failures lately."""
    since = timezone.now() - WINDOW
    return any(
        LoginFailure.objects.filter(key=key, at__gte=since).count() >= limit
        for key, limit in zip(_keys(login, address), (PER_NAME, PER_ADDRESS), strict=True)
    )


def record_failure(login: str, address: str) -> None:
    """Count a failure, and drop those that no longer count."""
    LoginFailure.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    LoginFailure.objects.bulk_create(LoginFailure(key=key) for key in _keys(login, address))


def _keys(login: str, address: str) -> tuple[str, str]:
    """What failures are counted by; digests, so that no list of names and addresses is kept."""
    pair = hashlib.sha256(f"{login}\n{address}".encode("utf-8", "replace")).hexdigest()
    return pair, hashlib.sha256(f"\n{address}".encode()).hexdigest()
