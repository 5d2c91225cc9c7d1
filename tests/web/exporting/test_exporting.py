"""Exports: what the audit reads, what an import brings back, and what is kept out."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.fixtures.exports import contents
from tests.web.fixtures.exports import exported as exported_folder

from qrelsmith.base.spreadsheets import without_formula
from qrelsmith.cli import run
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import Timing
from qrelsmith.web.graded.assigned import docs_of
from qrelsmith.web.models import (
    Account,
    ApiToken,
    Assessor,
    AssignedDoc,
    Assignment,
    Contest,
    DocVersion,
    Event,
    PairTask,
    ScaleVersion,
    Topic,
    TopicVersion,
)
from qrelsmith.web.pairs.claims import free_again
from qrelsmith.web.verification.whole import rebuilt

pytestmark = pytest.mark.slow


@pytest.fixture
def judged(app: Any, at_work: Any, contests_of: Any, comparing: Any) -> Any:
    """A campaign with judgments, rejudgments, undos, codes, notes, times, on both databases."""
    compare_some(app, contests_of, comparing)
    return judge_some(app, at_work)


@pytest.fixture(scope="session")
def judged_once_folder(
    tmp_path_factory: pytest.TempPathFactory,
    ready_folder: Path,
    open_app: Any,
    at_work: Any,
    contests_of: Any,
    comparing: Any,
) -> Path:
    """The same on SQLite; to be copied."""
    folder = tmp_path_factory.mktemp("judged-once") / "campaign"
    shutil.copytree(ready_folder, folder)
    with open_app(folder, is_ready=True) as app:
        compare_some(app, contests_of, comparing)
        judge_some(app, at_work)
    return folder


@pytest.fixture(scope="session")
def exported_once(judged_once_folder: Path, open_app: Any) -> Path:
    """Its export; to be copied."""
    with open_app(judged_once_folder, is_ready=True) as app:
        return export(app, judged_once_folder.parent / "export")


@pytest.fixture
def lite_judged(copied_app: Any) -> Iterator[Any]:
    """The same on SQLite, for what follows after the database was read."""
    with copied_app("judged_once", on="sqlite") as app:
        yield app


@pytest.fixture
def exported(
    exported_once: Path, tmp_path: Path, give_tables: Callable[[Path], Path], let_go: None
) -> Path:
    """An export of it beside a database with tables, where it may be imported."""
    return give_tables(shutil.copytree(exported_once, tmp_path / "out"))


def compare_some(app: Any, contests_of: Any, comparing: Any) -> None:
    """Preferences: answers, changed and undone ones, challenges, repeats, withdrawn pairs."""
    grades = {f"d{n:05}": int(n < 4) for n in range(6)}
    contest = contests_of(
        app, share="pair", per_pair=2, scheduler="round-robin", challenges=3, swapped=0.5,
        choices=5, grades=grades,
    )[0]  # fmt: skip
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    for task in iter(b1.next, None):
        b1.answer(task, -2)
    b1.undo()
    old = PairTask.objects.filter(assessor=b1.assessor, is_judged=True).first()
    b1.answer(old, 1)
    gone = b2.next()
    b2.answer(gone, 1)
    with writing():
        free_again(PairTask.objects.filter(pk=gone.pk))
    b2.answer(b2.next(), 0)
    b2.next()


@pytest.fixture
def with_model(judged: Any, model: Any) -> Any:
    """The same with a model that judged by two prompts, on both databases."""
    return judge_as_model(judged, model)


@pytest.fixture
def lite_with_model(lite_judged: Any, make_model: Any) -> Any:
    """The same on SQLite."""
    return judge_as_model(lite_judged, make_model(lite_judged))


def judge_as_model(app: Any, model: Any) -> Any:
    model.judge({"doc": "d00000", "note": "because", "active_ms": 840}, {"doc": "d00001"})
    body = model.batch({"doc": "d00001", "grade": 0, "revision": 1}, prompt='Another "one"\n関連?')
    body["setting"]["parameters"] = {"temperature": 0.5, "stop": None}
    assert model.send(body).status_code == 200
    return app


def judge_some(app: Any, at_work: Any) -> Any:
    Assignment.objects.update(created_at="2020-01-01T00:00:00Z")
    b1, b2 = at_work(app), at_work(app, "b2")
    timing = Timing(delay_ms=10, shown_for_ms=4000, client_ms=12, active_ms=3000, idle_ms=1000)
    b1.judge(1, 2, note='=1+1, "quoted"\nand a second line', input_kind="key", timing=timing)
    b1.judge(2, 0)
    b1.judge(2, 1)
    b1.judge(3, -2)
    b1.judge(4, 1)
    b1.undo()
    b2.judge(1, 1, excerpt="words of the doc")
    b2.judge(2, 1)
    at_work(app, "b2", "q2").judge(5, 2)
    Assignment.objects.filter(pk=b1.assignment.pk).update(opened_at="2021-05-01T12:00:00.5Z")
    return app


def export(app: Any, target: Path, *options: str) -> Path:
    return exported_folder(app.folder, target, *options)


def test_judgments_have_every_revision(judged: Any, tmp_path: Path) -> None:
    folder = export(judged, tmp_path / "out")
    frame = read_judgments(folder / "judgments.csv").to_polars(names="qrelsmith")
    rows = frame.select("topic", "doc", "assessor", "grade", "revision").rows()
    assert rows == [
        ("q1", "d00000", "b1", 2, 1),
        ("q1", "d00000", "b2", 1, 1),
        ("q1", "d00001", "b1", 0, 1),
        ("q1", "d00001", "b1", 1, 2),
        ("q1", "d00001", "b2", 1, 1),
        ("q1", "d00002", "b1", -2, 1),
        ("q1", "d00003", "b1", 1, 1),
        ("q1", "d00003", "b1", -1, 2),
        ("q2", "d00004", "b2", 2, 1),
    ]


def test_judgments_say_when_where_and_how_long(lite_judged: Any, tmp_path: Path) -> None:
    folder = export(lite_judged, tmp_path / "out")
    text = (folder / "judgments.csv").read_text()
    header = (
        "topic,doc,assessor,grade,group,position,ordering,shown_at,judged_at,active_ms,idle_ms,"
        "revision,label,note,scale"
    )
    assert text.splitlines()[0] == header
    judgments = read_judgments(folder / "judgments.csv")
    assert judgments.shown_at is not None
    assert judgments.judged_at is not None
    assert judgments.active_ms is not None
    assert judgments.idle_ms is not None
    assert (judgments.judged_at[0] - judgments.shown_at[0]).item().total_seconds() == 4
    assert (judgments.active_ms[0], judgments.idle_ms[0]) == (3000, 1000)
    assert judgments.label is not None
    assert judgments.label[5] == "could not be displayed"
    assert set(judgments.scale or ()) == {"0..2", ""}
    assert set(judgments.ordering or ()) == {"prioritised"}


def test_labels_of_assessors_groups_and_all(lite_judged: Any, tmp_path: Path) -> None:
    labels = export(lite_judged, tmp_path / "out") / "labels"
    b1 = read_qrels(labels / "assessors" / "b1.qrels")
    assert list(b1.rows()) == [("q1", "d00000", 2), ("q1", "d00001", 1), ("q1", "d00002", -2)]
    everybody = read_qrels(labels / "all.qrels")
    # The lower median of 2 and 1; codes are no grades.
    assert list(everybody.rows()) == [("q1", "d00000", 1), ("q1", "d00001", 1), ("q2", "d00004", 2)]
    assert (labels / "groups" / "bronze.qrels").read_bytes() == (labels / "all.qrels").read_bytes()


def test_export_import_export_is_identical(
    judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    first = export(judged, tmp_path / "first", "--documents")
    comes_back(first, "--documents")
    assert len(contents(first)) >= 15


def test_what_models_judged_by_goes_out_and_comes_back(
    with_model: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    first = export(with_model, tmp_path / "first", "--documents")
    lines = (first / "app" / "models.jsonl").read_text(encoding="utf-8").splitlines()
    settings = [json.loads(line) for line in lines]
    assert [each["prompt"] for each in settings] == ["Is it relevant?", 'Another "one"\n関連?']
    assert settings[1]["parameters"] == '{"stop": null, "temperature": 0.5}'
    events = (first / "app" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    named = [json.loads(line).get("setting") for line in events]
    assert named[-3:] == [1, 1, 2]
    assert set(named[:-3]) == {None}
    comes_back(first, "--documents")


def test_a_models_labels_are_judgments_like_others(lite_with_model: Any, tmp_path: Path) -> None:
    folder = export(lite_with_model, tmp_path / "out")
    frame = read_judgments(folder / "judgments.csv").to_polars(names="qrelsmith")
    rows = frame.select("topic", "doc", "assessor", "grade", "group", "revision").rows()
    assert [row for row in rows if row[2] == "gpt-x"] == [
        ("q1", "d00000", "gpt-x", 1, "llm", 1),
        ("q1", "d00001", "gpt-x", 1, "llm", 1),
        ("q1", "d00001", "gpt-x", 0, "llm", 2),
    ]
    text = (folder / "judgments.csv").read_text(encoding="utf-8")
    assert ",840," in text
    assert "because" in text
    groups = folder / "labels" / "groups"
    assert list(read_qrels(groups / "llm.qrels").rows()) == [
        ("q1", "d00000", 1),
        ("q1", "d00001", 0),
    ]
    # What people said is what it was.
    assert list(read_qrels(groups / "bronze.qrels").rows())[:1] == [("q1", "d00000", 1)]


def test_no_token_leaves_the_database(
    lite_with_model: Any, make_model: Any, tmp_path: Path
) -> None:
    token = make_model(lite_with_model).token
    content = b"".join(contents(export(lite_with_model, tmp_path / "out", "--documents")).values())
    assert token.encode() not in content
    assert ApiToken.objects.count() == 2
    for kept in ApiToken.objects.all():
        assert kept.token_sha256.encode() not in content


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("models.jsonl", '"prompt": "Is', '"prompt": "Was', "prompt_sha256 is "),
        ("models.jsonl", '"assessor": "gpt-x"', '"assessor": "gpt-y"', "'gpt-y' is unknown"),
        ("models.jsonl", '"parameters": "{', '"parameters": "{ ', "expected a JSON object"),
        ("models.jsonl", '"version": 1', '"version": "one"', "expected a whole number"),
        ("events.jsonl", '"setting": 2', '"setting": 3', "setting is 3; expected a version that"),
        ("events.jsonl", '"setting": 2', '"setting": "x"', "expected a whole number"),
    ],
)
def test_faulty_records_of_models_are_refused_with_their_place(
    lite_with_model: Any,
    tmp_path: Path,
    give_tables: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    problem: str,
) -> None:
    folder = give_tables(export(lite_with_model, tmp_path / "out"))
    path = folder / "app" / name
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(old, new, 1), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != before
    error = refused(folder, capsys)
    assert problem in error
    assert f"app/{name}:" in error


def test_without_docs_the_judgments_come_back_as_well(
    lite_judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    comes_back(export(lite_judged, tmp_path / "first"))


def test_preferences_are_the_answers_that_count(judged: Any, tmp_path: Path) -> None:
    path = export(judged, tmp_path / "out") / "preferences.csv"
    assert path.read_text().splitlines()[0] == "topic,left,right,outcome,assessor,round"
    counted = PairTask.objects.filter(purpose="search", withdrawn=False, is_judged=True)
    given = read_preferences(path)
    assert [row[:6] for row in given.rows()] == list(
        counted.order_by("number").values_list(
            "contest__topic__name", "left__name", "right__name", "outcome", "assessor__name",
            "round",
        )
    )  # fmt: skip
    assert given.assessors == ("b1", "b2")
    assert {row.outcome for row in given.rows()} == {-2, 1, 0}
    assert len(given.current()) == len(given)


def test_topk_and_pdp_take_the_export_as_it_is(
    lite_judged: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = export(lite_judged, tmp_path / "out")
    preferences, qrels = str(folder / "preferences.csv"), str(folder / "qrels" / "thin.qrels")
    capsys.readouterr()
    options = ["-k", "2", "--scheduler", "round-robin", "--seed", "0"]
    assert run(["topk", "result", qrels, preferences, *options]) == 0
    result = capsys.readouterr()
    assert "q1" in result.out
    assert "no pair asks" not in result.err
    judgments = str(folder / "judgments.csv")
    assert run(["pdp", judgments, "--preferences", preferences, "--untested", "half"]) == 0
    assert capsys.readouterr().out.startswith("topic,docs,pdp,se")


def test_versions_come_back(
    lite_judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    for name, old, new in (
        ("topics.jsonl", "topic 1", "another title"),
        ("campaign.toml", "Helps.", "Helps a little."),
    ):
        path = lite_judged.folder / name
        path.write_text(path.read_text().replace(old, new))
    assert run(["import", str(lite_judged.folder), "--accept-changes", "--quiet"]) == 0
    comes_back(export(lite_judged, tmp_path / "first"))
    assert Topic.objects.get(name="q1").version == 2
    texts = TopicVersion.objects.filter(topic__name="q1").order_by("version")
    assert [text.title for text in texts] == ["topic 1", "another title"]
    assert ScaleVersion.objects.count() == 2


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("documents", [["--documents"], []])
def test_docs_that_changed_after_they_were_judged_come_back(
    judged: Any, at_work: Any, tmp_path: Path, comes_back: Callable[..., Path], documents: list[str]
) -> None:
    """What was shown is known by its digest, also where the folder has only newer content."""
    change(judged.folder / "documents.jsonl", "word word", "other words")
    assert run(["import", str(judged.folder), "--accept-changes", "--quiet"]) == 0
    at_work(judged, "b2", "q2").judge(1, 1, op_id="after-the-change")
    comes_back(export(judged, tmp_path / "first", *documents), *documents)

    b1 = Assignment.objects.get(assessor__name="b1", topic__name="q1")
    assert [doc.doc.name for doc in docs_of(b1, "stale")] == ["d00000"]


def test_documents_bring_the_content_of_versions_that_are_known(
    lite_judged: Any, tmp_path: Path, give_tables: Callable[[Path], Path]
) -> None:
    copy = tmp_path / "copy"
    give_tables(shutil.copytree(export(lite_judged, tmp_path / "first"), copy))
    assert run(["import", str(copy), "--quiet"]) == 0

    client = type(lite_judged)(copy).client("b1")
    doc = AssignedDoc.objects.get(assignment__assessor__name="b1", doc__name="d00000",
                                  assignment__topic__name="q1")  # fmt: skip
    assert client.get(f"/doc/{doc.pk}").status_code == 404
    page = client.get(f"/judge/{doc.assignment_id}/{doc.position}")
    assert "The content of this doc is missing." in page.content.decode()
    shutil.copyfile(lite_judged.folder / "documents.jsonl", copy / "documents.jsonl")
    assert run(["import", str(copy), "--quiet"]) == 0
    assert client.get(f"/doc/{doc.pk}").status_code == 200
    assert DocVersion.objects.filter(doc__name="d00000").count() == 1
    assert run(["verify", str(copy), "--quiet"]) == 0


@pytest.mark.full
def test_the_order_of_records_does_not_depend_on_the_database_s_language(
    postgres: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_campaign: Any,
    open_app: Any,
) -> None:
    import psycopg

    toml = 'format = 1\n[scale]\nrange = "0..2"\n[groups.g]\nassessors = ["b", "A", "a-1", "a1"]\n'
    found = {}
    for kind in ("sqlite", "icu"):
        folder = make_campaign(tmp_path / kind, toml=toml)
        if kind == "icu":
            with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
                connection.execute(
                    "CREATE DATABASE icu TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'"
                )
            monkeypatch.setenv("DATABASE_URL", f"{postgres}/icu")
        with open_app(folder) as app:
            out = export(app, tmp_path / f"{kind}-out")
        found[kind] = {
            name: [json.loads(line)["name" if name == "assessors" else "assessor"] for line in
                   (out / "app" / f"{name}.jsonl").read_text().splitlines()]
            for name in ("assessors", "assignments")
        }  # fmt: skip
    assert found["icu"] == found["sqlite"]
    assert found["icu"]["assessors"] == ["A", "a-1", "a1", "b"]


@pytest.mark.slow
def test_the_audit_reads_an_export_whose_qrels_are_called_like_a_group(
    lite_judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    """As in the demo collection, whose gold labels may be judged once more: both are told apart."""
    (lite_judged.folder / "qrels").mkdir(exist_ok=True)
    (lite_judged.folder / "qrels" / "bronze.qrels").write_text("q1 0 d00000 2\nq1 0 d00001 0\n")
    path = lite_judged.folder / "campaign.toml"
    more = '[qrels."bronze.qrels"]\ngroup = "bronze"\n[models.bronze]\nfamily = "m"\n'
    path.write_text(path.read_text() + more)
    first = export(lite_judged, tmp_path / "first")
    names = {path.name for path in (first / "qrels").iterdir()}
    assert names & {"bronze.qrels", "given-bronze.qrels"} == {"given-bronze.qrels"}
    settings = (first / "campaign.toml").read_text()
    assert '[qrels."given-bronze.qrels"]' in settings
    assert "[models.given-bronze]" in settings
    comes_back(first)
    assert run(["audit", str(first), "--quiet"]) == 0
    page = (first / "audit" / "audit.html").read_text()
    assert "bronze" in page
    assert "are not part of a campaign" not in page


def test_no_person_is_in_an_export(lite_judged: Any, tmp_path: Path) -> None:
    Account.objects.update(email="somebody@example.org")
    Account.objects.filter(assessor__name="b1").update(login="A Person's Name")
    content = b"".join(contents(export(lite_judged, tmp_path / "out", "--documents")).values())
    secret = (lite_judged.folder / ".qrelsmith" / "secret.key").read_bytes().strip()
    for private in (b"A Person's Name", b"somebody@example.org", secret, b"scrypt"):
        assert private not in content


def test_the_excerpt_is_in_the_records(lite_judged: Any, tmp_path: Path) -> None:
    events = export(lite_judged, tmp_path / "out") / "app" / "events.jsonl"
    found = [json.loads(line) for line in events.read_text().splitlines()]
    excerpts = [each.get("excerpt") for each in found if each["assessor"] == "b2"]
    assert excerpts == ["words of the doc", None, None]
    assert sum("undoes" in each for each in found) == 1


def test_a_spreadsheet_takes_no_cell_for_a_formula(lite_judged: Any, tmp_path: Path) -> None:
    folder = export(lite_judged, tmp_path / "out", "--spreadsheet")
    exact = read_judgments(folder / "judgments.csv")
    harmless = read_judgments(folder / "labels" / "judgments-spreadsheet.csv")
    assert exact.note is not None
    assert harmless.note is not None
    assert exact.note[0].startswith("=1+1")
    assert harmless.note[0] == "'" + exact.note[0]
    assert exact.grade.tolist() == harmless.grade.tolist()


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"])
def test_whatever_begins_a_formula_gets_an_apostrophe(lite_app: Any, first: str) -> None:
    text = f"{first}cmd|' /C calc'!A0"
    assert without_formula(text) == f"'{text}"
    assert without_formula("plain = text") == "plain = text"


def test_a_folder_that_is_not_empty_is_left_alone(
    lite_app: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("x")
    assert run(["export", str(lite_app.folder), "-o", str(tmp_path / "out")]) == 2
    assert "already exists and is not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["precious"]


def test_an_export_of_nothing_is_a_campaign(
    lite_app: Any, tmp_path: Path, give_tables: Callable[[Path], Path]
) -> None:
    folder = give_tables(export(lite_app, tmp_path / "out"))
    assert not (folder / "judgments.csv").exists()
    assert run(["import", str(folder), "--quiet"]) == 0


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        (
            "events.jsonl",
            '"assessor": "b2"',
            '"assessor": "b9"',
            "found no assignment with assessor 'b9'",
        ),
        (
            "events.jsonl",
            '"doc": "d00001"',
            '"doc": "d9"',
            "doc is 'd9'; expected one of its items",
        ),
        ("events.jsonl", '"kind": "undo"', '"kind": "redo"', "kind is 'redo'"),
        ("events.jsonl", '"value": 2', '"value": 99', "value is 99; expected a level of 0, 1, 2"),
        ("events.jsonl", '"value": 2', '"value": 1.5', "value is 1.5; expected a level of 0, 1, 2"),
        ("events.jsonl", '"value": 2, ', "", "value is missing"),
        ("events.jsonl", '"scale_version": 1', '"scale_version": 7', "scale_version is 7"),
        ("events.jsonl", '"topic_version": 1', '"topic_version": 7', "topic_version is 7"),
        ("events.jsonl", '"sha256": "', '"sha256": "x', "sha256 is 'x"),
        ("scale-versions.jsonl", '"content": "{', '"content": "', "expected a JSON object"),
        ("events.jsonl", '"revision": 1', '"revision": "one"', "expected a whole number"),
        ("events.jsonl", '"op_id"', '"operation"', "unknown key 'operation'"),
        ("events.jsonl", '"accepted_at": "2', '"accepted_at": "x2', "expected a time"),
        ("assignments.jsonl", '"topic": "q2"', '"topic": "q9"', "topic 'q9' is unknown"),
        ("contests.jsonl", '"topic": "q1"', '"topic": "q9"', "the topic 'q9' is unknown"),
        ("contests.jsonl", '"setting": "{', '"setting": "', "expected a JSON object"),
        ("contests.jsonl", '"nonrelevant": "[', '"nonrelevant": "', "expected a JSON array"),
        ("pairs.jsonl", '"assessor": "b1"', '"assessor": "b9"', "the assessor 'b9' is unknown"),
        ("pairs.jsonl", '"purpose": "search"', '"purpose": "fun"', "purpose is 'fun'; expected"),
        ("pairs.jsonl", '"better": "', '"better": "x', "expected left, right or nothing"),
        ("pairs.jsonl", '"slot": 1, ', "", "the key slot is missing"),
        (
            "pairs.jsonl",
            '"number": 2, ',
            '"number": 1, ',
            "number '1' is already on line 1; expected it once",
        ),
        (
            "preference_events.jsonl",
            '"assessor": "b1"',
            '"assessor": "b2"',
            "assessor is 'b2'; expected 'b1'",
        ),
        (
            "preference_events.jsonl",
            '"pair": 1,',
            '"pair": 99,',
            "pair is '99'; expected one of its items",
        ),
        ("preference_events.jsonl", '"kind": "undo"', '"kind": "redo"', "kind is 'redo'"),
        ("preference_events.jsonl", '"outcome": -2', '"outcome": 3', "outcome is 3; expected one"),
        ("preference_events.jsonl", '"outcome": -2, ', "", "the key outcome is missing"),
        ("preference_events.jsonl", '"left_sha256": "', '"left_sha256": "x', "expected the 64"),
        ("preference_events.jsonl", '"topic_version": 1', '"topic_version": 7', "topic_version is"),
        (
            "preference_events.jsonl",
            '"settings_version": 1',
            '"settings_version": 7',
            "settings_version is 7",
        ),
        ("format.json", "1", "2", "; expected"),
        ("format.json", "{", "", "expected"),
    ],
)
def test_faulty_records_are_refused_with_their_place(
    exported: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, new: str, problem: str
) -> None:
    path = exported / "app" / name
    path.write_text(path.read_text().replace(old, new, 1))
    error = refused(exported, capsys)
    assert problem in error
    assert f"app/{name}" in error


def test_events_that_contradict_each_other_are_refused(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = exported / "app" / "events.jsonl"
    first = path.read_text().splitlines()[0]
    path.write_text(path.read_text() + first.replace('"op_id": "', '"op_id": "other-') + "\n")
    assert "repeats a revision" in refused(exported, capsys)


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The one line with which an import is refused."""
    capsys.readouterr()
    assert run(["import", str(folder), *options]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    return error


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_an_import_that_is_refused_leaves_nothing(
    exported_once: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    let_go: None,
    options: list[str],
) -> None:
    folder = shutil.copytree(exported_once, tmp_path / "out")
    (folder / "app" / "pairs.jsonl").unlink()
    before = sorted(folder.rglob("*"))
    assert str(folder / "app" / "pairs.jsonl") in refused(folder, capsys, *options)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "name",
    [
        "events", "assignments", "assessors", "models", "topic-versions", "scale-versions",
        "doc-versions", "contests", "pairs", "preference_events", "preference_versions",
    ],
)  # fmt: skip
def test_an_export_that_lacks_records_is_refused(
    lite_with_model: Any,
    tmp_path: Path,
    give_tables: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    folder = give_tables(export(lite_with_model, tmp_path / "out"))
    path = folder / "app" / f"{name}.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    problem = f"{path}: found {len(lines) - 1} records; expected {len(lines)} by manifest.json"
    assert problem in refused(folder, capsys)
    path.unlink()
    assert f"{path}: the file is missing" in refused(folder, capsys)


@pytest.mark.parametrize("name", ["app/format.json", "manifest.json", "app"])
def test_an_export_without_what_tells_it_is_refused(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (exported / name).rename(tmp_path / "away")
    assert f"{exported / name}" in refused(exported, capsys)


@pytest.mark.parametrize("documents", [["--documents"], []])
def test_an_event_on_what_is_no_version_of_its_doc_is_refused(
    lite_judged: Any,
    tmp_path: Path,
    give_tables: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    documents: list[str],
) -> None:
    folder = give_tables(export(lite_judged, tmp_path / "out", *documents))
    path = folder / "app" / "events.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    lines[1] = re.sub('"sha256": "[0-9a-f]{64}"', f'"sha256": "{"0" * 64}"', lines[1])
    path.write_text("".join(lines))
    error = refused(folder, capsys)
    assert f'{path}:2: sha256 is "{"0" * 64}"; expected the digest of a version of doc' in error
    assert '"d00001"' in error


def test_versions_that_are_others_here_are_refused(
    lite_judged: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A version's number does not tell it; what was judged by one text is no label of another."""
    for name, old, new, problem in (
        (
            "scale-versions.jsonl",
            "Helps.",
            "Hinders.",
            ":1: version '1' differs from the existing one in content",
        ),
        ("topic-versions.jsonl", "topic 2", "topic two", ":2: topic 'q2', version '1' differs"),
        ("doc-versions.jsonl", '"sha256": "', '"sha256": "0', ":1: version 1 of the doc 'd00000'"),
    ):
        folder = export(lite_judged, tmp_path / name)
        shutil.copytree(lite_judged.folder / ".qrelsmith", folder / ".qrelsmith")
        assert run(["import", str(folder), "--quiet"]) == 0
        change(folder / "app" / name, old, new)
        capsys.readouterr()
        assert run(["import", str(folder)]) == 2
        assert f"{folder / 'app' / name}{problem}" in capsys.readouterr().err


def test_an_unjudged_scale_may_be_another_one(
    lite_app: Any, tmp_path: Path, give_tables: Callable[[Path], Path]
) -> None:
    folder = give_tables(export(lite_app, tmp_path / "out"))
    change(folder / "campaign.toml", "Helps.", "Helps a little.")
    for _ in range(2):
        assert run(["import", str(folder), "--quiet"]) == 0


def test_an_operation_that_comes_twice_is_named(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = exported / "app" / "events.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]))
    error = refused(exported, capsys)
    assert f"{path}:{len(lines) + 1}: op_id is " in error
    assert "which line 2 already has" in error


def test_an_import_that_fails_takes_back_what_it_recorded(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = exported / "app" / "events.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:-1], lines[-1].replace('"value": 2', '"value": 99')]))
    assert f"{path}:{len(lines)}: value is 99" in refused(exported, capsys)

    for table in (Assessor, AssignedDoc, Contest, Event, ScaleVersion, Topic):
        assert not table.objects.exists()


def test_verify_tells_of_labels_off_their_scale(
    lite_judged: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    event = Event.objects.order_by("id")[1]
    kept = {"assessor": event.assessor, "assignment": event.assignment, "sha256": event.sha256}
    texts = {"topic_version": 1, "scale_version": 1}
    # As if an earlier program had taken them.
    for number, wrong in enumerate(({"value": 1.5}, {"scale_version": 7}, {"topic_version": 8}), 2):
        Event.objects.create(
            op_id=f"wrong-{number}", kind="judge", assigned=event.assigned, base_revision=number,
            revision=number + 1, **({"value": 1} | kept | texts | wrong),
        )  # fmt: skip
    rebuilt()
    assert run(["verify", str(lite_judged.folder)]) == 2
    output = capsys.readouterr()
    assert "judgments match versions of scale and topic,28,3" in output.out
    assert "event wrong-2 has 1.5, which is not on version 1 of the scale" in output.err
    assert "event wrong-3 names version 7 of the scale" in output.err
    assert "event wrong-4 names version 8 of its topic" in output.err
