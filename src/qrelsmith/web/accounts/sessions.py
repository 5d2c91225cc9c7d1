"""Sessions that the database knows by a digest only: who reads it, or a copy, cannot log in."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as Kept
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

from qrelsmith.web.core.database import was_refused, writing
from qrelsmith.web.core.prepared import Prepared

# As long as Django's column: 160 bits.
_LENGTH = 40
# More than the rest of a page, so that a full disk refuses it.
_LARGE = 1 << 16


def session_digest(key: str) -> str:
    """Return the digest of a session's key; the key itself is in the browser's cookie alone."""
    return hashlib.sha256(f"session\n{key}".encode("utf-8", "replace")).hexdigest()[:_LENGTH]


def check_writable() -> None:
    """Raise unless the database can be written, if this process could not the last time.

    Raises
    ------
    OperationalError, InterfaceError
        If it cannot: the disk is full, or a lock is held for long.
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
        """Whether there is a session of this key."""
        return bool(super().exists(session_digest(session_key)))

    def create(self) -> None:
        """Begin a session, and delete those that have expired."""
        super().create()
        self.clear_expired()

    def delete(self, session_key: str | None = None) -> None:
        """End a session, this one if no key is given."""
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
            # The key in the cookie is of no session: the next one gets another key.
            self._session_key = None
            return None
        return found


_KEPT = Prepared[AbstractBaseSession](
    lambda key: SessionStore.get_model_class().objects.filter(session_key=key)
)
