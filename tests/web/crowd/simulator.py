"""A simulator of concurrent operations: one operation stops or crashes before a statement.

Meanwhile, another operation runs until it ends or waits for the first; then the first continues.
The simulator works on both databases: on SQLite an operation reports that it waits, on PostgreSQL
the database is queried.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread, get_ident
from typing import Any

from django.db import connection, connections

from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.crowd.finishing import UnfinishedError
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import DeskEvent
from qrelsmith.web.verification.whole import verified

# Number of checks whether an operation waits for a lock.
_LOOK_S = 0.02
# An operation that reaches no statement for this time waits for an unreported lock.
_LONG_S = 3.0
# An operation without progress for this time hangs.
_HANGS_S = 90.0


class Crash(BaseException):
    """A process that ends at once."""


@dataclass(frozen=True)
class Acknowledged:
    """An acknowledged judgment in the log: its value, and its item."""

    value: float | None
    of: int


@dataclass
class Actor:
    """An operation in a separate thread that can be stopped before one of its statements."""

    name: str
    work: Callable[[], Any]
    is_blocked: Callable[[Actor], bool]
    stop_at: int | None = None
    crash_at: int | None = None
    result: Any = None
    statements: int = 0
    state: str = "new"
    changed: Condition = field(default_factory=Condition)
    thread: Thread | None = None
    moved_at: float = 0.0

    def start(self) -> str:
        """Run until the operation stops, waits for another one, or ends; return which of these."""
        self.moved_at = time.monotonic()
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()
        return self._wait()

    def go_on(self) -> None:
        """Continue after a stop, until the operation ends or waits for another one."""
        with self.changed:
            if self.state != "stopped":
                return
            self.moved_at = time.monotonic()
            self.state = "running"
            self.changed.notify_all()
        self._wait()

    def join(self) -> None:
        """Wait until the operation ends."""
        assert self.thread is not None
        self.thread.join(timeout=_HANGS_S)
        assert not self.thread.is_alive(), f"{self.name} hangs"

    def tell(self, state: str) -> None:
        with self.changed:
            self.state = state
            self.changed.notify_all()

    def _wait(self) -> str:
        while True:
            with self.changed:
                if self.changed.wait_for(
                    lambda: self.state in ("stopped", "waiting", "over"), timeout=_LOOK_S
                ):
                    return self.state
            is_late = time.monotonic() - self.moved_at > _LONG_S
            if is_late or self.is_blocked(self):
                with self.changed:
                    if self.state in ("new", "running"):
                        self.state = "waiting"

    def _run(self) -> None:
        ACTORS[get_ident()] = self
        try:
            with connection.execute_wrapper(self._statement):
                self.result = self.work()
        except (RefusedError, UnfinishedError) as error:
            self.result = error
        except Crash:
            self.result = Crash()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told as a violation
            self.result = error
        finally:
            del ACTORS[get_ident()]
            connections.close_all()
            self.tell("over")

    def _statement(self, execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        number, self.statements = self.statements, self.statements + 1
        self.moved_at = time.monotonic()
        if number == self.crash_at:
            raise Crash
        with self.changed:
            if number == self.stop_at:
                self.state = "stopped"
                self.changed.notify_all()
                self.changed.wait_for(lambda: self.state == "running", timeout=2 * _HANGS_S)
        return execute(sql, params, many, context)


ACTORS: dict[int, Actor] = {}


class TellingLock:
    """The writer's lock of SQLite; an operation that has to wait reports this first."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            actor = ACTORS.get(get_ident())
            if actor is not None:
                actor.tell("waiting")
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@dataclass
class LiteWorld:
    """A saved campaign on SQLite, and the operations on it."""

    folder: Path
    operations: dict[str, Callable[[], Any]] = field(default_factory=dict)

    @property
    def _database(self) -> Path:
        return self.folder / ".qrelsmith" / "app.sqlite3"

    def keep(self) -> None:
        """Save the database."""
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connections.close_all()
        shutil.copyfile(self._database, self.folder / "kept.sqlite3")

    def reset(self) -> None:
        """Restore the saved database."""
        connections.close_all()
        for suffix in ("-wal", "-shm"):
            self._database.with_name(self._database.name + suffix).unlink(missing_ok=True)
        shutil.copyfile(self.folder / "kept.sqlite3", self._database)
        drop_backups(self.folder)

    def is_blocked(self, _: Actor) -> bool:
        """Return whether the operation has reported that it waits."""
        return False


