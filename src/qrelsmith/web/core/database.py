"""Transactions that write."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext

from django.db import InterfaceError, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Collate

from qrelsmith.base.errors import InputError
from qrelsmith.web.instance import Instance

# SQLite has one writer at a time. Threads of this process wait here, in turn and without polling;
# other processes wait for BEGIN IMMEDIATE.
_WRITER = threading.RLock()
_REFUSED = threading.Event()


# Processes lock a file in the app's folder on SQLite; on PostgreSQL, they lock a number that no
# other program uses in the same database.
LOCK = "lock"
_ALONE = 0x5152454C
_LONG_S = 3600
# The error texts of SQLite, and of the system and PostgreSQL.
_FULL = ("disk is full", "no space left on device")


@contextmanager
def exclusive_lock(instance: Instance) -> Iterator[None]:
    """Lock work that only one process of a campaign may do at a time: migrations, imports.

    Raises
    ------
    InputError
        If the folder cannot be written, or another process holds the lock for too long.
    """
    if connection.vendor == "sqlite":
        # A separate database: migrations and imports need their own transactions.
        path = instance.folder / LOCK
        instance.make_private(path)
        try:
            lock = sqlite3.connect(path, timeout=_LONG_S, isolation_level=None)
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise InputError(f"cannot be locked: {error}", path=path) from None
        with closing(lock):
            yield
        return
    # A separate connection here, too: a restore closes the open connections.
    lock_connection = separate_connection()
    try:
        with lock_connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [instance.lock_number(_ALONE)])
        yield
    finally:
        lock_connection.close()


def separate_connection() -> BaseDatabaseWrapper:
    """Return a connection outside the pool, for a lock.

    A thread that takes a second connection from the pool could wait for itself.
    """
    made: BaseDatabaseWrapper = connections.create_connection("default")
    options = {key: each for key, each in made.settings_dict["OPTIONS"].items() if key != "pool"}
    made.settings_dict = {**made.settings_dict, "OPTIONS": options}
    return made


def in_byte_order(field: str) -> Collate:
    """Return an ordering that does not depend on the database or its language."""
    return Collate(field, "BINARY" if connection.vendor == "sqlite" else "C")


@contextmanager
def snapshot() -> Iterator[None]:
    """Read a consistent snapshot of the database while other processes write."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # Not `atomic`, which would take the writer's lock.
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
            return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def writing() -> Iterator[None]:
    """Open an atomic write transaction."""
    try:
        with _WRITER if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
            yield
    except (InterfaceError, OperationalError):
        _REFUSED.set()
        raise
    _REFUSED.clear()


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether an error means that a disk of the app or of its database is full."""
    text = str(error).lower()
    return any(words in text for words in _FULL)


def was_refused() -> bool:
    """Return whether the last write transaction of this process failed."""
    return _REFUSED.is_set()
