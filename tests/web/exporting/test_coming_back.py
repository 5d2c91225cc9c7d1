"""An import restores everything that was exported, with versions and models."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.exporting.conftest import change, export
from tests.web.fixtures.exports import contents

from qrelsmith.cli import run
from qrelsmith.web.graded.assigned import docs_of
from qrelsmith.web.models import (
    AssignedDoc,
    Assignment,
    DocVersion,
    ScaleVersion,
    Topic,
    TopicVersion,
)

pytestmark = pytest.mark.slow


def test_export_import_export_is_identical(
    judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    first = export(judged, tmp_path / "first", "--documents")
    comes_back(first, "--documents")
    assert len(contents(first)) >= 15


def test_model_settings_are_exported_and_imported(
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


def test_judgments_are_imported_even_without_docs(
    lite_judged: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    comes_back(export(lite_judged, tmp_path / "first"))


def test_versions_are_imported(
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


@pytest.mark.parametrize("documents", [["--documents"], []])
def test_docs_changed_after_they_were_judged_are_imported(
    judged: Any, at_work: Any, tmp_path: Path, comes_back: Callable[..., Path], documents: list[str]
) -> None:
    """The shown version is known by its digest, even if the folder has only newer content."""
    change(judged.folder / "documents.jsonl", "word word", "other words")
    assert run(["import", str(judged.folder), "--accept-changes", "--quiet"]) == 0
    at_work(judged, "b2", "q2").judge(1, 1, op_id="after-the-change")
    comes_back(export(judged, tmp_path / "first", *documents), *documents)

    b1 = Assignment.objects.get(assessor__name="b1", topic__name="q1")
    assert [doc.doc.name for doc in docs_of(b1, "stale")] == ["d00000"]


def test_documents_add_the_content_of_known_versions(
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
def test_the_order_of_records_does_not_depend_on_the_databases_language(
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


def test_an_unused_scale_may_differ(
    lite_app: Any, tmp_path: Path, give_tables: Callable[[Path], Path]
) -> None:
    folder = give_tables(export(lite_app, tmp_path / "out"))
    change(folder / "campaign.toml", "Helps.", "Helps a little.")
    for _ in range(2):
        assert run(["import", str(folder), "--quiet"]) == 0
