"""Whether an app is in use: a lock that servers and commands share and a restoration needs.

The system lets go of it when a process ends, however it ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from django.db import connections

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.server_settings import ServerSettings, server_settings
from qrelsmith.io.writing import write_text
from qrelsmith.web.instance import Instance
from qrelsmith.web.project import current_instance

# On SQLite a file of its own; on PostgreSQL a number that no other program locks in the database.
SERVED = "served"
_SERVED = 0x51525345


@contextmanager
def hold_in_use(instance: Instance) -> Iterator[None]:
    """Hold the app for a server or a command; there may be several.

    Raises
    ------
    InputError
        If the app is being restored, or its folder cannot be written.
    """
    with _hold(instance, shared=True, problem="is being restored; try again when that is done"):
        yield


def note_address(address: str) -> None:
    """Keep under which address the app is served, for links that other commands print."""
    place = current_instance().address
    current_instance().make_private(place)
    write_text(place, address + "\n")


def app_address() -> str:
    """Return the address under which the app was served last, or is to be served."""
    instance = current_instance()
    settings = server_settings(instance.campaign.server)
    if settings.public_url or not instance.address.exists():
        return settings.address
    return instance.address.read_text(encoding="utf-8").strip()


def is_address_known() -> bool:
    """Return whether the address of the app was declared, or noted when it was served."""
    instance = current_instance()
    declared = server_settings(instance.campaign.server)
    return instance.address.exists() or declared.address != ServerSettings().address


@contextmanager
def not_served(instance: Instance) -> Iterator[None]:
    """Hold the app while no server is alive and no command is at work in it.

    Raises
    ------
    InputError
        If one is.
    """
    problem = (
        "is being served, or a command is at work in it; stop that first, or what is judged now"
        " would be lost"
    )
    with _hold(instance, shared=False, problem=problem):
        yield


@contextmanager
def _hold(instance: Instance, *, shared: bool, problem: str) -> Iterator[None]:
    if instance.database is None:
        with _file_held(instance, shared=shared, problem=problem):
            yield
        return
    # A connection of its own: those of requests and of the restoration are closed meanwhile.
    connection = connections.create_connection("default")
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
                # The transaction keeps the lock of its first look.
                lock.execute("SELECT count(*) FROM sqlite_master").fetchall()
            else:
                lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise InputError(f"cannot be locked: {error}", path=path) from None
            raise InputError(problem, path=instance.campaign.folder) from None
        yield
