"""Possible concurrent operations on a campaign, and schedules of two and three operations.

After each schedule, every acknowledged judgment must be in the log once, for its item, and no
refused judgment. `verify` must find no error, so nothing changed after a close.
"""

from __future__ import annotations

import json
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
    Acknowledged,
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
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.crowd.finishing import exclude, hand_in
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.desk.aspects import aspect_matter
from qrelsmith.web.desk.matters import Matter
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, reveal
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.instance import find_instance
from qrelsmith.web.judging.accepting import judge, person, undo
from qrelsmith.web.judging.kinds import kind_of
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.maintenance.restore import restore
from qrelsmith.web.model_assessors.labels import GivenLabel
from qrelsmith.web.model_assessors.recording import record
from qrelsmith.web.model_assessors.settings import GivenSetting
from qrelsmith.web.models import (
    Account,
    AnswerAspect,
    AnswerAssignment,
    Assessor,
    AssignedDoc,
    Assignment,
    DocVersion,
)
from qrelsmith.web.organiser.reassigning import reassign
from qrelsmith.web.project import current_instance, use
from qrelsmith.web.records.folder import import_all_records
from qrelsmith.web.site.parameters import submission_of
from qrelsmith.web.verification.whole import rebuilt

# `benchmarks/races.py` stops before more statements, and tries more sets of three.
IS_LARGE = "QRELSMITH_TRIES" in os.environ


# The additional data for the other kinds of judgment.
MORE_TOML = """\
challenge_aspects = 1

[aspects.criterion.fluency]
levels = [{ grade = 1 }, { grade = 2 }, { grade = 3 }]

[groups.llm]
role = "llm"
assessors = ["gpt-x"]
"""
# From this step on, stops are samples: `dev.py full` has all pairs and shorter steps.
SELDOM = 40
THREES = int(os.environ.get("QRELSMITH_TRIES", "30"))


def sweeps(often: int, seldom: int) -> list[Any]:
    """Return databases, and the statements before which an operation is stopped there."""
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
    crowd_toml: str,
    again: Any,
    at_work: Any,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[World]:
    """Return a campaign of all kinds: a judged topic, its answers, a model, three complete HITs."""
    b1 = at_work(app)
    b1.judge(1, 1)
    b1.judge(2, 2)
    pairs = make_crowd(app, "pairs", "mturk", training=False, toml=crowd_toml + MORE_TOML)
    add_answers(app.folder)
    docs = again(app, "docs", "prolific")
    add_place(app.folder)
    sittings = {
        "pair": finished_sitting(pairs, 1),
        "doc": finished_sitting(docs, 2),
        "aspect": finished_sitting(again(app, "answers", "prolific"), 3),
    }
    world: World
    if database == "sqlite":
        world = LiteWorld(app.folder)
        monkeypatch.setattr(core_database, "_WRITER", TellingLock(core_database._WRITER))
    else:
        named = current_instance().database
        assert named is not None
        world = ServerWorld(app.folder, request.getfixturevalue("postgres"), named.name)
    at_work_here = answers(b1) | of_hits(sittings) | other_kinds(app, b1)
    world.operations |= at_the_server(at_work_here)
    world.operations |= commands(app.folder / "out" / "app", back_up(app.folder / "backup"))
    world.keep()
    # The imported data has one judgment that is missing here.
    b1.judge(4, 2)
    export(current_instance().campaign, app.folder / "out", WantedExport())
    world.reset()
    yield world
    if isinstance(world, ServerWorld):
        world.close()


def answers(b1: Any) -> dict[str, Callable[[], Any]]:
    """Return the operations of a server for assessors and organisers."""

    def close() -> None:
        with writing():
            close_assignment(b1.assignment.pk)

    def shut_out() -> None:
        with writing():
            Account.objects.filter(assessor=b1.assessor).update(is_active=False)

    first, second, third = (b1.doc(position) for position in (1, 2, 3))
    return {
        "change": partial(send, "change", first, 0, b1.assessor),
        "change-too": partial(send, "change-too", first, 2, b1.assessor),
        "judge": partial(send, "judge", third, 1, b1.assessor),
        "undo": partial(take_back, "undo", second, b1.assessor),
        "close": close,
        "shut-out": shut_out,
    }


