"""Rate limits for wrong passwords and tokens, guessed addresses, and new workers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from qrelsmith.web.models import LoginFailure

WINDOW = timedelta(minutes=15)
# Limits per time window and IP address.
TOKENS = 30
GUESSES = 30
NEW_WORKERS = 30


def is_limited(what: str, address: str, most: int) -> bool:
    """Return whether an IP address has recently reached a limit."""
    return _recent(_key(what, address)) >= most


def count(what: str, address: str) -> None:
    """Count one event, and delete expired counts."""
    count_keys([_key(what, address)])


def count_keys(keys: Sequence[str]) -> tuple[list[int], list[int]]:
    """Count one event per key; return the new rows, and the current count of each key."""
    now = timezone.now()
    LoginFailure.objects.filter(at__lt=now - WINDOW).delete()
    rows = LoginFailure.objects.bulk_create([LoginFailure(key=key, at=now) for key in keys])
    return [row.pk for row in rows], [_recent(key) for key in keys]


def _recent(key: str) -> int:
    since = timezone.now() - WINDOW
    return LoginFailure.objects.filter(key=key, at__gte=since).count()


def _key(what: str, address: str) -> str:
    """Return a digest, so that addresses are not stored."""
    return hashlib.sha256(f"{what}\n{address}".encode("utf-8", "replace")).hexdigest()
