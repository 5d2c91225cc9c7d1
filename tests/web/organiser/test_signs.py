"""Quality alerts during judging: figures, without accusations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.web.organiser.conftest import ASSIGNMENTS, TOML, judge_at

from qrelsmith import find_damages
from qrelsmith.cli import run
from qrelsmith.web.models import Account, Assessor, AssignedDoc, Role

Read = Callable[..., Any]
ADDRESS = "/organiser/signs"
INNOCENT = (
    "Check whether the assessor already knew the docs, and whether the reading time was measured"
    " correctly."
)


def test_with_few_judgments_there_are_no_alerts(unjudged: Any, read: Read) -> None:
    assert "There are too few judgments for quality alerts." in read(unjudged, ADDRESS).text


def test_ordinary_judgments_give_no_alerts(lite_judged: Any, read: Read) -> None:
    assert " found no problem" in read(lite_judged, ADDRESS).text


def test_viewers_see_no_alerts(lite_judged: Any, read: Read) -> None:
    read(lite_judged, ADDRESS, status=403, role="viewer")


def test_an_assessor_who_judges_in_a_second_is_shown_with_figures_and_innocent_causes(
    tmp_path: Path, make_campaign: Any, open_app: Any, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    folder = make_campaign(tmp_path / "c", docs=30, toml=TOML)
    rows = [row for row in ASSIGNMENTS.splitlines() if "randomised" not in row]
    (folder / "assignments.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with open_app(folder) as app:
        for assessor, seconds in (("g1", 20), ("z1", 1)):
            judge_docs(assessor, seconds)
        page = read(app, ADDRESS)
        assert run(["export", str(app.folder), "-o", str(tmp_path / "e"), "--quiet"]) == 0
    assert page.rows("Quality alerts") == [
        ["zinc", "z1", "100% of the docs took less than 2 seconds each.", "< .001", INNOCENT, "z1"]
    ]
    # The same result as of the question on the exported data.
    found = find_damages(tmp_path / "e", kinds=["hurried", "tail", "copied", "outlying-assessor"])
    assert [(row.label_set, row.assessor, row.value) for row in found.found] == [
        ("zinc", "z1", 1.0)
    ]


def judge_docs(name: str, seconds: float) -> None:
    """Judge all docs of an assessor in order, with the given seconds per doc."""
    assessor = Assessor.objects.get(name=name)
    Account.objects.get_or_create(login=name, role=Role.ASSESSOR, assessor=assessor)
    at = datetime.now(UTC) - timedelta(days=3)
    docs = AssignedDoc.objects.filter(assignment__assessor=assessor).order_by("pk")
    for number, doc in enumerate(docs):
        shown, at = at, at + timedelta(seconds=seconds)
        judge_at(doc.pk, float(number % 3), shown, at)
