"""The lock of an app in use: shared by servers and commands, exclusive for a restore.

The operating system releases the lock when a process ends, for any reason.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.server_settings import ServerSettings, server_settings
from qrelsmith.io.writing import write_text
from qrelsmith.web.core.database import separate_connection
from qrelsmith.web.instance import Instance
from qrelsmith.web.project import current_instance

# On SQLite a lock file; on PostgreSQL a number that no other program locks in the database.
SERVED = "served"
_SERVED = 0x51525345


@contextmanager
def hold_in_use(instance: Instance) -> Iterator[None]:
    """Hold the shared lock for a server or a command.

    Raises
    ------
    InputError
        If the app is being restored, or its folder cannot be written.
    """
    with _hold(instance, shared=True, problem="is being restored; try again after the restore"):
        yield


def note_address(address: str) -> None:
    """Save the address under which the app is served, for links in the output of other commands."""
    place = current_instance().address
    current_instance().make_private(place)
    write_text(place, address + "\n")


def app_address() -> str:
    """Return the address under which the app was last served, or the configured address."""
    instance = current_instance()
    settings = server_settings(instance.campaign.server)
    if settings.public_url or not instance.address.exists():
        return settings.address
    return instance.address.read_text(encoding="utf-8").strip()


def is_address_known() -> bool:
    """Return whether the app's address was configured, or saved when it was served."""
    instance = current_instance()
    declared = server_settings(instance.campaign.server)
    return instance.address.exists() or declared.address != ServerSettings().address


@contextmanager
def not_served(instance: Instance) -> Iterator[None]:
    """Hold the exclusive lock, so that no server and no other command can use the app.

    Raises
    ------
    InputError
        If a server or command is running.
    """
    problem = (
        "is in use by a server or a command; stop that process first, or new judgments would be"
        " lost"
    )
    with _hold(instance, shared=False, problem=problem):
        yield


@contextmanager
def _hold(instance: Instance, *, shared: bool, problem: str) -> Iterator[None]:
    if instance.database is None:
        with _file_held(instance, shared=shared, problem=problem):
            yield
        return
    # A separate connection: the connections of requests and of the restore are closed meanwhile.
    connection = separate_connection()
    try:
        with connection.cursor() as cursor:
            kind = "_shared" if shared else ""
            cursor.execute(
                f"SELECT pg_try_advisory_lock{kind}(%s)", [instance.lock_number(_SERVED)]
            )
            if not cursor.fetchone()[0]:
                raise InputError(problem, path=instance.campaign.folder)
        yield
    finally:
        connection.close()


@contextmanager
def _file_held(instance: Instance, *, shared: bool, problem: str) -> Iterator[None]:
    path = instance.folder / SERVED
    instance.make_private(path)
    try:
        lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot be locked: {error}", path=path) from None
    with closing(lock):
        try:
            if shared:
                lock.execute("BEGIN")
                # The transaction keeps the lock of its first read.
                lock.execute("SELECT count(*) FROM sqlite_master").fetchall()
            else:
                lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise InputError(f"cannot be locked: {error}", path=path) from None
            raise InputError(problem, path=instance.campaign.folder) from None
        yield
