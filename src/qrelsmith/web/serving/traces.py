"""Cleanup of files that a failed command created in the app's folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connections

from qrelsmith.web.core.alive import SERVED
from qrelsmith.web.core.database import LOCK
from qrelsmith.web.instance import Instance


@contextmanager
def undone_on_error(instance: Instance) -> Iterator[None]:
    """Remove a new folder, secret or SQLite database after an error.

    If several processes start at once, the process that created the secret owns the app. The other
    processes do not remove its files. A PostgreSQL database that has the folder's identity is kept,
    together with the identity; the next start uses both.
    """
    is_new = not instance.folder.exists()
    is_ours = instance.make_secret() and not instance.sqlite.exists()
    try:
        yield
    except BaseException:
        is_ours = is_ours and not (instance.database and instance.identity.exists())
        if is_ours and settings.configured:
            connections.close_all()
        if is_ours:
            sqlite = instance.sqlite
            files = [
                instance.key,
                instance.identity,
                instance.folder / LOCK,
                instance.folder / SERVED,
            ]
            files += [sqlite.with_name(sqlite.name + suffix) for suffix in ("", "-wal", "-shm")]
            for path in files:
                path.unlink(missing_ok=True)
        if is_new and instance.folder.exists() and not any(instance.folder.iterdir()):
            instance.folder.rmdir()
        raise
