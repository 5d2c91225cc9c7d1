"""An alert shows its docs and possible actions; history is drawn; audits and backups run."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.web.organiser.conftest import Page

from qrelsmith.base.errors import InputError
from qrelsmith.web.desk.matters import Matter
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.jobs.runner import JobWork, UnwantedError
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Job, RejudgingRound
from qrelsmith.web.organiser import audits, exports
from qrelsmith.web.organiser.alerts_page import ALERTS, alert_docs
from qrelsmith.web.organiser.history import judged_so_far

NAME = "20240101T000000Z-abcd"


def until(holds: Callable[[], Any], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_the_docs_of_an_alert_begin_with_the_clearest_evidence(lite_judged: Any) -> None:
    gold = Assessor.objects.get(name="g1")
    assert {each.value for each in alert_docs(gold, "codes")} == {-2.0}
    assert [each.is_judged for each in alert_docs(gold, "silent")] == [False]
    apart = alert_docs(gold, "outlying-assessor")
    assert apart
    assert all(each.value is not None and each.value >= 0 for each in apart)
    client = lite_judged.client("olga", role="organiser")
    for alert in ALERTS:
        assert client.get(f"/organiser/alerts/{gold.pk}/{alert}").status_code == 200
    assert client.get(f"/organiser/alerts/{gold.pk}/x").status_code == 400
    viewer = lite_judged.client("the-viewer", role="viewer")
    assert viewer.get(f"/organiser/alerts/{gold.pk}/codes").status_code == 403


def test_work_can_be_closed_reassigned_and_judged_again(lite_judged: Any) -> None:
    client = lite_judged.client("olga", role="organiser")
    tin = Assessor.objects.get(name="t2")
    address = f"/organiser/alerts/{tin.pk}/hurried"
    docs = AssignedDoc.objects.filter(assignment__assessor=tin, is_judged=True)
    chosen = list(docs.order_by("pk").values_list("pk", flat=True)[:2])
    client.post(f"{address}/act", {"action": "again", "after": 1, "doc": chosen})
    opened = RejudgingRound.objects.get()
    assert (opened.reason, opened.rule, opened.shows_labels) == ("repeat", "hurried", False)
    again = AssignedDoc.objects.filter(assignment__round=2)
    assert again.count() == 2
    assert set(again.values_list("assignment__assessor", flat=True)) == {tin.pk}
    client.post(f"{address}/act", {"action": "close"})
    assert not Assignment.objects.filter(assessor=tin, is_open=True).exists()
    client.post(f"{address}/act", {"action": "open"})
    assert client.post(f"{address}/act", {"action": "reassign", "to": "x"}).status_code == 400
    assert Assignment.objects.filter(assessor=tin, is_open=True).count() == 3


def test_progress_and_agreement_are_drawn_with_a_table(lite_judged: Any) -> None:
    moments = judged_so_far()
    assert moments[-1].value == AssignedDoc.objects.filter(revision__gt=0).count()
    assert [each.value for each in moments] == sorted(each.value for each in moments)
    client = lite_judged.client("olga", role="organiser")
    for page in ("progress", "agreement"):
        content = client.get(f"/organiser/{page}").content.decode()
        assert 'role="img"' in content, page
        assert "Show as a table" in content, page


def test_an_audit_offers_the_label_sets_of_its_export(lite_judged: Any) -> None:
    page = Page(lite_judged.client("olga", role="organiser").get("/organiser/audits"))
    assert re.findall(r'<option lang="en">(\w+)</option>', page.html)[:3] == ["gold", "tin", "zinc"]
    assert "adjudicated" not in page.html
    doc = docs_of_lists().get(
        assignment__assessor__name="g1", assignment__topic__name="q1", doc__name="d00001"
    )
    organiser = lite_judged.account("olga", role="organiser")
    verdict = DeskVerdict("op-of-the-verdict", 1, 0, doc.current_sha256)
    adjudicate(organiser, Matter(doc.assignment.topic_id, doc.doc_id), verdict)
    assert audits.label_set_names() == ("gold", "tin", "zinc", "adjudicated")


@pytest.mark.slow
def test_the_options_of_an_audit_are_those_of_the_command(lite_judged: Any) -> None:
    client = lite_judged.client("olga", role="organiser")
    for wrong, expected in (
        ({"reference": "silver"}, "gold, tin, zinc"),
        ({"measures": "nDGC@10"}, "nDCG"),
        ({"order": "best"}, "trec"),
    ):
        answer = client.post("/organiser/audits/make", wrong)
        assert (answer.status_code, expected in answer.content.decode()) == (400, True)
    assert exports.exports("audit") == []
    given = {"reference": "tin", "measures": "P@5 RBP(p=0.8, rel=1)", "order": "file"}
    client.post("/organiser/audits/make", given)
    until(lambda: exports.exports("audit")[0].state != "making")
    (made,) = exports.exports("audit")
    assert made.state == "ready", Job.objects.get(kind="audit").problem
    folder = lite_judged.folder / ".qrelsmith" / "audits" / made.name
    options = json.loads((folder / "manifest.json").read_text())["parameters"]
    assert (options["reference"], options["order"]) == ("tin", "file")
    assert options["measures"] == ["P@5", "RBP(p=0.8,rel=1)"]
    assert "-m P@5 -m RBP(p=0.8,rel=1) --reference tin" in Page(client.get("/organiser/log")).text


@pytest.mark.slow
def test_an_audit_is_created_and_shown_without_access_to_other_files(lite_judged: Any) -> None:
    client = lite_judged.client("olga", role="organiser")
    client.post("/organiser/audits/make")
    until(lambda: exports.exports("audit")[0].state != "making")
    (made,) = exports.exports("audit")
    assert made.state == "ready", Job.objects.get(kind="audit").problem
    assert made.name in client.get("/organiser/audits").content.decode()
    base = f"/organiser/audits/{made.name}"
    assert b"iframe" in client.get(base).content
    report = client.get(f"{base}/files/audit.html")
    assert b"Gold and bronze" in b"".join(report.streaming_content)
    assert "frame-ancestors 'self'" in report["Content-Security-Policy"]
    for path in ("../../app.sqlite3", "%2e%2e/%2e%2e/app.sqlite3", "none.csv"):
        assert client.get(f"{base}/files/{path}").status_code == 404
    assert client.post(f"{base}/delete").status_code == 302
    # The job deletes its working folder after the report is shown.
    until(lambda: made_files(lite_judged) == [])


def test_a_stopped_or_failed_audit_leaves_no_files(
    lite_judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = lite_judged.folder / ".qrelsmith" / "audits" / f".{NAME}-1.part"
    left.mkdir(parents=True)
    work = JobWork(1, {"name": NAME})
    work.stopped.set()
    monkeypatch.setattr(audits, "export", lambda *_, **__: None)
    with pytest.raises(UnwantedError):
        audits._audit(work)
    with pytest.raises(InputError):  # nothing was exported, so the command reports an error
        audits._audit(JobWork(1, {"name": NAME}))
    assert list(made_files(lite_judged)) == []


def test_a_backup_is_written_and_listed_with_restore_instructions(lite_judged: Any) -> None:
    client = lite_judged.client("olga", role="organiser")
    client.post("/organiser/backups/make")
    until(lambda: not Job.objects.filter(kind="backup", state__in=("waiting", "running")).exists())
    (path,) = (lite_judged.folder / ".qrelsmith" / "backups").glob("*.sqlite3")
    content = client.get("/organiser/backups").content.decode()
    assert f"qrelsmith app restore {lite_judged.folder} {path}" in content


def made_files(app: Any) -> list[str]:
    return [each.name for each in (app.folder / ".qrelsmith" / "audits").iterdir()]
