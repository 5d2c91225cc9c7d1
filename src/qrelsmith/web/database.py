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
def writing() -> Iterator[None]:
    """A transaction that writes: all of it or nothing."""
    with _WRITER if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
        yield
