"""How often one address may come: guesses at addresses of batches, and new workers."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.utils import timezone

from qrelsmith.web.models import LoginFailure

WINDOW = timedelta(minutes=15)
# In the window, from one address.
GUESSES = 30
NEW_WORKERS = 30


def is_limited(what: str, address: str, most: int) -> bool:
    """Whether there were too many lately."""
    since = timezone.now() - WINDOW
    found = LoginFailure.objects.filter(key=_key(what, address), at__gte=since)
    return found.count() >= most


def count(what: str, address: str) -> None:
    """Count one more, and drop what no longer counts."""
    LoginFailure.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    LoginFailure.objects.create(key=_key(what, address))


def _key(what: str, address: str) -> str:
    """A digest, so that no list of addresses is kept."""
    return hashlib.sha256(f"{what}\n{address}".encode("utf-8", "replace")).hexdigest()
