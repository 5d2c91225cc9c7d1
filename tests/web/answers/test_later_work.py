"""Answers after their first assignment: hidden repeats, hours left, closing and reassigning."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.answers.test_answers import Judge, opened, verified

from qrelsmith.assigning.assign import assign
from qrelsmith.assigning.assignment_files import write_assignments
from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.judging_times.efficiency import efficiency
from qrelsmith.web.importing.campaign import import_campaign

__all__ = ["opened"]
_CONTRADICTS = -3
FIVE_SECONDS = {"shown_for_ms": 5000, "active_ms": 5000, "idle_ms": 0}


def finish(judge: Judge, value: Callable[[dict[str, Any]], float]) -> None:
    """Label all aspects without a label."""
    for row in judge.state["items"]:
        if row["value"] is None:
            judge.judge(row, value(row))


def by_kind(row: dict[str, Any]) -> float:
    return 3 if row["family"] == "criterion.fluency" else 2


def assigned_with_repeats(app: Any, share: float) -> None:
    """Let `assign` draw repeats, and import its table."""
    work = assign(app.folder, per_doc=2, repeats=share)
    write_assignments(work.assignments, app.folder / "assignments.csv")
    import_campaign(read_campaign(app.folder))


@pytest.mark.parametrize("drawn_by", ["assign", "the organiser"])
def test_repeats_come_after_the_first_labels_and_measure_self_agreement(
    opened: Any, tmp_path: Path, drawn_by: str
) -> None:
    from qrelsmith.web.models import AnswerAssignment, RejudgingRound

    if drawn_by == "assign":
        assigned_with_repeats(opened, 1)
        assert AnswerAssignment.objects.filter(round=2).count() == 6
    first = Judge(opened, "a01")
    (nugget, *_) = first.rows("nugget")
    first.judge(nugget, _CONTRADICTS)
    if drawn_by == "assign":
        again = AnswerAssignment.objects.get(assessor__name="a01", topic__name="attic", round=2)
        assert first.client.get(f"/answers/{again.pk}").status_code == 404
        assert f"/answers/{again.pk}" not in first.client.get("/").content.decode()
    finish(first, by_kind)
    if drawn_by == "the organiser":
        olga = opened.client("olga", role="organiser")
        assert "Rejudge blind" in olga.get("/organiser/assessors").content.decode()
        sent = olga.post("/organiser/assessors/repeat", {"percent": "100", "after": "1"})
        assert sent.headers["Location"] == "/organiser/rounds/2"
        # Only completely judged answers are repeated.
        assert AnswerAssignment.objects.filter(round=2).count() == 1
    assert RejudgingRound.objects.get().reason == "repeat"
    second = Judge(opened, "a01", round_=2)
    page = second.client.get("/").content.decode()
    assert f"/answers/{second.assignment.pk}" in page
    assert "round" not in page
    shown = second.state["items"]
    assert len(shown) == len(first.state["items"])
    assert {row["value"] for row in shown} == {None}
    # Nuggets are edited in the first round only.
    assert second.client.post(f"/answers/{second.assignment.pk}/nuggets").status_code == 404
    labelled = {}
    for row in shown:
        is_same = (row["name"], second.assignment.answers[row["place"] - 1]["run"]) == (
            nugget["name"], first.assignment.answers[nugget["place"] - 1]["run"],
        )  # fmt: skip
        value = _CONTRADICTS if is_same else by_kind(row) - (row["family"] == "citation")
        labelled[row["aspect"]] = value
        second.judge(row, value)
    assert verified() == []
    folder = tmp_path / "export"
    assert run(["app", "export", str(opened.folder), "-o", str(folder)]) == 0
    with (folder / "rejudging" / "round-2.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == len(shown)
    assert {row["assessor"] for row in rows} == {"a01"}
    assert sorted(float(row["grade"]) for row in rows) == sorted(labelled.values())
    with (folder / "judgments.csv").open(newline="") as lines:
        assert len(list(csv.DictReader(lines))) == len(shown)
    own, everybody = efficiency(folder, self_agreement=True).table().rows
    # 14 citations got a lower label; the contradiction is the same again.
    assert own[:6] == (2, "a01", len(shown), len(shown) - 14, 0, 14)
    assert everybody[:4] == (2, "all", len(shown), len(shown) - 14)
    olga = opened.client("olga", role="organiser")
    result = olga.get("/organiser/rounds/2").content.decode()
    assert "Self-consistency" in result
    assert "contradicts" in result


def test_an_export_with_repeats_is_read_back(
    opened: Any, tmp_path: Path, database: str, open_app: Any
) -> None:
    if database != "sqlite":
        pytest.skip("both apps would have one database")
    assigned_with_repeats(opened, 0.5)
    first = Judge(opened, "a02")
    finish(first, by_kind)
    second = Judge(opened, "a02", round_=2)
    second.judge(second.rows("nugget")[0], 1)
    second.undo()
    second.judge(second.rows("nugget")[0], 0)
    folders = [tmp_path / "one", tmp_path / "two"]
    assert run(["app", "export", str(opened.folder), "-o", str(folders[0])]) == 0
    with open_app(folders[0]) as other:
        assert verified() == []
        assert run(["app", "export", str(other.folder), "-o", str(folders[1])]) == 0
    for file in ("app/answer_events.jsonl", "app/answeraspect.jsonl", "rejudging/round-2.csv"):
        assert (folders[1] / file).read_bytes() == (folders[0] / file).read_bytes()


def test_expected_answers_are_shown_collapsed_if_the_campaign_wants_them(
    tmp_path: Path, make_answers: Callable[..., Path], open_app: Any
) -> None:
    for setting, shown in (("", False), ('expected_answer = "folded"\n', True)):
        folder = make_answers(tmp_path / f"shown-{shown}")
        lines = (folder / "answers.jsonl").read_text().splitlines()
        rows = [json.loads(line) | {"reference": "It saves heat."} for line in lines]
        (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        toml = (folder / "campaign.toml").read_text()
        file = toml.replace("[judging]\n", f"[judging]\n{setting}")
        (folder / "campaign.toml").write_text(file)
        with open_app(folder) as app:
            judge = Judge(app, "a01")
            page = judge.client.get(f"/answers/{judge.assignment.pk}").content.decode()
            assert page.count("<summary>Expected answer</summary>") == 4 * shown
            assert page.count("It saves heat.") == 4 * shown


def test_a_share_of_the_answers_is_drawn(opened: Any) -> None:
    drawn = [
        len(row.docs)
        for row in assign(opened.folder, per_doc=2, repeats=0.5).assignments
        if row.round == 2
    ]
    assert 0 < sum(drawn) < 2 * 12


def test_a_repeat_of_an_unknown_answer_is_refused(opened: Any) -> None:
    file = opened.folder / "assignments.csv"
    write_assignments(assign(opened.folder, per_doc=2, repeats=1).assignments, file)
    file.write_text(file.read_text().replace("kettle", "kettles"))
    with pytest.raises(InputError, match="names 'kettles'; expected the run of an answer"):
        import_campaign(read_campaign(opened.folder))


def test_hours_are_forecast_from_the_seconds_of_aspects(opened: Any) -> None:
    from qrelsmith.web.organiser.progress import progress

    a01 = Judge(opened, "a01")
    for row in a01.rows("nugget"):
        a01.judge(row, 1, timing=FIVE_SECONDS)
    found = progress()
    own, other = found.assessors
    assert own.pace.count >= 19
    assert own.forecast.docs == own.left
    assert own.forecast.median == pytest.approx(own.left * own.pace.median / 3600)
    assert (other.forecast.docs, other.forecast.without) == (other.left, 0)
    assert found.everything.forecast.docs == found.everything.left
    olga = opened.client("olga", role="organiser")
    pace = olga.get("/api/organiser/matrix/figures").json()["pace"]
    assert pace["a01"] == pytest.approx(own.pace.median, abs=0.01)


def test_answers_are_closed_reopened_and_reassigned_from_their_cell(opened: Any) -> None:
    from qrelsmith.web.models import Assessor, OrganiserAction

    a01 = Judge(opened, "a01")
    own = a01.assignment
    for row in a01.rows(place=1):
        a01.judge(row, by_kind(row))
    a01.judge(a01.rows("nugget", place=2)[0], 1)
    left = len([row for row in a01.state["items"] if row["value"] is None])
    cell = f"/organiser/cells/{own.assessor_id}/{own.topic_id}"
    change = f"/organiser/answers/{own.pk}"
    assert opened.client("a02").get(cell).status_code == 403
    a02 = Judge(opened, "a02")
    run = own.answers[0]["run"]
    (place,) = [n for n, each in enumerate(a02.assignment.answers, start=1) if each["run"] == run]
    (same,) = [
        row
        for row in a02.rows("nugget", place=place)
        if row["name"] == a01.rows("nugget", place=1)[0]["name"]
    ]
    viewer = opened.client("vera", role="viewer")
    assert "<td>supported</td>" in viewer.get(cell).content.decode()
    a02.judge(same, 0)
    seen = viewer.get(cell).content.decode()
    assert "Insulating an attic saves" in seen
    assert change not in seen
    assert viewer.post(change, {"deed": "close"}).status_code == 403
    olga = opened.client("olga", role="organiser")
    # A disputed label is hidden from users who can still decide it blind.
    assert olga.get(cell).content.decode().count(">hidden</td>") == 2
    assert change in olga.get(cell).content.decode()
    assert olga.post(change, {"deed": "close"}).headers["Location"] == cell
    (waiting, *_) = [row for row in a01.state["items"] if row["value"] is None]
    assert a01.post(waiting, 1).json()["error"] == "closed"
    assert verified() == []
    olga.post(change, {"deed": "open"})
    # a02 has these answers already, and a new assessor has none.
    assert olga.post(change, {"deed": "reassign", "to": "a02"}).status_code == 400
    Assessor.objects.create(name="a03", group="people")
    assert olga.post(change, {"deed": "reassign", "to": "a03"}).headers["Location"] == cell
    own.refresh_from_db()
    assert not own.is_open
    a03 = Judge(opened, "a03")
    assert len(a03.state["items"]) == left
    runs = [each["run"] for each in a03.assignment.answers]
    assert runs == [each["run"] for each in own.answers[1:]]
    finish(a03, by_kind)
    assert verified() == []
    deeds = OrganiserAction.objects.order_by("id").values_list("action", "target")
    assert {("close", "attic a01"), ("open", "attic a01"), ("reassign", "attic a01 → a03")} <= {
        *deeds
    }


def test_the_matrix_changes_many_answers_at_once(opened: Any) -> None:
    from qrelsmith.web.models import AnswerAssignment, Assessor

    olga = opened.client("olga", role="organiser")
    people = list(Assessor.objects.order_by("name").values_list("id", flat=True))
    topics = list(AnswerAssignment.objects.values_list("topic", flat=True).distinct())
    body = {"deed": "close", "assessors": people[:1], "topics": topics}
    address = "/api/organiser/matrix/change"
    sent = olga.post(address, body, content_type="application/json")
    assert sent.json() == {"done": 3, "left": 0}
    cells = olga.get("/api/organiser/matrix").json()["cells"]
    assert {cell[0]: cell[7:] for cell in cells} == {people[0]: [1, 0], people[1]: [1, 1]}


def test_the_matrix_follows_new_labels_of_answers(opened: Any) -> None:
    a01 = Judge(opened, "a01")
    olga = opened.client("olga", role="organiser")
    before = olga.get("/api/organiser/matrix").json()["newest"]
    assert before == [0, 0]
    a01.judge(a01.rows("nugget")[0], 1)
    address = "/api/organiser/matrix?since={}&answers={}"
    news = olga.get(address.format(*before)).json()
    (cell,) = news["cells"]
    count = len(a01.state["items"])
    assert cell == [a01.assignment.assessor_id, a01.assignment.topic_id, 0, 0, 0, count, 1, 1, 1]
    assert news["sums"]["judged"] == 1
    assert olga.get(address.format(*news["newest"])).json()["cells"] == []


def test_the_matrix_compares_labels_of_answers(opened: Any) -> None:
    from qrelsmith.web.answers.kind import run_of
    from qrelsmith.web.models import AnswerAspect

    for name, grades in (("a01", (2, 1, _CONTRADICTS)), ("a02", (2, 2, _CONTRADICTS))):
        judge = Judge(opened, name)
        items = AnswerAspect.objects.in_bulk()
        rows = sorted(
            judge.rows("nugget"),
            key=lambda row: (run_of(items[row["aspect"]]), items[row["aspect"]].aspect),
        )
        for row, grade in zip(rows, grades, strict=False):
            judge.judge(row, grade)
    olga = opened.client("olga", role="organiser")
    alike = olga.get("/api/organiser/matrix/figures").json()["alike"]
    assert alike == {"a01": [2, 3], "a02": [2, 3]}


def test_an_inactive_assessor_of_answers_is_followed_up_and_asked_again(opened: Any) -> None:
    from qrelsmith.web.models import AnswerAspect, RejudgingRound

    a01 = Judge(opened, "a01")
    chosen = a01.rows("nugget")[:2]
    for row in chosen:
        a01.judge(row, 2, timing=FIVE_SECONDS)
    olga = opened.client("olga", role="organiser")
    listed = olga.get("/organiser/progress?hours=0").content.decode()
    assert "Opened a topic, but has judged nothing since" in listed
    address = f"/organiser/alerts/{a01.assignment.assessor_id}"
    assert "Close 3 topics" in olga.get(f"{address}/silent").content.decode()
    assert 'name="aspect"' in olga.get(f"{address}/hurried").content.decode()
    form = {"action": "again", "after": "1", "aspect": [row["aspect"] for row in chosen]}
    sent = olga.post(f"{address}/hurried/act", form)
    assert sent.headers["Location"] == "/organiser/rounds/2"
    again = AnswerAspect.objects.filter(assignment__round=2)
    assert sorted(again.values_list("aspect", flat=True)) == sorted(r["name"] for r in chosen)
    assert RejudgingRound.objects.get().rule == "hurried"
    olga.post(f"{address}/silent/act", {"action": "close"})
    assert "Open 4 topics" in olga.get(f"{address}/silent").content.decode()
