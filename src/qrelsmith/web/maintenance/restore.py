"""Replacement of the database by a backup."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, connections

from qrelsmith.base.errors import InputError
from qrelsmith.io.text import FilePath
from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.core.alive import not_served
from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.database import exclusive_lock
from qrelsmith.web.core.stamp import adopt_identity, check_stamp, stamp_database
from qrelsmith.web.instance import Instance
from qrelsmith.web.maintenance.backup import back_up, backup_uri, copy_sqlite
from qrelsmith.web.maintenance.postgresql import run_program, schema_option
from qrelsmith.web.project import (
    current_instance,
    has_schema,
    make_schema,
    migrate,
    pending_migrations,
)
from qrelsmith.web.verification.whole import verified

_SQLITE_HEAD = b"SQLite format 3\x00"
_DUMP_HEAD = b"PGDMP"


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore.

    Attributes
    ----------
    before : Path or None
        The backup of the previous database; None if there was none.
    checks : list of Check
        The verification of the restored database.
    """

    before: Path | None
    checks: list[Check]


def restore(path: FilePath) -> Restored:
    """Replace the database with a backup, migrate it to this schema, and verify it.

    Raises
    ------
    InputError
        If the file is not a backup of this kind of database, or belongs to a newer program or
        another campaign, or if the app is in use. Nothing has changed in these cases.
    """
    instance = current_instance()
    source = Path(path)
    try:
        with source.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    wanted, what = (
        (_SQLITE_HEAD, "a SQLite database")
        if instance.database is None
        else (_DUMP_HEAD, "a dump of PostgreSQL")
    )
    if not head.startswith(wanted):
        raise InputError(f"this is not a backup of this app; expected {what}", path=path)
    if instance.database is None:
        _check_sqlite(source)
    # No simultaneous import: its data would be neither here nor in the backup of the old database.
    with not_served(instance), exclusive_lock(instance):
        return _restore(source, instance)


def _restore(source: Path, instance: Instance) -> Restored:
    before: Path | None = None
    topics: set[str] = set()
    has_judgments = False
    if has_schema():
        before, topics, has_judgments = back_up(), _topics(), _has_judgments()
    _put(source, instance)
    try:
        if not has_schema():
            raise InputError(
                "is a backup of a different PostgreSQL schema; write the name of that schema into"
                f" {instance.schema}",
                path=source,
            )
        is_older = bool(pending_migrations())
        others = _topics()
        if topics and others and topics.isdisjoint(others):
            raise InputError(
                "the backup belongs to another campaign with the topics "
                f"{', '.join(sorted(others)[:3])}, …; expected {', '.join(sorted(topics)[:3])}, …",
                path=source,
            )
        if not has_judgments:
            adopt_identity()
        elif not is_older:
            check_stamp()
    except InputError:
        if before is not None:
            _put(before, instance)
        raise
    if is_older:
        migrate()
    stamp_database()
    note_command("restore")
    return Restored(before, verified())


def _topics() -> set[str]:
    """Return the names of the topics; works for any schema version."""
    with connection.cursor() as cursor:
        if "qrelsmith_web_topic" not in connection.introspection.table_names(cursor):
            return set()
        cursor.execute("SELECT name FROM qrelsmith_web_topic")
        return {name for (name,) in cursor.fetchall()}


def _has_judgments() -> bool:
    """Return whether the database has judgments; works for any schema version."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for table in ("qrelsmith_web_event", "qrelsmith_web_preferenceevent"):
            if table in there:
                cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608 - names of ours
                if cursor.fetchone():
                    return True
    return False


def _put(source: Path, instance: Instance) -> None:
    """Replace the database with a backup."""
    if instance.database is not None:
        make_schema()
        # Older dumps lack these tables, and would leave the existing tables in place.
        with connection.cursor() as cursor:
            for table in ("stamp", "campaignhead", "modelreply"):
                cursor.execute(f"DROP TABLE IF EXISTS qrelsmith_web_{table}")
    connections.close_all()
    if instance.database is None:
        instance.protect_database()
        copy_sqlite(backup_uri(source), instance.sqlite)
    else:
        run_program(
            "pg_restore", instance.database, "--clean", "--if-exists", "--single-transaction",
            "--exit-on-error", "--no-owner", *schema_option(instance.database), str(source),
        )  # fmt: skip


def _check_sqlite(path: Path) -> None:
    """Raise an error if this is not a database of this app."""
    try:
        with closing(sqlite3.connect(backup_uri(path), uri=True)) as database:
            fault = database.execute("PRAGMA integrity_check").fetchone()[0]
            row = database.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'qrelsmith_web_event'"
            ).fetchone()[0]
    except sqlite3.Error as error:
        raise InputError(f"the database is damaged: {error}", path=path) from None
    if fault != "ok":
        raise InputError(f"is damaged: {fault.splitlines()[-1]}", path=path)
    if not row:
        raise InputError(
            "this is another program's database; expected a backup of the app", path=path
        )
