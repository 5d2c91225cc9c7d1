"""Crowd work is exported and imported unchanged, without names."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.crowd.conftest import open_batch, set_up
from tests.web.fixtures.exports import contents, exported

from qrelsmith.cli import run
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.web.crowd.claims import release_overdue
from qrelsmith.web.crowd.verification import crowd_checks
from qrelsmith.web.models import CrowdWorker, Hit, PairTask, Sitting


@pytest.fixture
def busy(app: Any, make_crowd: Callable[..., Any], again: Callable[..., Any]) -> Any:
    """Return two batches with workers in every state, on both databases."""
    return at_work(make_crowd(app), again)


@pytest.fixture(scope="session")
def busy_once(
    ready_folder: Path, tmp_path_factory: pytest.TempPathFactory, open_app: Callable[..., Any]
) -> Any:
    """Return the same on SQLite, without training; to be copied."""
    folder = shutil.copytree(ready_folder, tmp_path_factory.mktemp("busy") / "campaign")
    with open_app(folder, is_ready=True) as app:
        return at_work(open_batch(set_up(app, training=False)), open_batch)


@pytest.fixture(scope="session")
def busy_once_folder(busy_once: Any) -> Path:
    folder: Path = busy_once.app.folder
    return folder


@pytest.fixture
def lite_busy(busy_once: Any, copied_app: Callable[..., Any]) -> Iterator[Any]:
    """Return a copy of it."""
    with copied_app("busy_once", on="sqlite") as app:
        yield replace(busy_once, app=app)


@pytest.fixture(scope="session")
def exported_docs(
    ready_folder: Path, tmp_path_factory: pytest.TempPathFactory, open_app: Callable[..., Any]
) -> Path:
    """Return the export of a campaign with a submitted HIT of docs; to be copied."""
    top = tmp_path_factory.mktemp("docs")
    with open_app(shutil.copytree(ready_folder, top / "campaign"), is_ready=True) as app:
        worker = open_batch(set_up(app), "docs", "prolific").worker()
        worker.begin()
        worker.learn()
        worker.answer_all()
        return exported(app.folder, top / "out")


def at_work(crowd: Any, again: Callable[..., Any]) -> Any:
    careful, careless, slow, untaught, waiting = (
        crowd.worker(name) for name in ("A1", "C1", "D1", "E1", "F1")
    )
    if crowd.batch.training:
        untaught.begin()
        untaught.learn(right=False)
    for worker in (careful, careless, slow):
        worker.begin()
        worker.learn()
    careful.answer_all()
    careless.answer_all(careful=False)
    slow.answer()
    release_overdue(crowd.batch, minutes=0)
    waiting.begin()
    waiting.learn()
    waiting.answer()  # HITs that are not submitted do not count yet
    docs = again(crowd.app, "docs", "prolific")
    for name, is_careful in (("P1", True), ("P2", False)):
        worker = docs.worker(name)
        worker.begin()
        worker.learn()
        worker.answer_all(careful=is_careful)
    half = docs.worker("P3")
    half.begin()
    half.learn()
    half.answer()
    crowd.workers = {"careful": careful, "careless": careless, "slow": slow}
    return crowd


def test_export_import_export_is_identical(
    busy: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    checks = crowd_checks()
    assert [each.examples for each in checks] == [[]] * 5
    assert all(each.rows for each in checks)
    assert run(["verify", str(busy.app.folder), "--quiet"]) == 0
    first = exported(busy.app.folder, tmp_path / "first", "--documents")
    comes_back(first, "--documents")
    for name in ("batches", "workers", "hits", "sittings", "training"):
        assert (first / "app" / f"crowd_{name}.jsonl").stat().st_size > 0, name


def test_exports_contain_pseudonyms_and_no_codes(lite_busy: Any, tmp_path: Path) -> None:
    content = b"".join(
        contents(exported(lite_busy.app.folder, tmp_path / "out", "--documents")).values()
    )
    for worker in CrowdWorker.objects.all():
        assert worker.platform_id.encode() not in content
        assert (worker.digest or "-").encode() not in content
    for sitting in Sitting.objects.all():
        for private in (sitting.reference, sitting.nonce, sitting.code_sha256):
            assert not private or private.encode() not in content
    assert lite_busy.address.encode() not in content


def test_only_hits_that_count_are_among_the_preferences(lite_busy: Any, tmp_path: Path) -> None:
    folder = exported(lite_busy.app.folder, tmp_path / "out")
    preferences = read_preferences(folder / "preferences.csv")
    assert set(preferences.assessors) == {lite_busy.workers["careful"].pseudonym}
    assert len(preferences) == 5


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        (
            "crowd_hits",
            '"state": "finished"',
            '"state": "lost"',
            "state is 'lost'; expected one of",
        ),
        (
            "crowd_hits",
            '"state": "finished"',
            '"state": "open"',
            "the HIT is open but has a worker",
        ),
        ("crowd_batches", '"kind": "docs"', '"kind": "runs"', "kind is 'runs'; expected one of"),
        ("crowd_sittings", '"batch": "docs-1"', '"batch": "x"', "the batch 'x' is unknown"),
        (
            "crowd_sittings",
            '"result": "finished"',
            '"result": "x"',
            "result is 'x'; expected one of",
        ),
        ("crowd_training", '"batch": "docs-1"', '"batch": "x"', "the batch 'x' is unknown"),
    ],
)
def test_an_impossible_record_is_reported_with_its_place(
    exported_docs: Path,
    tmp_path: Path,
    give_tables: Callable[[Path], Path],
    let_go: None,
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    words: str,
) -> None:
    folder = give_tables(shutil.copytree(exported_docs, tmp_path / "out"))
    path = folder / "app" / f"{name}.jsonl"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    capsys.readouterr()
    assert run(["import", str(folder), "--quiet"]) == 2
    error = capsys.readouterr().err
    assert f"app/{name}.jsonl:" in error
    assert words in error


def test_inconsistent_data_is_found(lite_busy: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def faults() -> list[bool]:
        return [bool(each.wrong) for each in crowd_checks()]

    hit = Hit.objects.filter(state="finished", topic=None).get()
    PairTask.objects.filter(hit=hit.key, position=1).update(assessor=None)
    assert faults() == [True, False, False, False, False]
    PairTask.objects.filter(hit=hit.key).update(assessor=hit.worker.assessor)
    PairTask.objects.filter(hit=hit.key, position=1).update(is_judged=False)
    assert faults() == [False, True, False, False, False]
    PairTask.objects.filter(hit=hit.key).update(is_judged=True)
    discarded = Hit.objects.filter(state="discarded", topic=None).get()
    PairTask.objects.filter(hit=discarded.key, purpose="challenge").update(withdrawn=False)
    assert faults() == [False, False, True, False, False]
    PairTask.objects.filter(hit=discarded.key).update(withdrawn=True)
    replacement = Hit.objects.filter(follows=discarded)
    number = replacement.get().pk
    replacement.update(follows=None)
    assert faults() == [False, False, True, False, False]
    Hit.objects.filter(pk=number).update(follows=discarded)
    CrowdWorker.objects.filter(pk=discarded.worker_id).update(excluded_at=None)
    assert faults() == [False, False, False, True, False]
    CrowdWorker.objects.filter(pk=discarded.worker_id).update(excluded_at="2026-01-01T00:00Z")
    Sitting.objects.filter(hit=discarded).update(result="empty")
    assert faults() == [False, False, False, False, True]
