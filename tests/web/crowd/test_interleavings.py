"""Every pair of operations through all interleavings at their statements, and a crash at each.

One operation is stopped before its n-th statement, for every n; another one runs until it is done
or waits for the first; then the first goes on. A checker of histories is the oracle: what was
acknowledged is there, once, under its doc, what was refused is not, and `verify` finds nothing, so
nothing changed after a close.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from threading import Condition, Thread, get_ident
from typing import Any

import pytest

# `benchmarks/races.py` stops before every statement.
STEP = 1 if "QRELSMITH_TRIES" in os.environ else 0


class Crash(BaseException):
    """A process that ends at once."""


@dataclass
class Actor:
    """An operation in a thread of its own that can be stopped before a statement of it."""

    name: str
    work: Callable[[], Any]
    stop_at: int | None = None
    crash_at: int | None = None
    result: Any = None
    statements: int = 0
    state: str = "new"
    changed: Condition = field(default_factory=Condition)
    thread: Thread | None = None

    def start(self) -> str:
        """Run until it is stopped, waits for another one, or is over; which of these."""
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()
        return self._wait()

    def go_on(self) -> None:
        """Run on after a stop, until it is over or waits for another one."""
        with self.changed:
            if self.state == "stopped":
                self.state = "running"
                self.changed.notify_all()
                self._wait()

    def join(self) -> None:
        """Wait until it is over."""
        assert self.thread is not None
        self.thread.join(timeout=60)
        assert not self.thread.is_alive(), f"{self.name} hangs"

    def tell(self, state: str) -> None:
        with self.changed:
            self.state = state
            self.changed.notify_all()

    def _wait(self) -> str:
        with self.changed:
            done = self.changed.wait_for(
                lambda: self.state in ("stopped", "waiting", "over"), timeout=60
            )
            assert done, f"{self.name} hangs"
            return self.state

    def _run(self) -> None:
        from django.db import connection, connections

        from qrelsmith.web.core.submissions import RefusedError
        from qrelsmith.web.crowd.finishing import UnfinishedError

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
        if number == self.crash_at:
            raise Crash
        with self.changed:
            if number == self.stop_at:
                self.state = "stopped"
                self.changed.notify_all()
                self.changed.wait_for(lambda: self.state == "running", timeout=120)
        return execute(sql, params, many, context)


ACTORS: dict[int, Actor] = {}


class TellingLock:
    """The writer's lock of SQLite; whoever has to wait for it says so first."""

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
class World:
    """A campaign with a topic that is judged, and HITs of docs and of pairs that are complete."""

    folder: Path
    kept: Path
    operations: dict[str, Callable[[], Any]]

    def reset(self) -> None:
        """Bring the database back to how it was."""
        from django.db import connections

        connections.close_all()
        target = self.folder / ".qrelsmith" / "app.sqlite3"
        for suffix in ("-wal", "-shm"):
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        shutil.copyfile(self.kept, target)


def op_id_of(name: str) -> str:
    return f"operation-of-{name}"


def violations(actors: Sequence[Actor]) -> list[str]:
    """What is wrong with the database after some operations, as its history."""
    from qrelsmith.web.core.subjects import subject_of
    from qrelsmith.web.core.submissions import Accepted, RefusedError
    from qrelsmith.web.models import Event, PreferenceEvent
    from qrelsmith.web.verification.whole import verified

    found = [sentence for check in verified() for sentence in check.examples]
    for actor in actors:
        given = op_id_of(actor.name)
        there = [(event.op_id, event.value) for event in Event.objects.filter(op_id=given)] + [
            (event.op_id, event.outcome) for event in PreferenceEvent.objects.filter(op_id=given)
        ]
        result = actor.result
        if isinstance(result, Accepted):
            value = getattr(result.event, subject_of(result.event).value)
            if there != [(given, value)]:
                found.append(f"{actor.name} was acknowledged, but there is {there}")
        elif isinstance(result, RefusedError) and there:
            found.append(f"{actor.name} was refused ({result.reason}), but is there")
        elif isinstance(result, Exception) and not is_refusal(result):
            found.append(f"{actor.name} failed: {result!r}")
    return found


