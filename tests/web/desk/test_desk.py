"""The adjudication queue: blind first, then revealed; two adjudicators; threads; access rights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.adjudication import adjudication
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.web.desk.matters import Matter, current_verdict, has_seen, seen_matters
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate, reveal, say
from qrelsmith.web.docs.passages import text_digest
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.graded.kind import JudgmentSubmission, judge
from qrelsmith.web.models import Account, AssignedDoc, Assignment, DeskEvent, Doc, TopicVersion

OP = "operation-desk-{}"


@pytest.fixture
def case(app: Any) -> Any:
    """Return a doc that b1 and b2 have judged differently."""
    for name, value in (("b1", 0.0), ("b2", 2.0)):
        app.account(name)
        doc = AssignedDoc.objects.get(
            assignment__assessor__name=name, assignment__topic__name="q1", doc__name="d00001"
        )
        version = doc.doc.versions.get()
        text = visible_text(version)
        passage = {"start": 5, "quote": text[5:14], "sha256": text_digest(text)}
        judge(
            JudgmentSubmission(
                op_id=OP.format(name), assigned=doc.pk, value=value, sha256=version.sha256,
                base_revision=0, note=f"note of {name}", passages=[passage],
            ),
            doc.assignment_id,
            assessor=doc.assignment.assessor,
        )  # fmt: skip
    return doc


def verdict(client: Any, doc: Any, number: int, value: str, *, base: int = 0) -> Any:
    body = {
        "op_id": OP.format(number), "value": value, "base_revision": base, "text": "It says so.",
        "sha256": doc.doc.versions.get().sha256,
    }  # fmt: skip
    return client.post(f"/organiser/desk/{doc.pk}/verdict", body)


def test_two_adjudicators_decide_blind_and_then_see_the_labels(app: Any, case: Any) -> None:
    first = app.client("first", role="organiser")
    second = app.client("second", role="organiser")
    address = f"/organiser/desk/{case.pk}"
    blind = first.get(address).content.decode()
    assert "note of b1" not in blind
    assert "<mark>" not in blind
    assert verdict(first, case, 1, "2").status_code == 302
    seen = first.get(address).content.decode()
    assert "note of b1" in seen
    assert "note of b2" in seen
    assert "<mark>word word<sup>1, 2</sup></mark>" in seen
    # The second adjudicator decides blind, too, and sees the first verdict only with a different
    # decision.
    assert "note of b1" not in second.get(address).content.decode()
    late = verdict(second, case, 2, "0")
    assert late.status_code == 409
    assert "highly relevant" in late.content.decode()
    assert 'value="It says so."' in late.content.decode()  # the reason need not be written again
    assert verdict(second, case, 3, "0", base=1).status_code == 302
    assert verdict(second, case, 3, "0", base=1).status_code == 302  # a retry is the same verdict

    events = DeskEvent.objects.filter(kind="adjudicated").order_by("revision")
    assert [(each.value, each.is_blind) for each in events] == [(2, True), (0, True)]

    assert current_verdict(Matter(case.assignment.topic_id, case.doc_id)) == events[1]


def test_labels_shown_first_make_a_verdict_not_blind(app: Any, case: Any) -> None:
    client = app.client("first", role="organiser")
    assert client.post(f"/organiser/desk/{case.pk}/reveal").status_code == 302
    assert "note of b1" in client.get(f"/organiser/desk/{case.pk}").content.decode()
    verdict(client, case, 1, "1")

    assert DeskEvent.objects.get(kind="adjudicated").is_blind is False


def test_a_viewer_sees_and_decides_nothing(app: Any, case: Any) -> None:
    client = app.client("reader", role="viewer")
    page = client.get(f"/organiser/desk/{case.pk}").content.decode()
    assert "note of b1" in page
    assert 'id="verdict"' not in page
    assert verdict(client, case, 1, "1").status_code == 403
    assert client.post(f"/organiser/desk/{case.pk}/reveal").status_code == 403


def test_the_author_of_a_topic_is_asked_and_answers(app: Any, case: Any) -> None:
    TopicVersion.objects.filter(topic=case.assignment.topic).update(creator="b1")
    organiser = app.client("first", role="organiser")
    body = {"op_id": OP.format("ask"), "text": "Does a forum count?", "topic": "1"}
    assert organiser.post(f"/organiser/desk/{case.pk}/say", body).status_code == 302
    author, other = app.client("b1"), app.client("b2")
    address = {
        name: f"/questions/{Assignment.objects.get(assessor__name=name, topic__name='q1').pk}"
        for name in ("b1", "b2")
    }
    assert address["b1"] in author.get("/").content.decode()
    assert "Does a forum count?" in author.get(address["b1"]).content.decode()
    assert other.get(address["b2"]).status_code == 404
    author.post(address["b1"], {"op_id": OP.format("answer"), "text": "It does."})
    assert "It does." in organiser.get(f"/organiser/desk/{case.pk}").content.decode()


def test_evidence_and_verdicts_are_equal_after_export_import_and_export(
    app: Any, case: Any, open_app: Any, database: str, tmp_path: Path
) -> None:
    if database != "sqlite":
        pytest.skip("both apps would have one database")

    verdict(app.client("first", role="organiser"), case, 1, "2")
    folders = [tmp_path / name for name in ("one", "two")]
    campaign = read_campaign(app.folder)
    export(campaign, folders[0], WantedExport(documents=True))
    with open_app(folders[0]) as again:
        export(read_campaign(again.folder), folders[1], WantedExport(documents=True))
    for file in ("passages.csv", "adjudications.csv", "app/events.jsonl", "app/desk.jsonl"):
        contents = [(folder / file).read_bytes() for folder in folders]
        assert contents[0] == contents[1]
        assert contents[0].count(b"\n") >= 1
    labels = (folders[0] / "qrels" / "adjudicated.qrels").read_text().splitlines()
    assert "q1 0 d00001 2" in labels
    assert labels == (folders[1] / "qrels" / "adjudicated.qrels").read_text().splitlines()
    # The corrected labels are not an independent label set, unless they are chosen as the
    # reference.
    inputs = AuditInputs(folders[0])
    assert (inputs.reference, inputs.reference_notice) == ("bronze", "")
    assert "adjudicated" not in inputs.label_sets
    assert AuditInputs(folders[0], reference="adjudicated").others == ("bronze",)
    # The audit shows what the verdict changed, and how far the passages overlap.

    section = adjudication(AuditInputs(folders[0]))
    tables = {table.key: list(table.table.rows) for table in section.tables}
    assert list(tables) == ["adjudication", "adjudication-docs", "adjudication-passages"]
    assert tables["adjudication"] == [
        ("all", 1, 2, 1, 1, 0, 0.5), ("bronze", 1, 2, 1, 1, 0, 0.5)
    ]  # fmt: skip
    ((topic, doc, verdict_, labels_, _, blind),) = tables["adjudication-docs"]
    assert (topic, doc, verdict_, labels_, blind) == ("q1", "d00001", "2", "0 2", "yes")
    assert [row[:5] for row in tables["adjudication-passages"]] == [
        ("all", 1, 1, 1, 1.0), ("bronze", 1, 1, 1, 1.0)
    ]  # fmt: skip


def test_accounts_that_know_labels_are_found_equally_one_by_one_and_at_once(
    app: Any, case: Any
) -> None:
    app.client("first", role="organiser")
    app.client("second", role="organiser")
    app.client("watcher", role="viewer")
    first, second, viewer = (Account.objects.get(login=n) for n in ("first", "second", "watcher"))
    topic = case.assignment.topic_id
    decided, revealed, other = (
        Matter(topic, each.doc_id) for each in case.assignment.docs.order_by("position")[:3]
    )
    sha256 = Doc.objects.get(pk=decided.doc).versions.get().sha256
    adjudicate(first, decided, DeskVerdict("operation-decided", 1.0, 0, sha256))
    reveal(first, revealed)
    say(first, "operation-said", other, "Blind as yet.")
    for account in (first, second, viewer):
        seen = seen_matters(account)
        for matter in (decided, revealed, other):
            assert has_seen(account, matter) == (seen is None or matter in seen)
    assert seen_matters(first) == {decided, revealed} == seen_matters(first, topic)
    assert seen_matters(first, topic + 1) == set() == seen_matters(second)
