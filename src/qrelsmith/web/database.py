"""Transactions that write."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction
from django.db.models.functions import Collate

# SQLite has one writer at a time. Threads of this process wait here, in turn and without polling;
# other processes wait for BEGIN IMMEDIATE.
_WRITER = threading.RLock()


# Any number that no other program locks in the same database.
_ALONE = 0x5152454C


@contextmanager
def alone() -> Iterator[None]:
    """What one process does at a time, such as an import; others that want to do it wait."""
    if connection.vendor == "sqlite":
        # Its transactions that write are one at a time anyway, and look at what is there.
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_ALONE])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_ALONE])


def in_byte_order(field: str) -> Collate:
    """What to order by, so that the order is the same in every database, whatever its language."""
    return Collate(field, "BINARY" if connection.vendor == "sqlite" else "C")


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
