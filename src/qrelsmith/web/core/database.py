"""Transactions that write."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext

from django.db import InterfaceError, OperationalError, connection, connections, transaction
from django.db.models.functions import Collate

from qrelsmith.base.errors import InputError
from qrelsmith.web.instance import Instance

# SQLite has one writer at a time. Threads of this process wait here, in turn and without polling;
# other processes wait for BEGIN IMMEDIATE.
_WRITER = threading.RLock()
_REFUSED = threading.Event()


# What processes lock: on SQLite a file in the app's own folder, on PostgreSQL any number that no
# other program locks in the same database.
LOCK = "lock"
_ALONE = 0x5152454C
_LONG_S = 3600


@contextmanager
def exclusive_lock(instance: Instance) -> Iterator[None]:
    """Lock work that one process of a campaign does at a time: migrations, imports.

    Raises
    ------
    InputError
        If the folder cannot be written, or another one is not done for long.
    """
    if connection.vendor == "sqlite":
        # A database of its own: migrations and imports need transactions of theirs.
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
    # A connection of its own here, too: a restoration closes those that are open.
    lock_connection = connections.create_connection("default")
    try:
        with lock_connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [instance.lock_number(_ALONE)])
        yield
    finally:
        lock_connection.close()


def in_byte_order(field: str) -> Collate:
    """Return an ordering that is the same in every database, whatever its language."""
    return Collate(field, "BINARY" if connection.vendor == "sqlite" else "C")


@contextmanager
def snapshot() -> Iterator[None]:
    """Read a consistent snapshot of the database while others write."""
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
    """Open a transaction that writes all or nothing."""
    try:
        with _WRITER if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
            yield
    except (InterfaceError, OperationalError):
        _REFUSED.set()
        raise
    _REFUSED.clear()


def was_refused() -> bool:
    """Return whether the last transaction of this process could not be written."""
    return _REFUSED.is_set()
