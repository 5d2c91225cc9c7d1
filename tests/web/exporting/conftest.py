"""Campaigns with every kind of judgment, their exports, and changes of these exports."""

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


@pytest.fixture
def judged(app: Any, at_work: Any, contests_of: Any, comparing: Any) -> Any:
    """Return a campaign with judgments, rounds, undos, codes, notes, times, on both databases."""
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
    """Return the same on SQLite; to be copied."""
    folder = tmp_path_factory.mktemp("judged-once") / "campaign"
    shutil.copytree(ready_folder, folder)
    with open_app(folder, is_ready=True) as app:
        compare_some(app, contests_of, comparing)
        judge_some(app, at_work)
    return folder


@pytest.fixture(scope="session")
def exported_once(judged_once_folder: Path, open_app: Any) -> Path:
    """Return its export; to be copied."""
    with open_app(judged_once_folder, is_ready=True) as app:
        return export(app, judged_once_folder.parent / "export")


@pytest.fixture
def lite_judged(copied_app: Any) -> Iterator[Any]:
    """Return the same on SQLite, for tests that do not depend on the database."""
    with copied_app("judged_once", on="sqlite") as app:
        yield app


@pytest.fixture
def exported(
    exported_once: Path, tmp_path: Path, give_tables: Callable[[Path], Path], let_go: None
) -> Path:
    """Return the export of the judged app, with an empty database for its import."""
    return give_tables(shutil.copytree(exported_once, tmp_path / "out"))


def compare_some(app: Any, contests_of: Any, comparing: Any) -> None:
    """Add answers to pairs: changed and undone ones, attention checks, repeats, withdrawn pairs."""
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
    """Return the same with a model that judged with two prompts, on both databases."""
    return judge_as_model(judged, model)


@pytest.fixture
def lite_with_model(lite_judged: Any, make_model: Any) -> Any:
    """Return the same on SQLite."""
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


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return the one-line error message of a refused import."""
    capsys.readouterr()
    assert run(["import", str(folder), *options]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    return error
