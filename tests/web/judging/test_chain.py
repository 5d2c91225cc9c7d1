"""The hash chain of events: changed, removed and added events are detected."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from qrelsmith.cli import run
from qrelsmith.web.core.lines import link
from qrelsmith.web.desk.matters import Matter
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, say
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.models import Account, AssignedDoc, Event, Role
from qrelsmith.web.verification.whole import verified


@pytest.fixture
def worked(lite_app: Any, at_work: Any, contests_of: Any, comparing: Any) -> Any:
    """Return a campaign with judgments and an undo, and answers to pairs."""
    b1 = at_work(lite_app)
    b1.judge(1, 2, note='因為 "so"')
    b1.judge(2, 0)
    b1.judge(2, 1)
    b1.undo()
    at_work(lite_app, "b2").judge(1, 1)
    contest = contests_of(lite_app)[0]
    comparer = comparing(lite_app, "b1", contest)
    comparer.answer(comparer.next(), -1)
    comparer.answer(comparer.next(), 1)
    return lite_app


def faults() -> list[str]:
    return [sentence for check in verified() for sentence in check.examples]


def altered(statement: str) -> None:
    """Change a table of events after dropping its triggers."""
    with connection.cursor() as cursor:
        for table in ("event", "preferenceevent", "deskevent", "organiseraction"):
            for verb in ("UPDATE", "DELETE"):
                cursor.execute(f"DROP TRIGGER IF EXISTS qrelsmith_web_{table}_no_{verb}")
        cursor.execute(statement)


def test_a_head_can_be_computed_from_the_export(worked: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(["export", str(worked.folder), "-o", str(out), "--quiet"]) == 0
    heads: dict[tuple[Any, ...], str] = {}
    for name, key in (
        ("events.jsonl", ("assessor", "topic", "hit", "round")),
        ("preference_events.jsonl", ("topic",)),
    ):
        for line in (out / "app" / name).read_bytes().splitlines(keepends=True):
            stream = tuple(json.loads(line).get(part) for part in key)
            heads[stream] = sha256(heads.get(stream, "").encode() + b"\n" + line).hexdigest()
    told = {}
    for name in ("assignments.jsonl", "contests.jsonl"):
        for line in (out / "app" / name).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if "head" in record:
                told[record["head"]] = name
    assert sorted(told) == sorted(heads.values())
    assert len(heads) == 3
    all_heads = "".join(f"{head}\n" for head in sorted(told))
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["parameters"]["head"] == sha256(all_heads.encode()).hexdigest()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (
            "UPDATE qrelsmith_web_event SET active_ms = 7 WHERE id = 2",
            "was changed, or an earlier event is missing",
        ),
        (
            "DELETE FROM qrelsmith_web_preferenceevent WHERE id = 2",
            "the last events of the pairs of topic q1 are missing",
        ),
        (
            "UPDATE qrelsmith_web_preferenceevent SET accepted_at = '2020-01-01' WHERE id = 1",
            "of the pairs of topic q1 was changed, or an earlier event is missing",
        ),
    ],
)
def test_an_event_changed_in_the_database_is_named(worked: Any, statement: str, fault: str) -> None:
    assert faults() == []
    if "id = 2" in statement and "web_event" in statement:
        fault = f"event {Event.objects.get(pk=2).op_id} of topic q1 of b1 {fault}"
    altered(statement)
    assert any(fault in sentence for sentence in faults()), faults()


def test_an_export_with_changed_events_is_refused(
    worked: Any,
    tmp_path: Path,
    give_tables: Callable[[Path], Path],
    let_go: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    assert run(["export", str(worked.folder), "-o", str(out), "--documents", "--quiet"]) == 0
    copy = give_tables(shutil.copytree(out, tmp_path / "copy"))
    path = copy / "app" / "events.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("因為", "因爲"), encoding="utf-8")
    assert run(["import", str(copy), "--quiet"]) != 0
    told = capsys.readouterr().err
    assert "assignments.jsonl" in told
    assert "computed from the events" in told


@pytest.fixture
def administered(worked: Any) -> Any:
    """Return the same campaign after commands, a verdict and an adjudication message."""
    organiser = Account.objects.create(login="olga", role=Role.ORGANISER)
    held = AssignedDoc.objects.select_related("doc", "assignment__topic").exclude(sha256="")[0]
    topic = held.assignment.topic_id
    verdict = DeskVerdict("verdict-001", 1, 0, held.sha256, text="so")
    adjudicate(organiser, Matter(topic, held.doc_id), verdict)
    say(organiser, "word-00001", Matter(topic), "why?")
    assert run(["backup", str(worked.folder), "-o", str(worked.folder / "one.backup")]) == 0
    return worked


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (
            "UPDATE qrelsmith_web_deskevent SET text = 'no' WHERE id = 1",
            "row 1 of the desk was changed",
        ),
        ("DELETE FROM qrelsmith_web_deskevent WHERE id = 2", "the last rows of the desk are"),
        ("UPDATE qrelsmith_web_organiseraction SET target = 'x'", "of the actions was changed"),
    ],
)
def test_actions_of_organisers_cannot_be_changed_unnoticed(
    administered: Any, statement: str, fault: str
) -> None:
    assert faults() == []
    altered(statement)
    assert any(fault in sentence for sentence in faults()), faults()


def test_heads_of_the_adjudication_log_are_imported_with_an_export(
    administered: Any,
    tmp_path: Path,
    give_tables: Callable[[Path], Path],
    let_go: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    assert run(["export", str(administered.folder), "-o", str(out), "--documents", "--quiet"]) == 0
    told = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["parameters"]
    assert "head_of_desk" in told
    good = give_tables(shutil.copytree(out, tmp_path / "good"))
    assert run(["import", str(good), "--quiet"]) == 0
    bad = give_tables(shutil.copytree(out, tmp_path / "bad"))
    path = bad / "app" / "desk.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("why?", "who?"), encoding="utf-8")
    capsys.readouterr()
    assert run(["import", str(bad), "--quiet"]) != 0
    assert "head_of_desk" in capsys.readouterr().err


@pytest.fixture
def administered_anywhere(app: Any, at_work: Any, contests_of: Any, comparing: Any) -> Any:
    """Return a campaign with two assessors' judgments, answers to pairs, and a message."""
    b1 = at_work(app)
    for position, value in ((1, 2), (2, 0), (3, 1)):
        b1.judge(position, value)
    at_work(app, "b2").judge(1, 1)
    comparer = comparing(app, "b1", contests_of(app)[0])
    comparer.answer(comparer.next(), -1)
    organiser = Account.objects.create(login="olga", role=Role.ORGANISER)
    held = AssignedDoc.objects.exclude(sha256="").first()
    assert held is not None
    say(organiser, "word-00001", Matter(held.assignment.topic_id), "why?")
    return app


