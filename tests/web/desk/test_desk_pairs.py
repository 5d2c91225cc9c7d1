"""Contradicted pairs: discussed by their assessors, or adjudicated, first blind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.adjudication import adjudication
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.web.desk.matters import pair_matter
from qrelsmith.web.docs.passages import text_digest
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.models import DeskEvent, PairTask
from qrelsmith.web.verification.whole import verified

OP = "operation-pairs-{}"


@pytest.fixture
def pair(app: Any, contests_of: Any, comparing: Any) -> Any:
    """Return b1's task of a pair with contradicting answers of b1 and b2, and b1's passage."""
    given = {"d00000": 1, "d00001": 1}
    contest, _ = contests_of(
        app, grades=given, scheduler="round-robin", share="pair", per_pair=2, choices=4,
        excerpt="optional",
    )  # fmt: skip
    for name, preferred in (("b1", "d00000"), ("b2", "d00001")):
        app.account(name)
        worker = comparing(app, name, contest)
        task = worker.next()
        text = visible_text(task.left.versions.get())
        passage = {"start": 5, "quote": text[5:14], "sha256": text_digest(text), "side": "left"}
        size = 2 if name == "b1" else 1
        outcome = -size if task.left.name == preferred else size
        worker.answer(task, outcome, passages=[passage] if name == "b1" else [])
    return PairTask.objects.get(assessor__name="b1", contest=contest)


def digests(task: Any) -> dict[str, str]:
    """Return the digests of the docs of a pair as in forms, by name of the doc."""
    return {doc.name: doc.versions.get().sha256 for doc in (task.left, task.right)}


def form(page: Any) -> dict[str, str]:
    """Return the hidden fields of the form of a verdict or an answer."""
    import re

    found = re.findall(r'name="(\w+)" value="([^"]*)"', page.content.decode())
    wanted = ("op_id", "base_revision", "left_sha256", "right_sha256")
    return {name: value for name, value in reversed(found) if name in wanted}


def left_of(page: Any, task: Any) -> str:
    """Return the doc that a page shows on the left."""
    shown = form(page)["left_sha256"]
    return next(name for name, digest in digests(task).items() if digest == shown)


def decide(client: Any, task: Any, *, best: str, size: int = 1, **more: str) -> Any:
    """Decide as adjudicator that a doc is better."""
    page = client.get(f"/organiser/desk/pairs/{task.pk}")
    value = -size if left_of(page, task) == best else size
    body = form(page) | {"value": str(value), "text": "It says so."} | more
    return client.post(f"/organiser/desk/pairs/{task.pk}/verdict", body)


def test_two_adjudicators_decide_blind_and_then_see_the_answers(app: Any, pair: Any) -> None:
    docs = pair.left, pair.right
    assert pair_matter(1, *docs) == pair_matter(1, *reversed(docs))
    first = app.client("first", role="organiser")
    second = app.client("second", role="organiser")
    listed = first.get("/organiser/preferences").content.decode()
    assert "Let assessors discuss 1 pair" in listed
    assert "much better" not in listed
    came = first.get("/organiser/desk/pairs/next")
    assert came["Location"].startswith("/organiser/desk/pairs/")
    address = f"/organiser/desk/pairs/{pair.pk}"
    blind = first.get(address).content.decode()
    assert 'id="answers"' not in blind
    assert "<mark>" not in blind
    assert decide(first, pair, best="d00001").status_code == 302
    seen = first.get(address).content.decode()
    assert 'id="answers"' in seen
    assert "<mark>word word<sup>" in seen
    assert "Decided blind." in seen
    assert first.get("/organiser/desk/pairs/next")["Location"] == "/organiser/preferences"
    # The second adjudicator decides blind, too, and sees the first verdict only with a different
    # decision.
    assert 'id="answers"' not in second.get(address).content.decode()
    late = decide(second, pair, best="d00000")
    assert late.status_code == 409
    assert "first" not in late.content.decode() or "decided" in late.content.decode()
    body = form(late) | {"value": "-1"}
    assert second.post(f"{address}/verdict", body).status_code == 302
    assert second.post(f"{address}/verdict", body).status_code == 302  # a retry is the same
    events = DeskEvent.objects.filter(kind="adjudicated").order_by("revision")
    assert [(each.revision, each.is_blind) for each in events] == [(1, True), (2, True)]
    assert events[0].value == 1  # d00001 over d00000
    assert sum(check.wrong for check in verified()) == 0


def test_a_value_that_is_not_a_choice_is_refused(app: Any, pair: Any) -> None:
    client = app.client("first", role="organiser")
    refused = decide(client, pair, best="d00000", value="0")  # no tie among four choices
    assert refused.status_code == 409
    refused = decide(client, pair, best="d00000", left_sha256="0" * 64)
    assert refused.status_code in (400, 409)
    assert not DeskEvent.objects.exists()


def test_a_viewer_sees_and_decides_nothing(app: Any, pair: Any) -> None:
    client = app.client("reader", role="viewer")
    page = client.get(f"/organiser/desk/pairs/{pair.pk}").content.decode()
    assert 'id="answers"' in page
    assert 'id="verdict"' not in page
    for path in (f"{pair.pk}/verdict", f"{pair.pk}/reveal", f"{pair.pk}/say", "discuss"):
        assert client.post(f"/organiser/desk/pairs/{path}").status_code == 403


def test_assessors_discuss_a_pair_and_one_changes_the_answer(app: Any, pair: Any) -> None:
    organiser, b1, b2 = app.client("first", role="organiser"), app.client("b1"), app.client("b2")
    address = f"/discuss/{pair.pk}"
    assert b1.get(address).status_code == 404  # no page leads there before the discussion is opened
    assert "discuss" not in b1.get("/").content.decode()
    assert organiser.post("/organiser/desk/pairs/discuss").status_code == 302
    assert organiser.post("/organiser/desk/pairs/discuss").status_code == 302
    assert "you and another assessor disagree on 1 pair" in b1.get("/").content.decode()
    page = b1.get(address)
    assert "disagree on this pair" in page.content.decode()
    assert b2.get(address).status_code == 404  # the other assessor has a separate task
    said = {"op_id": OP.format("say"), "text": "The first one is out of date.", "say": "1"}
    assert b1.post(address, said).status_code == 302
    listed = b2.get("/discuss").content.decode()
    (theirs,) = {part.split('"')[0] for part in listed.split('href="/discuss/')[1:]}
    other = b2.get(f"/discuss/{theirs}")
    assert "The first one is out of date." in other.content.decode()
    answer = form(page) | {"outcome": "1" if left_of(page, pair) == "d00000" else "-1"}
    assert b1.post(address, answer).status_code == 302
    assert "You now agree" in b2.get(f"/discuss/{theirs}").content.decode()
    assert "settled by its assessors" in organiser.get("/organiser/preferences").content.decode()
    pair.refresh_from_db()
    assert (pair.revision, len(pair.passages)) == (2, 1)  # the passage is kept


def test_verdicts_and_discussions_are_equal_after_export_import_and_export(
    app: Any, pair: Any, open_app: Any, database: str, tmp_path: Path
) -> None:
    if database != "sqlite":
        pytest.skip("both apps would have one database")

    organiser = app.client("first", role="organiser")
    organiser.post("/organiser/desk/pairs/discuss")
    decide(organiser, pair, best="d00001", size=2)
    folders = [tmp_path / name for name in ("one", "two")]
    export(read_campaign(app.folder), folders[0], WantedExport(documents=True))
    with open_app(folders[0]) as again:
        export(read_campaign(again.folder), folders[1], WantedExport(documents=True))
    for file in (
        "pair_adjudications.csv", "preferences.csv", "app/preference_events.jsonl",
        "app/desk.jsonl",
    ):  # fmt: skip
        contents = [(folder / file).read_bytes() for folder in folders]
        assert contents[0] == contents[1]
    # The verdict counts; the assessors' answers are beside it.
    rows = (folders[0] / "preferences.csv").read_text().splitlines()
    assert rows[1:] == ["q1,d00000,d00001,2,adjudicated,1"]

    section = adjudication(AuditInputs(folders[0]))
    tables = {table.key: list(table.table.rows) for table in section.tables}
    assert tables["adjudication-pairs"] == [
        ("q1", "d00000", "d00001", "-2 1", "-2 1", "2", "organiser-3", "yes")
    ]
