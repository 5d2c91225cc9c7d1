"""Backup of the database while the app is in use: SQLite's online backup, or pg_dump."""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import warnings
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.io.text import FilePath
from qrelsmith.web.core.unfinished import mark_unfinished
from qrelsmith.web.instance import Instance
from qrelsmith.web.maintenance.postgresql import run_program, schema_option
from qrelsmith.web.project import current_instance

_SESSIONS = "django_session"
_NAME = re.compile(r"\d{8}T\d{6}Z[a-z]?\.(sqlite3|pgdump)")


def back_up(path: FilePath | None = None) -> Path:
    """Write a backup atomically, and return its path.

    The backup contains names and password hashes, so only its owner may read the file. The backup
    contains neither the app's secret nor the sessions, so all users have to log in again after a
    restore.

    Parameters
    ----------
    path : path, optional
        The file to write; by default a new file in the app's folder.

    Raises
    ------
    UsageError
        If the file exists.
    InputError
        If the file cannot be written, or pg_dump fails.
    """
    instance = current_instance()
    target = _default(instance) if path is None else Path(path)
    if target.exists():
        raise UsageError(f"{quoted(target)} already exists; expected a new file")
    part = target.resolve().with_name(f".{secrets.token_hex(8)}.part")
    try:
        if path is None:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with mark_unfinished(part):
            try:
                _write(instance, part)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the backup cannot be written: {reason}", path=target) from None
    return target


def _write(instance: Instance, part: Path) -> None:
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    if instance.database is None:
        copy_sqlite(f"{instance.sqlite.resolve().as_uri()}?mode=ro", part)
        _end_sessions(part)
    else:
        run_program(
            "pg_dump",
            instance.database,
            "--format=custom",
            "--no-owner",
            f"--file={part}",
            f"--exclude-table-data=*.{_SESSIONS}",
            *schema_option(instance.database),
        )


def drop_old_backups(keep: int) -> list[Path]:
    """Delete all backups in the app's folder except the latest; return the deleted backups.

    Files with other names are kept, because they were named by hand. Backups dated in the future
    are kept as well, with a warning, because their real date is unknown.

    Parameters
    ----------
    keep : int
        Number of backups to keep, at least 1.

    Raises
    ------
    InputError
        If a backup cannot be deleted.
    """
    folder = current_instance().backups
    # Names contain the time to the second, so they sort by time.
    ours = sorted(path for path in folder.glob("*") if _NAME.fullmatch(path.name))
    # Sorts after any backup of this second.
    now = f"{_stamp()}~"
    for path in ours:
        if path.name > now:
            text = (
                f"{path}: is dated in the future, so it is neither counted nor deleted; rename the"
                " file"
            )
            warnings.warn(text, InputWarning, stacklevel=2)
    ours = [path for path in ours if path.name <= now]
    old = ours[: max(0, len(ours) - keep)]
    for path in old:
        try:
            path.unlink()
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"the backup cannot be deleted: {reason}", path=path) from None
    return old


def backup_uri(path: Path) -> str:
    """Return a URI with which SQLite reads a backup without creating files beside it."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    # A log beside the backup contains a part of the database; only then must SQLite use further
    # files.
    return uri if path.with_name(f"{path.name}-wal").exists() else f"{uri}&immutable=1"


def copy_sqlite(source: str, target: Path) -> None:
    """Copy a consistent state of a SQLite database into another one, even during writes."""
    with (
        closing(sqlite3.connect(source, uri=True)) as read,
        closing(sqlite3.connect(target)) as written,
    ):
        read.backup(written)
        fault = written.execute("PRAGMA integrity_check").fetchone()[0]
    if fault != "ok":
        raise InputError(f"the database is damaged: {fault.splitlines()[-1]}")


def _end_sessions(path: Path) -> None:
    """Delete the sessions from a copy, so that no byte of them stays in the file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.execute("PRAGMA secure_delete=ON")
        there = copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [_SESSIONS]).fetchone()
        if there:
            copy.execute(f"DELETE FROM {_SESSIONS}")  # noqa: S608 - a name of ours
            # In an older database, free pages may still contain deleted data.
            copy.execute("VACUUM")


def _stamp() -> str:
    """Return the current second in the format of backup names."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def _default(instance: Instance) -> Path:
    """Return a file name with the current second, and a letter if the name is taken."""
    stamp = _stamp()
    suffix = "sqlite3" if instance.database is None else "pgdump"
    for letter in ("", *"abcdefghijklmnopqrstuvwxyz"):
        path = instance.backups / f"{stamp}{letter}.{suffix}"
        if not path.exists():
            return path
    raise UsageError("too many backups were created in this second. Specify a file name")