_REFUSALS = ("RefusedError", "UnfinishedError")


def is_refusal(error: Exception) -> bool:
    """Whether an operation was refused as it should be; an import is, once its topic is closed."""
    return type(error).__name__ in _REFUSALS or "was closed here" in str(error)


@pytest.fixture
def world(lite_app: Any, make_crowd: Any, again: Any, at_work: Any, monkeypatch: Any) -> World:
    from django.db import connection, connections

    from qrelsmith.web.core import database
    from qrelsmith.web.core.closing import close_assignment
    from qrelsmith.web.core.database import writing
    from qrelsmith.web.crowd.finishing import exclude, hand_in
    from qrelsmith.web.exporting.folder import WantedExport, export
    from qrelsmith.web.models import Account
    from qrelsmith.web.project import current_instance
    from qrelsmith.web.records.folder import import_all_records
    from qrelsmith.web.verification.whole import rebuilt

    b1 = at_work(lite_app)
    b1.judge(1, 1)
    b1.judge(2, 2)
    pairs = make_crowd(lite_app, "pairs", "mturk", training=False)
    docs = again(lite_app, "docs", "prolific")
    pair_sitting = finished_sitting(pairs, 1)
    doc_sitting = finished_sitting(docs, 2)

    def close() -> None:
        with writing():
            close_assignment(b1.assignment.pk)

    def shut_out() -> None:
        with writing():
            Account.objects.filter(assessor=b1.assessor).update(is_active=False)

    first, second, third = (b1.doc(position) for position in (1, 2, 3))
    operations = {
        "change": partial(send_grade, "change", first, 0, b1.assessor),
        "change-too": partial(send_grade, "change-too", first, 2, b1.assessor),
        "judge": partial(send_grade, "judge", third, 1, b1.assessor),
        "undo": partial(take_back, "undo", second, b1.assessor),
        "close": close,
        "shut-out": shut_out,
        "rebuild": rebuilt,
        "pair": partial(send_pair, "pair", pair_sitting),
        "pair-undo": partial(take_back_pair, "pair-undo", pair_sitting),
        "pair-hand-in": lambda: hand_in(pair_sitting),
        "pair-exclude": lambda: exclude(pair_sitting.worker, "a script"),
        "doc": partial(send_doc, "doc", doc_sitting),
        "doc-undo": partial(take_back_doc, "doc-undo", doc_sitting),
        "doc-hand-in": lambda: hand_in(doc_sitting),
        "doc-exclude": lambda: exclude(doc_sitting.worker, "a script"),
    }
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connections.close_all()
    kept = lite_app.folder / "kept.sqlite3"
    shutil.copyfile(lite_app.folder / ".qrelsmith" / "app.sqlite3", kept)
    # What comes in has one judgment that is not here.
    b1.judge(4, 2)
    export(current_instance().campaign, lite_app.folder / "out", WantedExport())
    records = lite_app.folder / "out" / "app"
    operations["import"] = lambda: import_all_records(records, docs_beside=None, is_dry=False)
    world = World(lite_app.folder, kept, operations)
    world.reset()
    monkeypatch.setattr(database, "_WRITER", TellingLock(database._WRITER))
    return world


# Operations that touch the same things.
GRADED = ("change", "change-too", "judge", "undo", "close", "shut-out", "rebuild", "import")
PAIRED = ("pair", "pair-undo", "pair-hand-in", "pair-exclude", "rebuild")
DOCS = ("doc", "doc-undo", "doc-hand-in", "doc-exclude", "rebuild")


