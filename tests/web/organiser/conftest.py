"""A campaign of a gold group and two bronze groups during judging, on both databases."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tests.web.fixtures.exports import exported as export_folder
from tests.web.organiser.endpoints import Endpoint, served_endpoint

from qrelsmith.cli import run
from qrelsmith.web.core.submissions import Timing
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.graded.kind import JudgmentSubmission, judge
from qrelsmith.web.models import Account, AssignedDoc, Assignment, Role

TOML = """\
format = 1
title = "Gold and bronze"

[scale]
levels = [
  { grade = 0, label = "not relevant", text = "Does not help." },
  { grade = 1, label = "relevant", text = "Helps." },
  { grade = 2, label = "highly relevant", text = "Answers." },
]

[groups.gold]
role = "gold"
assessors = ["g1"]

[groups.tin]
role = "bronze"
assessors = ["t1", "t2"]

[groups.zinc]
role = "bronze"
assessors = ["z1"]
"""
ASSIGNMENTS = """\
topic,assessor,group,ordering,seed
q1,g1,gold,prioritised,0
q2,g1,gold,randomised,7
q1,t1,tin,prioritised,0
q2,t1,tin,prioritised,0
q1,t2,tin,prioritised,0
q2,t2,tin,prioritised,0
q1,z1,zinc,prioritised,0
q2,z1,zinc,prioritised,0
"""
# The grades of ten docs by name; e is a code, a dash is not judged yet. Gold labels d1 of q1 and d2
# of q2 as not relevant, unlike both other groups.
GRADES = {
    ("g1", "q1"): "2010100e-0",
    ("t1", "q1"): "22112010-1",
    ("t2", "q1"): "2210200--1",
    ("z1", "q1"): "2110021001",
    ("g1", "q2"): "0000000001",
    ("t1", "q2"): "1020000001",
    ("t2", "q2"): "0020000001",
    ("z1", "q2"): "0010000000",
}  # fmt: skip
SECONDS = {"g1": 20, "t1": 10, "t2": 12, "z1": 5}


@pytest.fixture(scope="session")
def unjudged_folder(
    tmp_path_factory: pytest.TempPathFactory, make_campaign: Any, open_app: Any
) -> Path:
    """Return the campaign with its app ready on SQLite, without judgments; to be copied."""
    folder: Path = make_campaign(tmp_path_factory.mktemp("unjudged") / "c", docs=10, toml=TOML)
    (folder / "assignments.csv").write_text(ASSIGNMENTS, encoding="utf-8")
    content = (folder / "pools" / "prioritised.pool").read_text(encoding="utf-8")
    other = content.replace("ordering=prioritised", "ordering=randomised")
    (folder / "pools" / "randomised.pool").write_text(other, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        with open_app(folder):
            pass
    return folder


@pytest.fixture(scope="session")
def judged_folder(
    tmp_path_factory: pytest.TempPathFactory, unjudged_folder: Path, open_app: Any
) -> Path:
    """Return the campaign with the grades of `GRADES` on SQLite; to be copied."""
    folder = tmp_path_factory.mktemp("judged") / "c"
    shutil.copytree(unjudged_folder, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        with open_app(folder, is_ready=True):
            judge_everything()
    return folder


@pytest.fixture(scope="session")
def judged_database(
    make_database: Any, judged_folder: Path, open_app: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Return the name of a template database of PostgreSQL with the same data."""
    folder = tmp_path_factory.mktemp("moved") / "c"
    shutil.copytree(judged_folder, folder)
    with make_database() as url:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DATABASE_URL", url)
            with open_app(folder):
                judge_everything()
        yield url.rpartition("/")[2]


@pytest.fixture
def unjudged(copied_app: Any) -> Iterator[Any]:
    """Return the campaign on SQLite without judgments."""
    with copied_app("unjudged", on="sqlite") as app:
        yield app


@pytest.fixture
def judged(database: str, copied_app: Any) -> Iterator[Any]:
    """Return the campaign with the grades of `GRADES`, on both databases in turn."""
    with copied_app("judged", on=database) as app:
        yield app