@dataclass
class ServerWorld:
    """The same on PostgreSQL."""

    folder: Path
    server: str
    name: str
    operations: dict[str, Callable[[], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import psycopg

        self.admin = psycopg.connect(f"{self.server}/postgres", autocommit=True)

    def keep(self) -> None:
        """Save the database."""
        self._copy(self.name, f"{self.name}_kept")

    def reset(self) -> None:
        """Restore the saved database."""
        self._drop(self.name)
        self._copy(f"{self.name}_kept", self.name)
        drop_backups(self.folder)

    def close(self) -> None:
        """Restore the server's settings."""
        self._drop(f"{self.name}_kept")
        self.admin.close()

    def is_blocked(self, actor: Actor) -> bool:
        """Return whether more connections wait for a lock than operations have reported."""
        known = sum(each.state == "waiting" for each in ACTORS.values() if each is not actor)
        found = self.admin.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = %s AND cardinality(pg_blocking_pids(pid)) > 0",
            [self.name],
        ).fetchone()
        return found is not None and found[0] > known

    def _copy(self, source: str, target: str) -> None:
        connections.close_all()
        self.admin.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}" STRATEGY FILE_COPY')

    def _drop(self, name: str) -> None:
        self.admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


World = LiteWorld | ServerWorld


def drop_backups(folder: Path) -> None:
    """Delete the backups of restores."""
    shutil.rmtree(folder / ".qrelsmith" / "backups", ignore_errors=True)


def op_id_of(name: str) -> str:
    return f"operation-of-{name}"


_REFUSALS = ("RefusedError", "UnfinishedError", "BatchRefusedError")
# The app's refusals while it is busy; an import is refused once its topic is closed.
_TURNED_AWAY = ("was closed here", "is being restored", "is in use by")


def is_refusal(error: Any) -> bool:
    """Return whether an operation was refused with an expected error."""
    return type(error).__name__ in _REFUSALS or (
        isinstance(error, Exception) and any(words in str(error) for words in _TURNED_AWAY)
    )


def recorded(op_id: str) -> list[Acknowledged]:
    """Return the events of an operation in the logs of all kinds; a form adds a digit to its id."""
    tables = [(kind.events, kind.value, kind.unit) for kind in KINDS]
    return [
        Acknowledged(*row)
        for events, *columns in [*tables, (DeskEvent, "value", "doc")]
        for row in events.objects.filter(op_id__in=(op_id, f"{op_id}0")).values_list(*columns)
    ]


def falsely_blind() -> list[str]:
    """Return the verdicts that count as blind although their adjudicator had seen the labels."""
    said = DeskEvent.objects.filter(kind="adjudicated", is_blind=True)
    return [
        f"{verdict.op_id} is called blind"
        for verdict in said
        if DeskEvent.objects.filter(
            kind="revealed", by=verdict.by, topic=verdict.topic_id, doc=verdict.doc_id,
            aspect=verdict.aspect, pk__lt=verdict.pk,
        ).exists()
    ]  # fmt: skip


def violations(actors: Sequence[Actor], *, replaced: Sequence[Actor] = ()) -> list[str]:
    """Return errors in the database after some operations, given its history.

    The operations `replaced` ended before a restoration began, which removed their effects.
    """
    found = [sentence for check in verified() for sentence in check.examples] + falsely_blind()
    for actor in actors:
        there = recorded(op_id_of(actor.name))
        result = actor.result
        if isinstance(result, Acknowledged):
            expected = [] if actor in replaced else [result]
            if there != expected:
                found.append(f"{actor.name} was acknowledged, but there is {there}")
        elif is_refusal(result):
            if there:
                found.append(f"{actor.name} was refused ({result}), but is there")
        elif isinstance(result, Exception):
            found.append(f"{actor.name} failed: {result!r}")
    return found


def interleaved(world: World, names: Sequence[str], stops: Sequence[int]) -> tuple[int, list[str]]:
    """Return how many of the operations were stopped, one within the other, and the errors then."""
    world.reset()
    actors = [
        Actor(name, world.operations[name], world.is_blocked, stop_at=stop)
        for name, stop in zip(names, [*stops, None], strict=True)
    ]
    stopped = 0
    over_before: dict[str, list[Actor]] = {}
    for actor in actors:
        over_before[actor.name] = [each for each in actors if each.state == "over"]
        stopped += actor.start() == "stopped"
    for actor in actors:
        # A waiting operation would stop with the lock after the last check of stopped operations.
        if actor.state == "waiting":
            actor.stop_at = None
    for actor in reversed(actors):
        actor.go_on()
    for actor in actors:
        actor.join()
    restored = [each for each in actors if type(each.result).__name__ == "Restored"]
    replaced = [each for actor in restored for each in over_before[actor.name]]
    return stopped, violations(actors, replaced=replaced)


def crashed(world: World, name: str, at: int) -> tuple[bool, list[str]]:
    """Return whether an operation crashed at a statement, and the errors after a retry."""
    world.reset()
    first = Actor(name, world.operations[name], world.is_blocked, crash_at=at)
    first.start()
    first.join()
    wrong = violations([first])
    again = Actor(name, world.operations[name], world.is_blocked)
    again.start()
    again.join()
    return isinstance(first.result, Crash), wrong + violations([again])
