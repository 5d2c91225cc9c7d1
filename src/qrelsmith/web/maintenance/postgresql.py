"""The command-line programs of PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryFile

from qrelsmith.base.errors import InputError
from qrelsmith.web.database_url import Database

# Debian does not put the programs of all versions on the path.
_DEBIAN = Path("/usr/lib/postgresql")


def run_program(name: str, database: Database, *arguments: str) -> None:
    """Run a PostgreSQL program on a database; the password is passed in the environment.

    Raises
    ------
    InputError
        If the program is not installed, or fails.
    """
    password = dict(database.options).get("password") or database.password
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    for _ in program_lines(
        name, f"--dbname={_conninfo(database)}", *arguments, environment=environment
    ):
        pass


def program_lines(
    name: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Run a PostgreSQL program, and yield its output lines.

    Raises
    ------
    InputError
        If the program is not installed, or fails.
    """
    program = shutil.which(name) or _debian(name)
    if program is None:
        raise InputError(f"{name} is not installed. Install PostgreSQL's client programs")
    with (
        TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints,
        subprocess.Popen(  # noqa: S603 - a program of PostgreSQL, no shell
            [program, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            encoding="utf-8",
        ) as process,
    ):
        for line in process.stdout or ():
            yield line.rstrip("\n")
        if process.wait() != 0:
            complaints.seek(0)
            lines = complaints.read().strip().splitlines() or ["no reason given"]
            raise InputError(f"{name} failed: {lines[-1]}")


def schema_option(database: Database) -> list[str]:
    """Return the option that limits a dump or restore to the schema of a campaign."""
    return [f"--schema={database.schema}"] if database.schema else []


def _conninfo(database: Database) -> str:
    """Return the database as program arguments, without the password."""
    from psycopg.conninfo import make_conninfo

    given = {
        "dbname": database.name, "host": database.host, "port": database.port,
        "user": database.user, **dict(database.options),
    }  # fmt: skip
    return make_conninfo(
        **{name: str(value) for name, value in given.items() if value and name != "password"}
    )


def _debian(name: str) -> str | None:
    found = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(4))
    return str(found[-1]) if found else None
