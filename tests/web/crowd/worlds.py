"""What may happen to a campaign at once, and schedules of two and of three operations.

A checker of histories is the oracle: what was acknowledged is there, once, under its doc, what was
refused is not, and `verify` finds nothing, so nothing changed after a close.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from tests.web.crowd.finished_hits import finished_sitting
from tests.web.crowd.simulator import (
    LiteWorld,
    ServerWorld,
    TellingLock,
    World,
    interleaved,
    op_id_of,
)

from qrelsmith.web.core import database as core_database
from qrelsmith.web.core.alive import hold_in_use
from qrelsmith.web.core.closing import close_assignment
from qrelsmith.web.core.database import exclusive_lock, writing
from qrelsmith.web.crowd.finishing import exclude, hand_in
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.graded.kind import JudgmentSubmission, judge, undo
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.maintenance.restore import restore
from qrelsmith.web.models import Account, PairTask
from qrelsmith.web.pairs.kind import PairSubmission, judge_pair, undo_pair
from qrelsmith.web.project import current_instance
from qrelsmith.web.records.folder import import_all_records
from qrelsmith.web.verification.whole import rebuilt

# `benchmarks/races.py` stops before more statements, and tries more threes.
IS_LARGE = "QRELSMITH_TRIES" in os.environ


THREES = int(os.environ.get("QRELSMITH_TRIES", "30"))


def sweeps(often: int, seldom: int) -> list[Any]:
    """Databases, and before every which statement an operation is stopped there."""
    # Slow, so that their files come first, and no worker ends with one.
    full = (pytest.mark.full, pytest.mark.slow)
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

    def done(work: Callable[[], Any]) -> Any:
        with hold_in_use(current_instance()):
            return work()

    return {name: partial(done, work) for name, work in given.items()}


def commands(records: Path, backup: Path) -> dict[str, Callable[[], Any]]:
    """What organisers do with commands, beside a server or without one."""

    def bring_in() -> Any:
        with exclusive_lock(current_instance()):
            return import_all_records(records, docs_beside=None, is_dry=False)

    return {"rebuild": rebuilt, "import": bring_in, "restore": lambda: restore(backup)}


def send_grade(name: str, doc: Any, value: float, assessor: Any) -> Any:
    given = JudgmentSubmission(op_id_of(name), doc.pk, value, doc.current_sha256, doc.revision)
    return judge(given, doc.assignment_id, assessor=assessor)


def take_back(name: str, doc: Any, assessor: Any) -> Any:
    return undo(op_id_of(name), doc.assignment_id, assessor=assessor)


def send_doc(name: str, sitting: Any) -> Any:
    doc = docs_of_lists().filter(assignment=sitting.hit.assignment_id).order_by("position")[0]
    return send_grade(name, doc, 2, sitting.worker.assessor)


def take_back_doc(name: str, sitting: Any) -> Any:
    return undo(op_id_of(name), sitting.hit.assignment_id, assessor=sitting.worker.assessor)


def send_pair(name: str, sitting: Any) -> Any:
    task = PairTask.objects.filter(hit=sitting.hit.key, purpose="search").order_by("pk")[0]
    given = PairSubmission(
        op_id_of(name), task.pk, -1, task.left_sha256, task.right_sha256, task.revision
    )
    return judge_pair(given, task.contest_id, assessor=sitting.worker.assessor)


def take_back_pair(name: str, sitting: Any) -> Any:
    task = PairTask.objects.filter(hit=sitting.hit.key).order_by("pk")[0]
    return undo_pair(op_id_of(name), task.contest_id, assessor=sitting.worker.assessor)


def schedules_of_two(
    world: World, pairs: Iterable[tuple[str, str]], step: int, *, what: str, at_least: int
) -> list[str]:
    """What is wrong after all interleavings of each two operations, at every `step`-th stop."""
    wrong, count = [], 0
    # A statement that an operation never comes to: a stop there would be none.
    beyond: dict[str, int] = {}
    for number, (first, second) in enumerate(pairs):
        # Each pair begins elsewhere, so that few schedules still stop at every place.
        at = number % step
        while at < beyond.get(first, at + 1):
            stopped, faults = interleaved(world, (first, second), (at,))
            wrong += [f"{first}|{at}|{second}: {fault}" for fault in faults]
            if not stopped:
                beyond[first] = at
                break
            count += 1
            at += step
    print_count(what, count)
    assert count > at_least
    return wrong


def schedules_of_three(world: World, names: Sequence[str]) -> list[str]:
    """What is wrong after some interleavings of three operations, one within the other."""
    rng = random.Random(0)
    wrong = []
    for _ in range(THREES):
        chosen = rng.sample(names, 3)
        wrong += interleaved(world, chosen, (rng.randrange(18), rng.randrange(18)))[1]
    print_count("schedules of three", THREES)
    return wrong


def print_count(what: str, count: int) -> None:
    """Print how many there were on this database, for whoever writes it down."""
    print(f"{count} {what} on {connection.vendor}")