def finished_sitting(crowd: Any, number: int) -> Any:
    """The sitting of a new worker in which everything is answered well, not handed in."""
    from qrelsmith.topk.crowd.platforms import Arrival
    from qrelsmith.web.core.submissions import JudgmentSubmission, PairSubmission
    from qrelsmith.web.crowd.claims import take_hit
    from qrelsmith.web.crowd.progress import pairs_of
    from qrelsmith.web.crowd.sittings import account_of_worker, begin
    from qrelsmith.web.graded.assigned import listed_docs
    from qrelsmith.web.graded.events import judge
    from qrelsmith.web.models import DocVersion, Sitting
    from qrelsmith.web.pairs.events import judge_pair

    sitting = begin(crowd.batch, Arrival(f"A{number:023}", f"REFERENCE{number:06}"), own=None)
    account_of_worker(sitting.worker)
    hit = take_hit(sitting)
    assert hit is not None
    assessor = sitting.worker.assessor
    for doc in listed_docs().filter(assignment=hit.assignment_id) if hit.assignment_id else ():
        given = JudgmentSubmission(f"answer-{number}-{doc.pk}", doc.pk, 0, doc.current_sha256, 0)
        judge(given, hit.assignment_id, assessor=assessor)
    digests = dict(DocVersion.objects.values_list("doc", "sha256"))
    for task in pairs_of(hit):
        outcome = {"left": -1, "right": 1, "": 1}[task.better]
        shown = (digests[task.left_id], digests[task.right_id])
        answer = PairSubmission(f"answer-{number}-{task.pk}", task.pk, outcome, *shown, 0)
        judge_pair(answer, task.contest_id, assessor=assessor)
    return Sitting.objects.select_related("worker__assessor", "hit").get(pk=sitting.pk)


def send_grade(name: str, doc: Any, value: float, assessor: Any) -> Any:
    from qrelsmith.web.core.submissions import JudgmentSubmission
    from qrelsmith.web.graded.events import judge

    given = JudgmentSubmission(op_id_of(name), doc.pk, value, doc.current_sha256, doc.revision)
    return judge(given, doc.assignment_id, assessor=assessor)


def take_back(name: str, doc: Any, assessor: Any) -> Any:
    from qrelsmith.web.graded.events import undo

    return undo(op_id_of(name), doc.assignment_id, assessor=assessor)


def send_doc(name: str, sitting: Any) -> Any:
    from qrelsmith.web.graded.assigned import listed_docs

    doc = listed_docs().filter(assignment=sitting.hit.assignment_id).order_by("position")[0]
    return send_grade(name, doc, 2, sitting.worker.assessor)


def take_back_doc(name: str, sitting: Any) -> Any:
    from qrelsmith.web.graded.events import undo

    return undo(op_id_of(name), sitting.hit.assignment_id, assessor=sitting.worker.assessor)


def send_pair(name: str, sitting: Any) -> Any:
    from qrelsmith.web.core.submissions import PairSubmission
    from qrelsmith.web.models import PairTask
    from qrelsmith.web.pairs.events import judge_pair

    task = PairTask.objects.filter(hit=sitting.hit.key, purpose="search").order_by("pk")[0]
    given = PairSubmission(
        op_id_of(name), task.pk, -1, task.left_sha256, task.right_sha256, task.revision
    )
    return judge_pair(given, task.contest_id, assessor=sitting.worker.assessor)


def take_back_pair(name: str, sitting: Any) -> Any:
    from qrelsmith.web.models import PairTask
    from qrelsmith.web.pairs.events import undo_pair

    task = PairTask.objects.filter(hit=sitting.hit.key).order_by("pk")[0]
    return undo_pair(op_id_of(name), task.contest_id, assessor=sitting.worker.assessor)


def interleaved(world: World, names: Sequence[str], stops: Sequence[int]) -> tuple[int, list[str]]:
    """How many of the operations were stopped, one within the other, and what was wrong then."""
    world.reset()
    actors = [
        Actor(name, world.operations[name], stop_at=stop)
        for name, stop in zip(names, [*stops, None], strict=True)
    ]
    stopped = sum(actor.start() == "stopped" for actor in actors)
    for actor in actors:
        # Whoever waits would stop with the lock, after the last look at who is stopped.
        if actor.state == "waiting":
            actor.stop_at = None
    for actor in reversed(actors):
        actor.go_on()
    for actor in actors:
        actor.join()
    return stopped, violations(actors)


