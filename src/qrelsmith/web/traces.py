"""What a command made of the app's own folder before it failed, taken away again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connections

from qrelsmith.web.instance import Instance


@contextmanager
def undone_on_error(instance: Instance) -> Iterator[None]:
    """Leave no folder, secret or SQLite database behind that was not there before an error."""
    sqlite = instance.sqlite
    files = [instance.folder / "secret.key"]
    files += [sqlite.with_name(sqlite.name + suffix) for suffix in ("", "-wal", "-shm")]
    # A database that was there may be in use; its own files are its own affair.
    new = [path for path in files if not path.exists()] if not sqlite.exists() else []
    is_new = not instance.folder.exists()
    try:
        yield
    except BaseException:
        if new and settings.configured:
            connections.close_all()
        for path in new:
            path.unlink(missing_ok=True)
        if is_new and instance.folder.exists() and not any(instance.folder.iterdir()):
            instance.folder.rmdir()
        raise
