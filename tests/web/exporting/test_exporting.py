"""Exports: what the audit and other commands read, and what is excluded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.exporting.conftest import export
from tests.web.fixtures.exports import contents

from qrelsmith.base.spreadsheets import without_formula
from qrelsmith.cli import run
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.web.models import Account, ApiToken, Event, PairTask
from qrelsmith.web.verification.whole import rebuilt

pytestmark = pytest.mark.slow


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


def test_judgments_contain_time_position_and_duration(lite_judged: Any, tmp_path: Path) -> None:
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


def test_labels_are_exported_by_assessor_by_group_and_for_all(
    lite_judged: Any, tmp_path: Path
) -> None:
    labels = export(lite_judged, tmp_path / "out") / "labels"
    b1 = read_qrels(labels / "assessors" / "b1.qrels")
    assert list(b1.rows()) == [("q1", "d00000", 2), ("q1", "d00001", 1), ("q1", "d00002", -2)]
    everybody = read_qrels(labels / "all.qrels")
    # The lower median of 2 and 1; codes are not grades.
    assert list(everybody.rows()) == [("q1", "d00000", 1), ("q1", "d00001", 1), ("q2", "d00004", 2)]
    assert (labels / "groups" / "bronze.qrels").read_bytes() == (labels / "all.qrels").read_bytes()


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
    # Human labels are unchanged.
    assert list(read_qrels(groups / "bronze.qrels").rows())[:1] == [("q1", "d00000", 1)]


def test_no_token_is_exported(lite_with_model: Any, make_model: Any, tmp_path: Path) -> None:
    token = make_model(lite_with_model).token
    content = b"".join(contents(export(lite_with_model, tmp_path / "out", "--documents")).values())
    assert token.encode() not in content
    assert ApiToken.objects.count() == 2
    for kept in ApiToken.objects.all():
        assert kept.token_sha256.encode() not in content


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


def test_topk_and_pdp_read_the_export_unchanged(
    lite_judged: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = export(lite_judged, tmp_path / "out")
    preferences, qrels = str(folder / "preferences.csv"), str(folder / "qrels" / "thin.qrels")
    capsys.readouterr()
    options = ["-k", "2", "--scheduler", "round-robin", "--seed", "0"]
    assert run(["topk", "result", qrels, preferences, *options]) == 0
    result = capsys.readouterr()
    assert "q1" in result.out
    assert "pairs that are not asked" not in result.err
    judgments = str(folder / "judgments.csv")
    assert run(["pdp", judgments, "--preferences", preferences, "--untested", "half"]) == 0
    assert capsys.readouterr().out.startswith("topic,docs,pdp,se")


@pytest.mark.slow
def test_the_audit_reads_an_export_whose_qrels_have_the_name_of_a_group(
    lite_judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    """As in the demo collection, whose gold labels may be judged again: both are distinguished."""
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


def test_no_personal_data_is_in_an_export(lite_judged: Any, tmp_path: Path) -> None:
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
def test_every_beginning_of_a_formula_gets_an_apostrophe(lite_app: Any, first: str) -> None:
    text = f"{first}cmd|' /C calc'!A0"
    assert without_formula(text) == f"'{text}"
    assert without_formula("plain = text") == "plain = text"


def test_a_folder_that_is_not_empty_is_unchanged(
    lite_app: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("x")
    assert run(["export", str(lite_app.folder), "-o", str(tmp_path / "out")]) == 2
    assert "already exists and is not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["precious"]


def test_an_export_without_judgments_is_a_campaign(
    lite_app: Any, tmp_path: Path, give_tables: Callable[[Path], Path]
) -> None:
    folder = give_tables(export(lite_app, tmp_path / "out"))
    assert not (folder / "judgments.csv").exists()
    assert run(["import", str(folder), "--quiet"]) == 0


def test_verify_reports_labels_outside_their_scale(
    lite_judged: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    event = Event.objects.order_by("id")[1]
    kept = {"assessor": event.assessor, "assignment": event.assignment, "sha256": event.sha256}
    texts = {"topic_version": 1, "scale_version": 1}
    # As if an earlier program had accepted them.
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
