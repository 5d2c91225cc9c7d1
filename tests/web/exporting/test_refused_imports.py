"""Damaged or changed exports are refused with the place of the error, and record nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.exporting.conftest import change, export, refused

from qrelsmith.cli import run
from qrelsmith.web.models import Assessor, AssignedDoc, Contest, Event, ScaleVersion, Topic

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("models.jsonl", '"prompt": "Is', '"prompt": "Was', "prompt_sha256 is "),
        ("models.jsonl", '"assessor": "gpt-x"', '"assessor": "gpt-y"', "'gpt-y' is unknown"),
        ("models.jsonl", '"parameters": "{', '"parameters": "{ ', "expected a JSON object"),
        ("models.jsonl", '"version": 1', '"version": "one"', "expected a whole number"),
        (
            "events.jsonl",
            '"setting": 2',
            '"setting": 3',
            "'setting' is 3; expected the version of a setting of",
        ),
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
        ("pairs.jsonl", '"better": "', '"better": "x', "expected 'left', 'right' or an empty text"),
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
        (
            "preference_events.jsonl",
            '"left_sha256": "',
            '"left_sha256": "x',
            "expected the SHA-256",
        ),
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


def test_contradictory_events_are_refused(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = exported / "app" / "events.jsonl"
    first = path.read_text().splitlines()[0]
    path.write_text(path.read_text() + first.replace('"op_id": "', '"op_id": "other-') + "\n")
    assert "repeats a revision" in refused(exported, capsys)


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_a_refused_import_records_nothing(
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
def test_an_export_with_missing_records_is_refused(
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
    problem = f"{path}: found {len(lines) - 1} records; expected {len(lines)} (manifest.json)"
    assert problem in refused(folder, capsys)
    path.unlink()
    assert f"{path}: the file is missing" in refused(folder, capsys)


@pytest.mark.parametrize("name", ["app/format.json", "manifest.json", "app"])
def test_an_export_without_its_manifest_is_refused(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (exported / name).rename(tmp_path / "away")
    assert f"{exported / name}" in refused(exported, capsys)


@pytest.mark.parametrize("documents", [["--documents"], []])
def test_an_event_on_an_unknown_version_of_its_doc_is_refused(
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


def test_versions_that_differ_here_are_refused(
    lite_judged: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The number does not identify a version; a label of one text is not valid for another."""
    for name, old, new, problem in (
        (
            "scale-versions.jsonl",
            "Helps.",
            "Hinders.",
            ":1: version '1' differs from the existing record in content",
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


def test_a_repeated_operation_is_named(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = exported / "app" / "events.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]))
    error = refused(exported, capsys)
    assert f"{path}:{len(lines) + 1}: op_id is " in error
    assert "which line 2 already has" in error


def test_a_failed_import_is_rolled_back(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = exported / "app" / "events.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:-1], lines[-1].replace('"value": 2', '"value": 99')]))
    assert f"{path}:{len(lines)}: value is 99" in refused(exported, capsys)

    for table in (Assessor, AssignedDoc, Contest, Event, ScaleVersion, Topic):
        assert not table.objects.exists()
