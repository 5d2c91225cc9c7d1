"""Sessions stored under a digest, so that a copy of the database cannot be used to log in."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as Kept
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

from qrelsmith.web.core.database import was_refused, writing
from qrelsmith.web.core.prepared import Prepared

# The length of Django's column, in hexadecimal digits (160 bits).
_LENGTH = 40
# Larger than the free part of a database page, so that the write fails on a full disk.
_LARGE = 1 << 16


def session_digest(key: str) -> str:
    """Return the digest of a session's key; only the browser's cookie holds the key itself."""
    return hashlib.sha256(f"session\n{key}".encode("utf-8", "replace")).hexdigest()[:_LENGTH]


def check_writable() -> None:
    """Raise an error if the last write of this process failed and writing is still impossible.

    Raises
    ------
    OperationalError, InterfaceError
        If the disk is full, or a lock is held for too long.
    """
    if was_refused():
        with writing():
            row = SessionStore.get_model_class().objects.create(
                session_key=secrets.token_hex(_LENGTH // 2),
                session_data="-" * _LARGE,
                expire_date=timezone.now(),
            )
            row.delete()


class SessionStore(Kept):
    """Django's sessions in the database, kept under the digests of their keys."""

    def exists(self, session_key: str) -> bool:
        """Return whether there is a session with this key."""
        return bool(super().exists(session_digest(session_key)))

    def create(self) -> None:
        """Create a session, and delete expired sessions."""
        super().create()
        self.clear_expired()

    def delete(self, session_key: str | None = None) -> None:
        """Delete a session, by default this one."""
        key = self.session_key if session_key is None else session_key
        if key is not None:
            super().delete(session_digest(key))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """Return the row of this session."""
        row = super().create_model_instance(data)
        row.session_key = session_digest(row.session_key)
        return row

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        found: AbstractBaseSession | None = _KEPT.first(session_digest(self.session_key or ""))
        if found is None or found.expire_date <= timezone.now():
            # The key in the cookie belongs to no session: the next session gets a new key.
            self._session_key = None
            return None
        return found


_KEPT = Prepared[AbstractBaseSession](
    lambda key: SessionStore.get_model_class().objects.filter(session_key=key)
)
