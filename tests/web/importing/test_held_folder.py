"""A campaign's folder compared with the judged data: another campaign's folder is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.web.models import Doc, Topic

INTENDED = "--accept-changes"


@pytest.fixture
def judged(app: Any, at_work: Callable[..., Any]) -> Path:
    """Return a campaign in which two docs of q1 are judged."""
    judge = at_work(app)
    judge.judge(1, 2)
    judge.judge(2, 0)
    folder: Path = app.folder
    return folder


def rewrite(path: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Change or drop each record of a JSONL file."""
    rows = [change(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows if row), encoding="utf-8")


def topics_changed(folder: Path) -> None:
    rewrite(
        folder / "topics.jsonl",
        lambda row: row | {"description": "Which?"} if row["topic"] == "q1" else row,
    )


def topic_missing(folder: Path) -> None:
    rewrite(folder / "topics.jsonl", lambda row: None if row["topic"] == "q1" else row)


def docs_changed(folder: Path) -> None:
    rewrite(
        folder / "documents.jsonl",
        lambda row: {"doc_id": row["doc_id"], "text": "of another campaign"},
    )


def doc_missing(folder: Path) -> None:
    rewrite(folder / "documents.jsonl", lambda row: None if row["doc_id"] == "d00001" else row)


def level_missing(folder: Path) -> None:
    path = folder / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{ grade = 2,", "{ grade = 3,"), encoding="utf-8")


def level_added(folder: Path) -> None:
    path = folder / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    more = '{ grade = 3, label = "perfect" },\n]\n\n[judging]'
    path.write_text(text.replace("]\n\n[judging]", more), encoding="utf-8")


OTHERS = {
    topics_changed: "topics.jsonl: the topic 'q1' has judgments but a different text here",
    topic_missing: "topics.jsonl: the topic 'q1' has judgments but is missing here",
    docs_changed: "documents.jsonl: the doc 'd00000' has judgments but a different text here",
    doc_missing: "documents.jsonl: the doc 'd00001' has judgments but is missing here",
    level_missing: "campaign.toml: the levels are 0, 1, 3, but judgments have the grade 2",
    level_added: "campaign.toml: the levels are 0, 1, 2, 3, but judgments were made on 0, 1, 2",
}


@pytest.mark.parametrize("change", OTHERS, ids=lambda change: change.__name__)
def test_a_copied_folder_that_became_another_campaign_is_refused(
    change: Callable[[Path], None], judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(judged, copy)
    change(copy)
    for command in (
        ["import", str(copy)],
        ["import", str(copy), "--dry-run"],
        ["serve", str(copy), "--port", "0"],
        ["export", str(copy), "-o", str(tmp_path / "exported")],
    ):
        assert run(command) == 2
        said = capsys.readouterr().err
        assert OTHERS[change] in said
        assert said.count("\n") == 1
    assert not (tmp_path / "exported").exists()


@pytest.mark.parametrize("change", [topics_changed, docs_changed, level_added])
def test_an_intended_change_is_a_new_version_and_known_afterwards(
    change: Callable[[Path], None], judged: Path, tmp_path: Path
) -> None:
    change(judged)
    assert run(["import", str(judged), INTENDED]) == 0
    assert run(["import", str(judged)]) == 0
    assert run(["export", str(judged), "-o", str(tmp_path / "exported")]) == 0


@pytest.mark.parametrize("change", [topic_missing, doc_missing, level_missing])
def test_missing_data_with_judgments_is_always_an_error(
    change: Callable[[Path], None], judged: Path
) -> None:
    change(judged)
    assert run(["import", str(judged), INTENDED]) == 2


def test_an_extended_and_retitled_campaign_in_a_renamed_folder_is_the_same(
    judged: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "elsewhere" / "renamed"
    shutil.copytree(judged, moved)
    rewrite(moved / "topics.jsonl", lambda row: row | {"title": "retitled"})
    rewrite(moved / "documents.jsonl", lambda row: row | {"title": "retitled"})
    with (moved / "topics.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"topic": "q9", "title": "new"}\n')
    with (moved / "documents.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"doc_id": "d9", "text": "new"}\n')
    settings = (moved / "campaign.toml").read_text(encoding="utf-8")
    (moved / "campaign.toml").write_text(settings.replace("A small campaign", "Grown"))
    assert run(["import", str(moved)]) == 0
    assert (Topic.objects.count(), Doc.objects.count()) == (3, 7)
    assert run(["export", str(moved), "-o", str(tmp_path / "exported")]) == 0


def test_an_export_contains_earlier_versions_of_its_texts(
    judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert run(["export", str(judged), "-o", str(first), "--documents"]) == 0
    topics_changed(judged)
    docs_changed(judged)
    level_added(judged)
    assert run(["import", str(judged), INTENDED]) == 0
    assert run(["export", str(judged), "-o", str(second), "--documents"]) == 0
    # The second export is made with an app that has the first.
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert run(["import", str(first)]) == 0
    shutil.move(first / ".qrelsmith", second / ".qrelsmith")
    assert run(["import", str(second)]) == 0