def crashed(world: World, name: str, at: int) -> tuple[bool, list[str]]:
    """Whether an operation came to a statement, where it crashed; what was wrong after a retry."""
    world.reset()
    first = Actor(name, world.operations[name], crash_at=at)
    first.start()
    first.join()
    wrong = violations([first])
    again = Actor(name, world.operations[name])
    again.start()
    again.join()
    return isinstance(first.result, Crash), wrong + violations([again])


def pair_schedules(world: World, names: Sequence[str], step: int) -> Iterator[str]:
    """Run all interleavings of each two operations, every `step`-th stop; what is wrong.

    Yields an empty text for each schedule in which nothing is.
    """
    step = STEP or step
    for first, second in product(names, repeat=2):
        if first == second:
            continue
        # Each pair begins elsewhere, so that few schedules still stop at every place.
        at = (names.index(first) + names.index(second)) % step
        while True:
            stopped, wrong = interleaved(world, (first, second), (at,))
            if not stopped:
                break
            yield "; ".join(f"{first}|{at}|{second}: {each}" for each in wrong)
            at += step


@pytest.mark.parametrize("step", [9, pytest.param(3, marks=pytest.mark.full)])
@pytest.mark.parametrize("names", [GRADED, PAIRED, DOCS], ids=["graded", "pairs", "docs"])
def test_two_operations_in_every_order_leave_what_they_said(
    world: World, names: Sequence[str], step: int, record_property: Any
) -> None:
    schedules = list(pair_schedules(world, names, step))
    record_property("schedules", len(schedules))
    print(f"{len(schedules)} schedules")
    assert len(schedules) > 20
    assert [each for each in schedules if each] == []


@pytest.mark.parametrize("step", [8, pytest.param(3, marks=pytest.mark.full)])
def test_a_crash_at_any_statement_loses_and_doubles_nothing(world: World, step: int) -> None:
    crashes, wrong, step = 0, [], STEP or step
    for place, name in enumerate(world.operations):
        at = place % step
        while True:
            is_crash, faults = crashed(world, name, at)
            wrong += faults
            if not is_crash:
                break
            crashes += 1
            at += step
    print(f"{crashes} crashes")
    assert crashes > 20
    assert wrong == []


@pytest.mark.full
@pytest.mark.parametrize("names", [GRADED, PAIRED, DOCS], ids=["graded", "pairs", "docs"])
def test_three_operations_one_within_the_other(world: World, names: Sequence[str]) -> None:
    rng = random.Random(0)
    wrong = []
    for _ in range(int(os.environ.get("QRELSMITH_TRIES", "30"))):
        chosen = rng.sample(names, 3)
        stops = (rng.randrange(18), rng.randrange(18))
        wrong += interleaved(world, chosen, stops)[1]
    assert wrong == []


def check_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bug of 0.1.0: whether the topic is open is looked at before the transaction."""
    from qrelsmith.web.graded import events

    look, checked = events.check_assignment, events.DocAcceptor.label_from

    def early(self: Any, submission: Any, doc: Any) -> Any:
        look(doc)
        return checked(self, submission, doc)

    monkeypatch.setattr(events.DocAcceptor, "label_from", early)
    monkeypatch.setattr(events, "check_assignment", lambda _: None)


def no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgment is written without lock and transaction."""
    from qrelsmith.web.core import accepting

    monkeypatch.setattr(accepting, "writing", nullcontext)


@pytest.mark.parametrize("plant", [check_before, no_lock])
def test_a_planted_bug_is_found(
    world: World, plant: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    faults = [
        fault for at in range(16) for fault in interleaved(world, ("change", "close"), (at,))[1]
    ]
    assert any("came after topic q1 of b1 was closed" in each for each in faults), faults
