"""Every pair of operations through all interleavings at their statements, and a crash at each.

`simulator` stops one operation before its n-th statement, for every n; another one runs meanwhile.
A checker of histories is the oracle: what was acknowledged is there, once, under its doc, what was
refused is not, and `verify` finds nothing, so nothing changed after a close.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from tests.web.crowd.simulator import (
    LiteWorld,
    ServerWorld,
    TellingLock,
    World,
    crashed,
    interleaved,
    op_id_of,
)

# `benchmarks/races.py` stops before more statements, and tries more threes.
IS_LARGE = "QRELSMITH_TRIES" in os.environ
THREES = int(os.environ.get("QRELSMITH_TRIES", "30"))


def sweeps(often: int, seldom: int) -> list[Any]:
    """Databases, and before every which statement an operation is stopped there."""
    full = pytest.mark.full
    if IS_LARGE:
        return [("sqlite", 2), ("postgresql", 2)]
    return [
        ("sqlite", seldom),
        pytest.param("sqlite", often, marks=full),
        pytest.param("postgresql", seldom, marks=full),
    ]


@pytest.fixture
def world(
    app: Any,
    database: str,
    make_crowd: Any,
    again: Any,
    at_work: Any,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[World]:
    """A campaign with a topic that is judged, and HITs of docs and of pairs that are complete."""
    from qrelsmith.web.core import database as core_database
    from qrelsmith.web.exporting.folder import WantedExport, export
    from qrelsmith.web.maintenance.backup import back_up
    from qrelsmith.web.project import current_instance

    b1 = at_work(app)
    b1.judge(1, 1)
    b1.judge(2, 2)
    pairs = make_crowd(app, "pairs", "mturk", training=False)
    docs = again(app, "docs", "prolific")
    pair_sitting = finished_sitting(pairs, 1)
    doc_sitting = finished_sitting(docs, 2)
    world: World
    if database == "sqlite":
        world = LiteWorld(app.folder)
        monkeypatch.setattr(core_database, "_WRITER", TellingLock(core_database._WRITER))
    else:
        named = current_instance().database
        assert named is not None
        world = ServerWorld(app.folder, request.getfixturevalue("postgres"), named.name)
    world.operations |= at_the_server(answers(b1, pair_sitting, doc_sitting))
    world.operations |= commands(app.folder / "out" / "app", back_up(app.folder / "backup"))
    world.keep()
    # What comes in has one judgment that is not here.
    b1.judge(4, 2)
    export(current_instance().campaign, app.folder / "out", WantedExport())
    world.reset()
    yield world
    if isinstance(world, ServerWorld):
        world.close()


def answers(b1: Any, pair_sitting: Any, doc_sitting: Any) -> dict[str, Callable[[], Any]]:
    """What a server does for those who judge, and for organisers."""
    from qrelsmith.web.core.closing import close_assignment
    from qrelsmith.web.core.database import writing
    from qrelsmith.web.crowd.finishing import exclude, hand_in
    from qrelsmith.web.models import Account

    def close() -> None:
        with writing():
            close_assignment(b1.assignment.pk)

    def shut_out() -> None:
        with writing():
            Account.objects.filter(assessor=b1.assessor).update(is_active=False)

    first, second, third = (b1.doc(position) for position in (1, 2, 3))
    return {
        "change": partial(send_grade, "change", first, 0, b1.assessor),
        "change-too": partial(send_grade, "change-too", first, 2, b1.assessor),
        "judge": partial(send_grade, "judge", third, 1, b1.assessor),
        "undo": partial(take_back, "undo", second, b1.assessor),
        "close": close,
        "shut-out": shut_out,
        "pair": partial(send_pair, "pair", pair_sitting),
        "pair-undo": partial(take_back_pair, "pair-undo", pair_sitting),
        "pair-hand-in": lambda: hand_in(pair_sitting),
        "pair-exclude": lambda: exclude(pair_sitting.worker, "a script"),
        "doc": partial(send_doc, "doc", doc_sitting),
        "doc-undo": partial(take_back_doc, "doc-undo", doc_sitting),
        "doc-hand-in": lambda: hand_in(doc_sitting),
        "doc-exclude": lambda: exclude(doc_sitting.worker, "a script"),
    }


def at_the_server(given: dict[str, Callable[[], Any]]) -> dict[str, Callable[[], Any]]:
    """Operations, each done by a server that is alive meanwhile."""
    from qrelsmith.web.core.alive import hold_in_use
    from qrelsmith.web.project import current_instance

    def done(work: Callable[[], Any]) -> Any:
        with hold_in_use(current_instance()):
            return work()

    return {name: partial(done, work) for name, work in given.items()}


def commands(records: Path, backup: Path) -> dict[str, Callable[[], Any]]:
    """What organisers do with commands, beside a server or without one."""
    from qrelsmith.web.core.database import alone
    from qrelsmith.web.maintenance.restore import restore
    from qrelsmith.web.project import current_instance
    from qrelsmith.web.records.folder import import_all_records
    from qrelsmith.web.verification.whole import rebuilt

    def bring_in() -> Any:
        with alone(current_instance()):
            return import_all_records(records, docs_beside=None, is_dry=False)

    return {"rebuild": rebuilt, "import": bring_in, "restore": lambda: restore(backup)}


# Operations that touch the same things.
GRADED = ("change", "change-too", "judge", "undo", "close", "shut-out", "rebuild", "import")
PAIRED = ("pair", "pair-undo", "pair-hand-in", "pair-exclude", "rebuild")
DOCS = ("doc", "doc-undo", "doc-hand-in", "doc-exclude", "rebuild")
# A restoration touches everything; each of these meets it.
RESTORED = ("judge", "pair", "doc-hand-in", "import")


def finished_sitting(crowd: Any, number: int) -> Any:
    """The sitting of a new worker in which everything is answered well, not handed in."""
    from qrelsmith.topk.crowd.platforms import Arrival
    from qrelsmith.web.core.submissions import JudgmentSubmission, PairSubmission
    from qrelsmith.web.crowd.claims import take_hit
    from qrelsmith.web.crowd.progress import pairs_of
    from qrelsmith.web.crowd.sittings import account_of_worker, begin
    from qrelsmith.web.graded.assigned import docs_of_lists
    from qrelsmith.web.graded.events import judge
    from qrelsmith.web.models import DocVersion, Sitting
    from qrelsmith.web.pairs.events import judge_pair

    sitting = begin(crowd.batch, Arrival(f"A{number:023}", f"REFERENCE{number:06}"), own=None)
    account_of_worker(sitting.worker)
    hit = take_hit(sitting)
    assert hit is not None
    assessor = sitting.worker.assessor
    for doc in docs_of_lists().filter(assignment=hit.assignment_id) if hit.assignment_id else ():
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
    from qrelsmith.web.graded.assigned import docs_of_lists

    doc = docs_of_lists().filter(assignment=sitting.hit.assignment_id).order_by("position")[0]
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


def pair_schedules(world: World, pairs: Iterable[tuple[str, str]], step: int) -> Iterator[str]:
    """Run all interleavings of each two operations, every `step`-th stop; what is wrong.

    Yields an empty text for each schedule in which nothing is.
    """
    for number, (first, second) in enumerate(pairs):
        # Each pair begins elsewhere, so that few schedules still stop at every place.
        at = number % step
        while True:
            stopped, wrong = interleaved(world, (first, second), (at,))
            if stopped or wrong:
                yield "; ".join(f"{first}|{at}|{second}: {each}" for each in wrong)
            if not stopped:
                break
            at += step


def told(what: str, count: int, database: str) -> None:
    """Print how many there were, for whoever writes it down."""
    print(f"{count} {what} on {database}")


@pytest.mark.parametrize(("database", "step"), sweeps(often=3, seldom=16))
@pytest.mark.parametrize("names", [GRADED, PAIRED, DOCS], ids=["graded", "pairs", "docs"])
def test_two_operations_in_every_order_leave_what_they_said(
    world: World, database: str, names: Sequence[str], step: int
) -> None:
    schedules = list(pair_schedules(world, permutations(names, 2), step))
    told("schedules of two", len(schedules), database)
    assert len(schedules) > 20
    assert [each for each in schedules if each] == []


@pytest.mark.full
def test_a_rebuilding_waits_for_what_is_under_way(world: World, database: str) -> None:
    pairs = [("judge", "rebuild"), ("undo", "rebuild"), ("pair", "rebuild"), ("judge", "import")]
    schedules = list(pair_schedules(world, pairs, 1))
    told("schedules with a rebuilding", len(schedules), database)
    assert len(schedules) > 20
    assert [each for each in schedules if each] == []


@pytest.mark.parametrize(("database", "step"), sweeps(often=9, seldom=25))
def test_a_restoration_meets_no_server_and_loses_nothing(
    world: World, database: str, step: int
) -> None:
    # A command waits for the other one until nothing has moved for seconds; servers are refused.
    names = [each for each in RESTORED if step < 25 or each != "import"]
    pairs = [pair for each in names for pair in ((each, "restore"), ("restore", each))]
    schedules = list(pair_schedules(world, pairs, step))
    told("schedules with a restoration", len(schedules), database)
    assert len(schedules) > 8
    assert [each for each in schedules if each] == []


# Who crashes leaves a cursor open.
@pytest.mark.filterwarnings("ignore:.*ServerSideCursor:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:.*ServerSideCursor:ResourceWarning")
@pytest.mark.parametrize(("database", "step"), sweeps(often=3, seldom=12))
def test_a_crash_at_any_statement_loses_and_doubles_nothing(
    world: World, database: str, step: int
) -> None:
    crashes, wrong = 0, []
    for place, name in enumerate(world.operations):
        at = place % step
        while True:
            is_crash, faults = crashed(world, name, at)
            wrong += faults
            if not is_crash:
                break
            crashes += 1
            at += step
    told("crashes", crashes, database)
    assert crashes > 20
    assert wrong == []


@pytest.mark.full
@pytest.mark.parametrize("names", [GRADED, PAIRED, DOCS], ids=["graded", "pairs", "docs"])
def test_three_operations_one_within_the_other(
    world: World, database: str, names: Sequence[str]
) -> None:
    rng = random.Random(0)
    wrong = []
    for _ in range(THREES):
        chosen = rng.sample(names, 3)
        stops = (rng.randrange(18), rng.randrange(18))
        wrong += interleaved(world, chosen, stops)[1]
    told("schedules of three", THREES, database)
    assert wrong == []


def check_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bug of 0.1.0: whether the topic is open is looked at before the transaction."""
    from qrelsmith.web.graded import events

    look, checked = events.check_assignment, events.DocAcceptor.label_from

    def early(self: Any, submission: Any, doc: Any) -> Any:
        with transaction.atomic():
            look(doc)
        return checked(self, submission, doc)

    monkeypatch.setattr(events.DocAcceptor, "label_from", early)
    monkeypatch.setattr(events, "check_assignment", lambda _: None)


def no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgment locks nothing: on SQLite no transaction, on PostgreSQL no row."""
    from django.db import connection
    from django.db.models import QuerySet

    from qrelsmith.web.core import accepting

    if connection.vendor == "sqlite":
        monkeypatch.setattr(accepting, "writing", nullcontext)
    else:
        monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_: self.all())


@pytest.mark.parametrize("plant", [check_before, no_lock])
def test_a_planted_bug_is_found(
    world: World, plant: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    faults = [
        fault for at in range(16) for fault in interleaved(world, ("change", "close"), (at,))[1]
    ]
    assert any("came after topic q1 of b1 was closed" in each for each in faults), faults
