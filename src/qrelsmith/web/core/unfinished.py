"""Removal of partial exports and backups that a killed process has left.

Each process writes to a temporary path next to its target and marks this path in the app's folder.
The mark is a small SQLite file locked by the process; the system unlocks it when the process ends.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.web.project import current_instance

_SUFFIX = ".unfinished"
_PART = ".part"
# A new process may have to wait until another process has checked its mark.
_PATIENCE_S = 20


@contextmanager
def mark_unfinished(part: Path) -> Iterator[None]:
    """Mark a file or folder as being written, and remove partial files of killed processes.

    Parameters
    ----------
    part : path
        An absolute path that ends with `.part` and does not exist yet.

    Raises
    ------
    InputError
        If the app's folder cannot be written.
    """
    instance = current_instance()
    _sweep(instance.folder)
    mark = instance.folder / f"{part.stem.lstrip('.')}{_SUFFIX}"
    instance.make_private(mark)
    try:
        with closing(_open_mark(mark, patience_s=_PATIENCE_S)) as lock:
            try:
                lock.execute("CREATE TABLE part (path TEXT)")
                lock.execute("INSERT INTO part VALUES (?)", [str(part)])
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                raise InputError(f"cannot be written: {error}", path=mark) from None
            yield
    finally:
        mark.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove the marked paths of processes that have ended."""
    for mark in folder.glob(f"*{_SUFFIX}"):
        with suppress(sqlite3.OperationalError), closing(_open_mark(mark, patience_s=0)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            # Without the table, the process was killed before it wrote anything.
            if lock.execute("SELECT 1 FROM sqlite_master").fetchone():
                for (name,) in lock.execute("SELECT path FROM part").fetchall():
                    _remove(Path(name))
            mark.unlink(missing_ok=True)


def _remove(part: Path) -> None:
    if part.suffix != _PART:
        return
    with suppress(OSError):
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)


def _open_mark(mark: Path, *, patience_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        mark, timeout=patience_s, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode=MEMORY")
    return connection
