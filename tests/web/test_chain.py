"""The chain of events: whoever changes, removes or adds one behind our back is found out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.cli import run


@pytest.fixture
def worked(lite_app: Any, at_work: Any, contests_of: Any, comparing: Any) -> Any:
    """A campaign with judgments and an undo, and answers to pairs."""
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
    from qrelsmith.web.verification.whole import verified

    return [sentence for check in verified() for sentence in check.examples]


def altered(statement: str) -> None:
    """Change a table of events after its triggers were dropped."""
    from django.db import connection

    with connection.cursor() as cursor:
        for table in ("event", "preferenceevent", "deskevent", "organiseraction"):
            for verb in ("UPDATE", "DELETE"):
                cursor.execute(f"DROP TRIGGER IF EXISTS qrelsmith_web_{table}_no_{verb}")
        cursor.execute(statement)


def test_a_head_can_be_computed_by_whoever_has_the_export(worked: Any, tmp_path: Path) -> None:
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
            "is not as it was accepted",
        ),
        (
            "DELETE FROM qrelsmith_web_preferenceevent WHERE id = 2",
            "the last events of the pairs of topic q1 are missing",
        ),
        (
            "UPDATE qrelsmith_web_preferenceevent SET accepted_at = '2020-01-01' WHERE id = 1",
            "of the pairs of topic q1 is not as it was accepted",
        ),
    ],
)
def test_an_event_that_was_changed_in_the_database_is_named(
    worked: Any, statement: str, fault: str
) -> None:
    from qrelsmith.web.models import Event

    assert faults() == []
    if "id = 2" in statement and "web_event" in statement:
        fault = f"event {Event.objects.get(pk=2).op_id} of topic q1 of b1 {fault}"
    altered(statement)
    assert any(fault in sentence for sentence in faults()), faults()


def test_an_export_whose_events_were_changed_is_refused(
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
    assert "to which the events lead" in told


@pytest.fixture
def administered(worked: Any) -> Any:
    """The same campaign after commands, a verdict and a word at the desk."""
    from qrelsmith.web.desk.matters import Matter
    from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, say
    from qrelsmith.web.models import Account, AssignedDoc, Role

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
        ("UPDATE qrelsmith_web_deskevent SET text = 'no' WHERE id = 1", "row 1 of the desk is not"),
        ("DELETE FROM qrelsmith_web_deskevent WHERE id = 2", "the last rows of the desk are"),
        ("UPDATE qrelsmith_web_organiseraction SET target = 'x'", "of the actions is not"),
    ],
)
def test_what_organisers_did_cannot_be_changed_unnoticed(
    administered: Any, statement: str, fault: str
) -> None:
    assert faults() == []
    altered(statement)
    assert any(fault in sentence for sentence in faults()), faults()


def test_heads_of_the_desk_come_back_with_an_export(
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
