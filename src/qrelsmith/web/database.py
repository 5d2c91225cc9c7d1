"""Transactions that write."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

# SQLite has one writer at a time. Threads of this process wait here, in turn and without polling;
# other processes wait for BEGIN IMMEDIATE.
_WRITER = threading.RLock()


@contextmanager
def snapshot() -> Iterator[None]:
    """Reads that all see the database as it is now, while others go on writing."""
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
    """A transaction that writes: all of it or nothing."""
    with _WRITER if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
        yield