def of_hits(sittings: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """Return operations on a complete HIT of each kind; `pair`, `doc`, `aspect` change labels."""
    done: dict[str, Callable[[], Any]] = {}
    for name, sitting in sittings.items():
        kind = hit_kind(sitting.hit)
        keys = sorted(kind.items(sitting.hit).values_list("pk", flat=True))
        checks = kind.check_ranges(sitting.hit)
        changed = next(key for key in keys if key not in checks)
        done |= {
            name: partial(send_in_hit, name, sitting, changed, -1 if name == "pair" else 2),
            f"{name}-undo": partial(take_back_in_hit, f"{name}-undo", sitting, keys[0]),
            f"{name}-hand-in": partial(hand_in, sitting),
            f"{name}-exclude": partial(exclude, sitting.worker, "a script"),
        }
    return done


def add_place(folder: Path) -> None:
    """Open a HIT of an answer to topic q1; an aspect of the other answer is an attention check."""
    with (folder / "assignments.csv").open("a") as table:
        table.write("q1,,crowd,randomised,7,q1/answers,garden\n")
    known = "topic,run,aspect,lowest,highest\nq1,harbour,n1,1,2\n"
    (folder / "challenge_aspects.csv").write_text(known)


def add_answers(folder: Path) -> None:
    """Give topic q1 two answers, with nuggets, a citation and a criterion each; and import all."""
    answers = [
        {"topic_id": "q1", "run_id": run, "answer": [{"text": run, "citations": ["d00000"]}]}
        for run in ("garden", "harbour")
    ]
    aspects = [
        {"topic": "q1", "aspect": f"n{n}", "kind": "nugget", "text": f"Fact {n}."} for n in (1, 2)
    ]
    for name, rows in (("answers", answers), ("aspects", aspects)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    use(find_instance(folder))
    import_campaign(current_instance().campaign)


def other_kinds(app: Any, b1: Any) -> dict[str, Callable[[], Any]]:
    """Return the operations on answers, by a model, and by two adjudicators."""
    own = AnswerAssignment.objects.get(assessor=b1.assessor)
    rows = {
        family: AnswerAspect.objects.filter(assignment=own, family=family).order_by("pk")[0]
        for family in ("nugget", "citation", "criterion.fluency")
    }
    send("before", rows["nugget"], 0, b1.assessor, wording=rows["nugget"].text)
    rows["nugget"].refresh_from_db()
    nugget = rows["nugget"]
    client = app.client(b1.assessor.name)
    organisers = [app.account(name, role="organiser") for name in ("olga", "otto")]
    model = Assessor.objects.get(name="gpt-x")
    of_model = AssignedDoc.objects.get(
        assignment__assessor=model, assignment__topic__name="q1", doc__name="d00000"
    )

    def grade(name: str, value: float) -> Any:
        labels = [GivenLabel(op_id_of(name), "q1", "d00000", value)]
        setting = GivenSetting("gpt-x-1", f"Prompt of {name}")
        record(labels, setting, assessor=model)
        return Acknowledged(value, of_model.pk)

    def aspect(name: str, family: str, value: float) -> Callable[[], Any]:
        row = rows[family]
        return partial(send, name, row, value, b1.assessor, wording=row.text)

    def edit(name: str) -> Any:
        form = {"op_id": op_id_of(name), "place": 1, "position": 1, "value": 0.5,
                "aspect": nugget.pk, "text": f"Fact of {name}."}  # fmt: skip
        answer = client.post(f"/answers/{own.pk}/nuggets", form)
        is_taken = answer.headers.get("Location", "").startswith(f"/answers/{own.pk}")
        if not is_taken and answer.status_code < 500:
            raise RefusedError("form", str(answer.status_code))
        assert is_taken, answer.content
        edits = AnswerAspect.objects.filter(assignment=own, family="edit", aspect=nugget.aspect)
        return Acknowledged(0.5, edits.get().pk)

    def close() -> None:
        with writing():
            close_assignment(own.pk, AnswerAssignment)

    def hand_on() -> None:
        other = Assessor.objects.get_or_create(name="b9", defaults={"group": b1.assessor.group})[0]
        reassign([AnswerAssignment.objects.get(pk=own.pk)], other)

    doc = b1.doc(1)
    matters = {"verdict": Matter(own.topic_id, doc.doc_id), "aspect-verdict": aspect_matter(nugget)}
    digests = {"verdict": doc.current_sha256, "aspect-verdict": nugget.sha256}

    def decide(name: str, account: Account, value: float) -> Any:
        about = name.removesuffix("-too")
        verdict = DeskVerdict(op_id_of(name), value, 0, digests[about])
        adjudicate(account, matters[about], verdict)
        return Acknowledged(value, matters[about].doc or 0)

    return {
        "nugget": aspect("nugget", "nugget", 2),
        "nugget-too": aspect("nugget-too", "nugget", 1),
        "citation": aspect("citation", "citation", 2),
        "criterion": aspect("criterion", "criterion.fluency", 2),
        "answer-undo": partial(take_back, "answer-undo", nugget, b1.assessor),
        "edit": partial(edit, "edit"),
        "edit-too": partial(edit, "edit-too"),
        "answer-close": close,
        "answer-reassign": hand_on,
        "model": partial(grade, "model", 1),
        "model-too": partial(grade, "model-too", 2),
        "model-close": lambda: close_models(model),
        "verdict": partial(decide, "verdict", organisers[0], 1),
        "verdict-too": partial(decide, "verdict-too", organisers[1], 2),
        "aspect-verdict": partial(decide, "aspect-verdict", organisers[0], 1),
        "aspect-verdict-too": partial(decide, "aspect-verdict-too", organisers[1], 2),
        "reveal": lambda: reveal(organisers[0], matters["verdict"]),
    }


def close_models(model: Assessor) -> None:
    with writing():
        for assignment in Assignment.objects.filter(assessor=model, topic__name="q1"):
            close_assignment(assignment.pk)


def at_the_server(given: dict[str, Callable[[], Any]]) -> dict[str, Callable[[], Any]]:
    """Return operations, each performed by a server that is running."""

    def done(work: Callable[[], Any]) -> Any:
        with hold_in_use(current_instance()):
            return work()

    return {name: partial(done, work) for name, work in given.items()}


def commands(records: Path, backup: Path) -> dict[str, Callable[[], Any]]:
    """Return the commands of organisers, with or without a running server."""

    def bring_in() -> Any:
        with exclusive_lock(current_instance()):
            return import_all_records(records, docs_beside=None, is_dry=False)

    return {"rebuild": rebuilt, "import": bring_in, "restore": lambda: restore(backup)}


def send(name: str, unit: Any, value: float, assessor: Any, **more: Any) -> Any:
    """Accept a judgment of an item as sent by its kind's client."""
    kind = kind_of(unit)
    digests = {
        column: DocVersion.objects.get(doc=getattr(unit, f"{doc}_id")).sha256
        for column, doc in kind.shown.items()
    }
    given = {kind.name: unit.pk, kind.value: value, "base_revision": unit.revision}
    submission = submission_of(kind.submission, given | digests | {"op_id": op_id_of(name)} | more)
    judge(kind, submission, person(assessor, kind.stream_key(unit)))
    return Acknowledged(value, unit.pk)


def take_back(name: str, unit: Any, assessor: Any) -> Any:
    kind = kind_of(unit)
    done = undo(kind, op_id_of(name), kind.stream_key(unit), assessor=assessor)
    return Acknowledged(getattr(done.event, kind.value), done.unit.pk)


def send_in_hit(name: str, sitting: Any, key: int, value: float) -> Any:
    unit = hit_kind(sitting.hit).judged.items().get(pk=key)
    more = {"wording": unit.text} if isinstance(unit, AnswerAspect) else {}
    return send(name, unit, value, sitting.worker.assessor, **more)


def take_back_in_hit(name: str, sitting: Any, key: int) -> Any:
    unit = hit_kind(sitting.hit).judged.items().get(pk=key)
    return take_back(name, unit, sitting.worker.assessor)


def schedules_of_two(
    world: World, pairs: Iterable[tuple[str, str]], step: int, *, what: str, at_least: int
) -> list[str]:
    """Return errors after all interleavings of any two operations, at every `step`-th stop."""
    wrong, count = [], 0
    if step >= SELDOM:  # one of two operations is stopped; in the next pair, the other one
        pairs = list(pairs)[::2]
    # A statement that an operation never reaches: a stop there would have no effect.
    beyond: dict[str, int] = {}
    for number, (first, second) in enumerate(pairs):
        # Each pair begins at another statement, so that few schedules still stop at every place.
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
    """Return errors after some interleavings of three operations, one within the other."""
    rng = random.Random(0)
    wrong = []
    for _ in range(THREES):
        chosen = rng.sample(names, 3)
        wrong += interleaved(world, chosen, (rng.randrange(18), rng.randrange(18)))[1]
    print_count("schedules of three", THREES)
    return wrong


def print_count(what: str, count: int) -> None:
    """Print the number of schedules on this database, for documentation."""
    print(f"{count} {what} on {connection.vendor}")
