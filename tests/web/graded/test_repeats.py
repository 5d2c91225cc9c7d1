"""Hidden repeats of docs: from `assign` to the results of `efficiency` and the audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qrelsmith.assigning.assign import assign
from qrelsmith.assigning.assignment_files import write_assignments
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.rejudging import rejudging
from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.judging_times.efficiency import efficiency
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.web.core.closing import close_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.graded.early_repeats import without_early
from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.models import Assignment, OrganiserAction, RejudgingRound
from qrelsmith.web.verification.whole import verified


@pytest.fixture
def with_repeats(app: Any) -> Any:
    """Return the app after an import of assignments with repeats of all docs."""
    work = assign(app.folder, repeats=1)
    write_assignments(work.assignments, app.folder / "assignments.csv")
    _import(app.folder)
    return app


def test_repeats_wait_for_the_first_judgment_and_are_not_marked(
    with_repeats: Any, at_work: Any
) -> None:
    app, worker = with_repeats, at_work(with_repeats)
    opened = RejudgingRound.objects.get()
    assert (opened.number, opened.reason, opened.shows_labels) == (2, "repeat", False)
    assert OrganiserAction.objects.filter(action="open-round", target="2 repeat").count() == 1
    again = Assignment.objects.get(assessor=worker.assessor, topic__name="q1", round=2)
    client = app.client("b1")
    for place in range(1, 7):
        assert f"/judge/{again.pk}" not in client.get("/").content.decode()
        assert client.get(f"/judge/{again.pk}").status_code == 404
        assert client.get(f"/api/assignments/{again.pk}/docs").status_code == 404
        worker.judge(place, 1)
    page = client.get("/").content.decode()
    assert f"/judge/{again.pk}" in page
    assert "round" not in page
    shown = client.get(f"/judge/{again.pk}/1")
    assert shown.status_code == 200
    assert "In the first round" not in shown.content.decode()
    listed = client.get("/api/assignments").json()["assignments"]
    assert [each["assignment"] for each in listed if each["topic"] == "q2"] != []
    assert sum(each["topic"] == "q2" for each in listed) == 1  # those of q2 wait


def test_repeats_do_not_wait_for_closed_work_or_other_topics_or_assessors(
    with_repeats: Any, at_work: Any
) -> None:
    worker = at_work(with_repeats)

    def shown() -> list[tuple[str, str]]:
        repeats = without_early(Assignment.objects.filter(round=2))
        return list(repeats.values_list("assessor__name", "topic__name"))

    worker.judge(1, 1)
    assert shown() == []
    with writing():
        close_assignment(worker.assignment.pk)
    assert shown() == [("b1", "q1")]


def test_an_import_can_be_repeated_and_another_reason_is_refused(with_repeats: Any) -> None:
    count = Assignment.objects.count()
    _import(with_repeats.folder)
    assert Assignment.objects.count() == count
    RejudgingRound.objects.update(reason="disagreement")
    with pytest.raises(InputError, match="round 2 has repeats, but was opened here for"):
        _import(with_repeats.folder)


def test_the_first_label_counts_and_the_second_is_reported_beside_it(
    with_repeats: Any, at_work: Any, tmp_path: Path, database: str, open_app: Any
) -> None:
    worker = at_work(with_repeats)
    first = dict(zip(range(1, 7), (0, 1, 2, 0, 1, 2), strict=True))
    names = {}
    for place, grade in first.items():
        names[worker.doc(place).doc.name] = grade
        worker.judge(place, grade)
    worker.assignment = Assignment.objects.get(assessor=worker.assessor, topic__name="q1", round=2)
    for place in range(1, 7):
        name = worker.doc(place).doc.name
        worker.judge(place, max(names[name], 1))  # the two 0 become 1
    folder = tmp_path / "export"
    export(read_campaign(with_repeats.folder), folder, WantedExport(documents=True))
    labels = read_judgments(folder / "judgments.csv").current()
    assert {
        labels.docs[doc]: grade for doc, grade in zip(labels.doc, labels.grade, strict=True)
    } == names
    assert set(labels.revision.tolist()) == {1.0}
    result = efficiency(folder, self_agreement=True)
    b1, everybody = result.table().rows
    assert b1[:6] == (2, "b1", 6, 4, 2, 0)
    assert everybody[:4] == (2, "all", 6, 4)
    assert any("4 of 6 hidden repeats" in note for note in result.notes)
    section = rejudging(AuditInputs(folder))
    told = [each.sentence for each in section.findings if each.rule == "own-consistency"]
    assert len(told) == 1
    assert "4 of 6 hidden repeats got the same grade" in told[0]
    assert sum(check.wrong for check in verified()) == 0
    if database == "sqlite":  # both apps would have one database
        with open_app(folder) as other:
            export(read_campaign(other.folder), tmp_path / "again", WantedExport(documents=True))
        for file in ("judgments.csv", "rejudging/round-2.csv", "rejudging/rounds.csv"):
            assert (tmp_path / "again" / file).read_bytes() == (folder / file).read_bytes()


def _import(folder: Path) -> None:
    import_campaign(read_campaign(folder))