@pytest.fixture
def lite_judged(copied_app: Any) -> Iterator[Any]:
    """Return the same on SQLite, for tests that do not depend on the database."""
    with copied_app("judged", on="sqlite") as app:
        yield app


def judge_everything() -> None:
    for (assessor, topic), grades in GRADES.items():
        judge_all(assessor, topic, grades)


def judge_all(assessor: str, topic: str, grades: str, *, round_: int = 1) -> None:
    """Judge the docs of an assignment in order, each by its name in `GRADES`."""
    assignment = Assignment.objects.get(assessor__name=assessor, topic__name=topic, round=round_)
    # An assessor without an account judges nothing.
    Account.objects.get_or_create(login=assessor, role=Role.ASSESSOR, assessor=assignment.assessor)
    docs = AssignedDoc.objects.filter(assignment=assignment).select_related("doc")
    opened = datetime.now(UTC) - timedelta(days=3)
    Assignment.objects.filter(pk=assignment.pk).update(created_at=opened, opened_at=opened)
    at = opened
    for doc in docs.order_by("position"):
        grade = grades[int(doc.doc.name[1:])]
        shown, at = at, at + timedelta(seconds=SECONDS[assessor])
        if grade != "-":
            judge_at(doc.pk, -2.0 if grade == "e" else float(grade), shown, at)


def judge_at(assigned: int, value: float, shown: datetime, at: datetime) -> None:
    """Judge a doc like the views, but at a time in the past."""
    from unittest.mock import patch

    doc = docs_of_lists().get(pk=assigned)
    milliseconds = round(1000 * (at - shown).total_seconds())
    submission = JudgmentSubmission(
        op_id=f"operation-{assigned}-{doc.revision}",
        assigned=assigned,
        value=value,
        sha256=doc.current_sha256,
        base_revision=doc.revision,
        timing=Timing(shown_for_ms=milliseconds, active_ms=milliseconds, idle_ms=0),
    )
    with patch("django.utils.timezone.now", return_value=at):
        judge(submission, doc.assignment_id, assessor=doc.assignment.assessor)


@pytest.fixture
def judge_again() -> Callable[..., None]:
    """Return `judge_all`, for rounds that a test has opened."""
    return judge_all


class Page:
    """The content of a page by its tags."""

    def __init__(self, answer: Any, *, status: int = 200) -> None:
        assert answer.status_code == status, answer.content.decode()[:2000]
        self.html = answer.content.decode()
        self.text = words(self.html)

    def rows(self, title: str) -> list[list[str]]:
        """Return the cells of the table below a heading."""
        found = re.search(
            rf"<h[123][^>]*>{re.escape(title)}</h[123]>.*?<tbody>(.*?)</tbody>",
            self.html,
            re.DOTALL,
        )
        assert found, title
        return [
            [words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
            for row in re.findall(r"<tr[^>]*>(.*?)</tr>", found[1], re.DOTALL)
        ]

    def fact(self, name: str) -> str:
        """Return a number at the top of a page."""
        found = re.search(rf"<dt>{re.escape(name)}</dt><dd>(.*?)</dd>", self.html, re.DOTALL)
        assert found, name
        return words(found[1])


def words(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


@pytest.fixture
def read() -> Callable[..., Page]:
    """Return a function that reads a page as an organiser."""

    def get(app: Any, address: str, *, status: int = 200, role: str = "organiser") -> Page:
        return Page(app.client(f"the-{role}", role=role).get(address), status=status)

    return get


@pytest.fixture
def exported(tmp_path: Path) -> Callable[[Any], Path]:
    """Return a function that exports a campaign with the command and returns the folder."""

    def export(app: Any, name: str = "export") -> Path:
        return export_folder(app.folder, tmp_path / name)

    return export


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """Return an endpoint allowed in browsers; the server itself has a key, too."""
    with served_endpoint() as endpoint:
        monkeypatch.setenv("QRELSMITH_ENDPOINTS", endpoint.url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-server")
        yield endpoint