def tampered(*statements: str) -> None:
    """Run statements with the tables' triggers disabled, on both databases."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
        else:
            altered("SELECT 1")
        for statement in statements:
            cursor.execute(statement)
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = DEFAULT")


def tail_deleted() -> None:
    last = Event.objects.filter(assignment=Event.objects.earliest("pk").assignment).latest("pk")
    before = Event.objects.filter(assignment=last.assignment, pk__lt=last.pk).latest("pk")
    tampered(
        f"DELETE FROM qrelsmith_web_event WHERE id = {last.pk}",  # noqa: S608 - a number
        f"UPDATE qrelsmith_web_assignment SET head = '{before.digest}'"  # noqa: S608 - of ours
        f" WHERE id = {last.assignment_id}",
    )


def chain_replaced() -> None:
    """Change an event, and compute its stream's digests again."""
    first = Event.objects.earliest("pk")
    tampered(f"UPDATE qrelsmith_web_event SET active_ms = 7 WHERE id = {first.pk}")  # noqa: S608
    head, statements = "", []
    for event in DOCS.lines.read(Event).filter(assignment=first.assignment).order_by("pk"):
        head = link(head, DOCS.record(event), DOCS.lines.kind)
        statements.append(
            f"UPDATE qrelsmith_web_event SET digest = '{head}' WHERE id = {event.pk}"  # noqa: S608
        )
    key = first.assignment_id
    statements.append(
        f"UPDATE qrelsmith_web_assignment SET head = '{head}' WHERE id = {key}"  # noqa: S608
    )
    tampered(*statements)


