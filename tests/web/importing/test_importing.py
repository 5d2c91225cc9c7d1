"""Import of a campaign's folder into the app: new, changed and existing data."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.web.graded.kind import JudgmentSubmission, judge
from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.models import (
    Account,
    AssignedDoc,
    Assignment,
    Doc,
    DocVersion,
    Role,
    ScaleVersion,
    Topic,
)


def counts(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """Return the output of `qrelsmith app import`, by what it counts: new,changed,same."""
    assert run(["import", *arguments, "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    return dict(row.split(",", 1) for row in rows)


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one-line error of `qrelsmith app import`."""
    capsys.readouterr()
    assert run(["import", *arguments]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if "error" in line]
    assert len(errors) == 1
    return errors[0]


def test_an_import_can_be_repeated(blank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = counts(capsys, str(blank))
    assert first == {"topics": "2,0,0", "docs": "6,0,0", "assignments": "4,0,0"}
    again = counts(capsys, str(blank))
    assert again == {"topics": "0,0,2", "docs": "0,0,6", "assignments": "0,0,4"}


@pytest.mark.parametrize("has_pools", [True, False])
def test_an_import_without_assignments_shows_the_next_steps(
    blank: Path, capsys: pytest.CaptureFixture[str], *, has_pools: bool
) -> None:
    settings = (blank / "campaign.toml").read_text().split("[groups")[0]
    (blank / "campaign.toml").write_text(settings)
    if not has_pools:
        shutil.rmtree(blank / "pools")
    assert run(["import", str(blank)]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "nothing is assigned" in line]
    assert len(notes) == 1
    assert ("Create pools" in notes[0]) is not has_pools
    assert notes[0].endswith(f"then run: qrelsmith app import {blank}")


def test_a_dry_run_has_the_same_counts_and_records_nothing(
    blank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dry = counts(capsys, str(blank), "--dry-run")

    for model in (Topic, Doc, Assignment, ScaleVersion):
        assert not model.objects.exists()
    assert counts(capsys, str(blank)) == dry


def test_a_failed_import_records_nothing(
    blank: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = blank / "documents.jsonl"
    whole = path.read_text()
    path.write_text(whole.replace('"doc_id": "d00004"', '"doc_id": ""'))
    monkeypatch.setattr("qrelsmith.web.importing.docs._BATCH", 2)
    assert f"{path}:5: " in fails(capsys, str(blank))
    path.write_text(whole)
    assert counts(capsys, str(blank)) == {
        "topics": "2,0,0",
        "docs": "6,0,0",
        "assignments": "4,0,0",
    }


@pytest.mark.full
def test_a_failed_first_import_can_be_repeated(
    tmp_path: Path, make_campaign: Any, fresh_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A PostgreSQL database keeps its identity, so the folder must keep it, too."""
    folder = make_campaign(tmp_path / "campaign")
    topics = folder / "topics.jsonl"
    whole = topics.read_text()
    topics.write_text("{")
    assert f"{topics}:1: " in fails(capsys, str(folder))
    topics.write_text(whole)
    assert counts(capsys, str(folder))["topics"] == "2,0,0"


def test_changed_docs_become_versions(blank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts(capsys, str(blank))
    path = blank / "documents.jsonl"
    path.write_text(path.read_text().replace("word", "other", 1))
    assert counts(capsys, str(blank), "--dry-run")["docs"] == "0,1,5"
    assert counts(capsys, str(blank))["docs"] == "0,1,5"
    assert counts(capsys, str(blank))["docs"] == "0,0,6"

    doc = Doc.objects.get(name="d00000")
    assert doc.version == 2
    first, second = DocVersion.objects.filter(doc=doc).order_by("version")
    assert (first.text[:4], second.text[:5]) == ("word", "other")


def test_docs_whose_styles_may_hide_words_are_listed(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qrelsmith.web.importing import docs

    monkeypatch.setattr(docs, "_LISTED", 2)
    pages = ["<p style='display:none'>a</p>"] * 3 + ["<p>seen</p>"]
    given = [(DocumentPlace("x"), Document(f"s{n}", "html", html)) for n, html in enumerate(pages)]
    with pytest.warns(InputWarning, match=r"^3 docs have styles .*: s0, s1 and 1 more"):
        docs.import_docs(given, is_dry=True)


def test_topics_and_scale_become_versions_once_something_was_judged(app: Any) -> None:
    def change(name: str, old: str, new: str) -> None:
        path = app.folder / name
        path.write_text(path.read_text().replace(old, new))
        import_campaign(read_campaign(app.folder))

    change("topics.jsonl", "topic 1", "topic one")
    change("campaign.toml", '"not relevant"', '"nothing"')
    assert Topic.objects.get(name="q1").version == 1
    assert ScaleVersion.objects.count() == 1
    doc = AssignedDoc.objects.filter(assignment__topic__name="q1").first()
    assert doc is not None
    assignment = Assignment.objects.get(pk=doc.assignment_id)
    sha256 = DocVersion.objects.get(doc=doc.doc_id).sha256
    submission = JudgmentSubmission("first-one", doc.pk, 1, sha256, 0)
    Account.objects.create(login="ann", role=Role.ASSESSOR, assessor=assignment.assessor)
    judge(submission, assignment.pk, assessor=assignment.assessor)
    change("topics.jsonl", "topic one", "topic 1")
    change("campaign.toml", '"nothing"', '"not at all"')
    assert Topic.objects.get(name="q1").version == 2
    assert Topic.objects.get(name="q2").version == 1
    assert ScaleVersion.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        (
            "documents.jsonl",
            '"doc_id": "d00001"',
            '"doc_id": "d00000"',
            ":2: the doc 'd00000' appears twice",
        ),
        (
            "pools/prioritised.pool",
            "q1 d00001 2",
            "q1 nosuch 2",
            ":3: the doc 'nosuch' of topic 'q1' is in its pool but",
        ),
        ("pools/prioritised.pool", "q1 d00001 2", "q1 d00001", ":3: "),
        ("topics.jsonl", '"topic": "q1"', '"topic": "q2"', ":2: the topic 'q2' appears twice"),
        ("campaign.toml", "format = 1", "format = 2", "Update qrelsmith"),
        ("campaign.toml", "per_doc = 2", 'ordering = "balanced"', "expected assignments.csv"),
        ("pools/prioritised.pool", "q1 d00001 2", "q1 d00001 ²", ":3: "),
        ("pools/prioritised.pool", "q1 d00001 2", "q1 d00001 1", ":3: "),
    ],
)
def test_an_error_is_one_line_with_its_place(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    problem: str,
) -> None:
    folder = give_tables(make_campaign(tmp_path / "campaign"))
    path = folder / name
    path.write_text(path.read_text().replace(old, new, 1))
    assert problem in fails(capsys, str(folder), "--dry-run")
    assert problem in fails(capsys, str(folder))


def test_the_assignments_table_may_have_any_format(lite_app: Any) -> None:
    row = {"topic": "q1", "assessor": "c1", "group": "crowd", "ordering": "docno", "seed": 7}
    (lite_app.folder / "assignments.jsonl").write_text(json.dumps(row) + "\n")
    import_campaign(read_campaign(lite_app.folder))
    assert Assignment.objects.get(assessor__name="c1").total == 6


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("q1,c1,crowd,randomised", "assignments.csv:3: "),
        ("q1,c1,crowd,randomised,seven", "assignments.csv:3: "),
        ("q1,c1,crowd,backwards,7", "assignments.csv:3: "),
        ("q1,,crowd,docno,7", "assignments.csv:3: the assessor is empty"),
        (
            "q2,c1,crowd,docno,7",
            "assignments.csv:3: 'c1' of 'crowd' already has this assignment on line 2",
        ),
        (
            "q9,c1,crowd,docno,7",
            "the topic 'q9' is assigned, but is not in the campaign; expected one of",
        ),
    ],
)
def test_an_error_in_the_assignments_table_names_its_line(
    blank_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, problem: str
) -> None:
    folder = shutil.copytree(blank_folder, tmp_path / "campaign")
    head = "topic,assessor,group,ordering,seed\nq2,c1,crowd,docno,7\n"
    (folder / "assignments.csv").write_text(f"{head}{row}\n")
    assert problem in fails(capsys, str(folder))


def test_a_scale_must_fit_the_input_control(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = give_tables(make_campaign(tmp_path / "none", toml="format = 1\n"))
    assert "expected levels in [scale]" in fails(capsys, str(folder))
    toml = "format = 1\n[scale]\nlevels = [{ grade = 1 }]\n[judging]\ncontrol = 'number'\n"
    folder = give_tables(make_campaign(tmp_path / "both", toml=toml))
    assert "expected no levels" in fails(capsys, str(folder))


def test_assignments_come_from_the_table(
    tmp_path: Path, make_campaign: Callable[..., Path], lite_app: Any
) -> None:
    """The columns of `qrelsmith assign`; HITs name their docs, and open ones wait for a crowd."""
    (lite_app.folder / "assignments.csv").write_text(
        "topic,assessor,group,ordering,seed,hit,docs\n"
        "q1,c1,crowd,randomised,7,,\n"
        "q2,c1,crowd,randomised,8,q2/1,d00003 d00001\n"
        "q2,,crowd,randomised,9,q2/2,d00002\n"
    )
    with pytest.warns(InputWarning, match="1 HITs without an assessor"):
        import_campaign(read_campaign(lite_app.folder))
    whole = Assignment.objects.get(assessor__name="c1", topic__name="q1")
    names = [each.doc.name for each in whole.docs.order_by("position")]
    assert sorted(names) == [f"d{n:05}" for n in range(6)]
    assert names != sorted(names), "a randomised order that is the file's by chance"
    hit = Assignment.objects.get(hit="q2/1")
    assert [each.doc.name for each in hit.docs.order_by("position")] == ["d00003", "d00001"]


def test_a_seed_always_gives_the_same_random_order(lite_app: Any) -> None:
    """SHA-256(seed, "pool", topic, doc), as defined for pools."""
    import hashlib

    (lite_app.folder / "assignments.csv").write_text(
        "topic,assessor,group,ordering,seed\nq1,c1,crowd,randomised,7\n"
    )
    import_campaign(read_campaign(lite_app.folder))

    def digest(doc: str) -> bytes:
        text = "\n".join(["i:1:7", "s:4:pool", "s:2:q1", f"s:{len(doc)}:{doc}"])
        return hashlib.sha256(text.encode()).digest()

    shown = Assignment.objects.get(assessor__name="c1").docs.order_by("position")
    docs = [each.doc.name for each in shown]
    assert docs == sorted(docs, key=digest)
    assert len(docs) == 6


def test_gold_assessors_get_the_topics_that_they_created(
    tmp_path: Path, make_campaign: Callable[..., Path], give_tables: Callable[[Path], Path]
) -> None:
    toml = 'format = 1\n[scale]\nrange = "0..2"\n[groups.gold]\nrole = "gold"\nassessors = ["g1"]\n'
    folder = give_tables(make_campaign(tmp_path / "campaign", toml=toml))
    topics = [{"topic": "q1", "title": "x", "creator": "g1"}, {"topic": "q2", "title": "y"}]
    (folder / "topics.jsonl").write_text("".join(json.dumps(each) + "\n" for each in topics))
    assert run(["import", str(folder), "--quiet"]) == 0

    assert [each.topic.name for each in Assignment.objects.all()] == ["q1"]


def test_an_assessor_can_be_in_only_one_group(lite_app: Any) -> None:
    (lite_app.folder / "assignments.csv").write_text(
        "topic,assessor,group,ordering,seed\nq1,c1,crowd,docno,7\nq2,c1,gold,docno,8\n"
    )
    with pytest.raises(InputError, match="in the groups 'crowd' and 'gold'"):
        import_campaign(read_campaign(lite_app.folder))


@pytest.mark.parametrize(
    ("path", "old", "new", "problem"),
    [
        ("topics.jsonl", '"q1"', f'"{"q" * 501}"', "has 501 characters; expected at most 500"),
        ("documents.jsonl", '"d00000"', f'"{"d" * 501}"', "has 501 characters; expected at most"),
        ("assignments.csv", "c1,crowd", f"{'c' * 201},crowd", "has 201 characters; expected at"),
    ],
)
def test_a_name_that_some_database_cannot_store_is_refused(
    blank: Path, path: str, old: str, new: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (blank / "assignments.csv").write_text(
        "topic,assessor,group,ordering,seed\nq1,c1,crowd,docno,7\n"
    )
    whole = (blank / path).read_text(encoding="utf-8")
    assert old in whole
    (blank / path).write_text(whole.replace(old, new), encoding="utf-8")
    assert problem in fails(capsys, str(blank))


def test_a_killed_import_resumes_where_it_stopped(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = give_tables(make_campaign(tmp_path / "campaign", docs=5_000, topics=1))
    database = sqlite3.connect(folder / ".qrelsmith" / "app.sqlite3")

    def recorded() -> int:
        return int(database.execute("SELECT count(*) FROM qrelsmith_web_doc").fetchone()[0])

    killed = subprocess.Popen([sys.executable, "-m", "qrelsmith", "import", str(folder)])
    try:
        while not recorded() and killed.poll() is None:
            time.sleep(0.01)
    finally:
        killed.kill()
        killed.wait()
    there = recorded()
    database.close()
    assert 0 < there < 5_000
    found = counts(capsys, str(folder))
    assert found == {
        "topics": "0,0,1",
        "docs": f"{5_000 - there},0,{there}",
        "assignments": "2,0,0",
    }


@pytest.mark.full
def test_after_a_killed_first_start_the_rest_is_imported(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    folder = make_campaign(tmp_path / "campaign", docs=5_000, topics=1)
    database = folder / ".qrelsmith" / "app.sqlite3"
    command = [sys.executable, "-m", "qrelsmith", "serve", str(folder), "--port", "0"]
    killed = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    query = "SELECT count(*) FROM qrelsmith_web_docversion"
    there = 0
    while not there and killed.poll() is None:
        time.sleep(0.05)
        if database.exists():
            with closing(sqlite3.connect(database)) as connection, suppress(sqlite3.Error):
                there = int(connection.execute(query).fetchone()[0])
    killed.kill()
    killed.wait()
    assert 0 < there < 5_000
    server = start_server(folder)
    server.close()
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute(query).fetchone() == (5_000,)
        rows = "SELECT count(*) FROM qrelsmith_web_assigneddoc"
        assert connection.execute(rows).fetchone() == (10_000,)


def test_others_can_write_during_the_import_of_docs(
    tmp_path: Path, make_campaign: Callable[..., Path], lite_app: Any
) -> None:
    make_campaign(lite_app.folder, docs=1200)
    written = 0

    def write(_: int) -> None:
        nonlocal written
        path = lite_app.folder / ".qrelsmith" / "app.sqlite3"
        with closing(sqlite3.connect(path, timeout=0)) as other, other:
            other.execute("INSERT INTO qrelsmith_web_loginfailure (key, at) VALUES ('x', 0)")
            written += 1

    import_campaign(read_campaign(lite_app.folder), advance=write)
    assert written == 6, "three parts are read, and then recorded"
