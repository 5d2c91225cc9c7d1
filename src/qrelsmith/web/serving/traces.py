"""Removing what a command made of the app's own folder before it failed."""

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
    """Leave no folder, secret or SQLite database behind that was not there before an error.

    Of several processes that start at once, the one that made the secret made the app; none of the
    others takes away what it works with.
    """
    is_new = not instance.folder.exists()
    is_ours = instance.make_secret() and not instance.sqlite.exists()
    try:
        yield
    except BaseException:
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