def stream_dropped() -> None:
    key = Event.objects.get(assessor__name="b2").assignment_id
    tampered(
        f"DELETE FROM qrelsmith_web_event WHERE assignment_id = {key}",  # noqa: S608 - a number
        f"UPDATE qrelsmith_web_assignment SET head = '' WHERE id = {key}",  # noqa: S608 - a number
    )


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (tail_deleted, "topic q1 of b1: the last 1 of 3 events of the copy are missing"),
        (chain_replaced, "topic q1 of b1: event 1 differs from the copy"),
        (stream_dropped, "topic q1 of b2: all 1 events of the copy are missing"),
    ],
)
def test_only_a_kept_copy_reveals_a_truncated_or_replaced_log(
    tamper: Callable[[], None],
    fault: str,
    administered_anywhere: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, backup, exported = administered_anywhere.folder, tmp_path / "kept", tmp_path / "out"
    assert run(["backup", str(folder), "-o", str(backup)]) == 0
    assert run(["export", str(folder), "-o", str(exported)]) == 0
    for copy in (backup, exported):
        assert run(["verify", str(folder), "--against", str(copy)]) == 0
    tamper()
    assert run(["verify", str(folder), "--rebuild"]) == 0
    for copy in (backup, exported):
        capsys.readouterr()
        assert run(["verify", str(folder), "--against", str(copy)]) == 2
        assert fault in capsys.readouterr().err


def test_logs_that_have_grown_begin_as_in_the_copy(
    administered_anywhere: Any, at_work: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, backup = administered_anywhere.folder, tmp_path / "kept"
    assert run(["backup", str(folder), "-o", str(backup)]) == 0
    at_work(administered_anywhere, "b2", "q2").judge(1, 1)
    capsys.readouterr()
    assert run(["verify", str(folder), "--against", str(backup), "--format", "csv"]) == 0
    # Two topics, pairs, adjudication, actions.
    assert "logs begin as in kept,5,0" in capsys.readouterr().out


def test_a_copy_of_an_older_version_lacks_tables_of_new_kinds(
    worked: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup of 0.2.1 has no answers; its labels of docs are compared nevertheless."""
    backup = tmp_path / "kept"
    assert run(["app", "backup", str(worked.folder), "-o", str(backup)]) == 0
    with closing(sqlite3.connect(backup)) as copy:
        for table in ("answerevent", "answeraspect", "answerassignment"):
            copy.execute(f"DROP TABLE qrelsmith_web_{table}")
        copy.commit()
    assert run(["app", "verify", str(worked.folder), "--kept-copy", str(backup)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00 but cut off", b"PGDMP"])
def test_a_file_that_is_not_a_copy_is_a_one_line_error(
    content: bytes, lite_app: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(content)
    assert run(["verify", str(lite_app.folder), "--against", str(copy)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1


def test_a_changed_export_cannot_be_used_as_copy(
    administered_anywhere: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, exported = administered_anywhere.folder, tmp_path / "out"
    assert run(["export", str(folder), "-o", str(exported)]) == 0
    path = exported / "app" / "events.jsonl"
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]))
    assert run(["verify", str(folder), "--against", str(exported)]) == 2
    assert "This export was changed" in capsys.readouterr().err
