"""Disagreements, and the rounds in which the docs are judged again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.judgments.rejudged_rounds import read_rejudged_rounds
from qrelsmith.web.docs.passages import text_digest
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.graded.kind import JudgmentSubmission, judge
from qrelsmith.web.models import AssignedDoc, Assignment, DeskEvent, OrganiserAction, RejudgingRound
from qrelsmith.web.verification.whole import verified

Read = Callable[..., Any]
ADDRESS = "/organiser/disagreements"
SERIOUS = "gold < relevant and all >= relevant and any >= high"


def open_round(app: Any, **fields: Any) -> Any:
    """Return the response to an organiser who opens a round."""
    client = app.client("olga", role="organiser")
    given = {"who": "reference", "labels": "blind", "after": "1"} | fields
    return client.post(f"{ADDRESS}/round", given)


def round_docs(number: int = 2) -> dict[tuple[str, str], list[str]]:
    """Return the docs that each assessor judges again, in order."""
    found: dict[tuple[str, str], list[str]] = {}
    docs = AssignedDoc.objects.filter(assignment__round=number).order_by("position")
    for name, topic, doc in docs.values_list(
        "assignment__assessor__name", "assignment__topic__name", "doc__name"
    ):
        found.setdefault((name, topic), []).append(doc)
    return found


def first_labels() -> list[tuple[Any, ...]]:
    docs = AssignedDoc.objects.filter(assignment__round=1).order_by("pk")
    return list(docs.values_list("pk", "position", "revision", "value", "sha256"))


def shown_order(assessor: str, topic: str) -> list[str]:
    """Return the docs in the order in which an assessor first saw them."""
    docs = AssignedDoc.objects.filter(
        assignment__assessor__name=assessor, assignment__topic__name=topic, assignment__round=1
    )
    return list(docs.order_by("position").values_list("doc__name", flat=True))


def command_rows(*arguments: str, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return the output of a command as CSV, without its header."""
    capsys.readouterr()
    assert run([*arguments, "--quiet", "--format", "csv"]) == 0
    return list(csv.reader(io.StringIO(capsys.readouterr().out)))[1:]


def test_the_list_equals_that_of_the_command_on_the_export(
    judged: Any, read: Read, exported: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(exported(judged))
    rows = command_rows("disagree", folder, "--show", "serious", capsys=capsys)
    page = read(judged, ADDRESS, role="viewer")
    # By hand: gold overlooks d1 of q1 and d2 of q2.
    assert [row[:2] for row in rows] == [["q1", "d00001"], ["q2", "d00002"]]
    labels = {"0": "not relevant", "1": "relevant", "2": "highly relevant"}
    expected = [
        [topic, doc, position, ordering, assessor, *(labels[grade] for grade in grades), ""]
        for topic, doc, position, ordering, assessor, *grades in rows
    ]
    assert page.rows("Serious disagreements") == expected
    assert page.fact("Docs judged by all groups") == "18"
    counts = command_rows("disagree", folder, capsys=capsys)
    assert [row[4:] for row in page.rows("All disagreements")] == [row[4:] for row in counts]


def test_a_blind_adjudicator_sees_labels_only_on_request(judged: Any, read: Read) -> None:
    first = read(judged, ADDRESS).rows("Serious disagreements")
    assert {label for row in first for label in row[5:-1]} == {"hidden"}
    g1 = Assignment.objects.get(assessor__name="g1", topic__name="q1", round=1)
    cell = read(judged, f"/organiser/cells/{g1.assessor_id}/{g1.topic_id}").text
    assert "hidden" in cell
    client = judged.client("the-organiser", role="organiser")
    body = {"reference": "gold", "other": ["tin", "zinc"], "rule": SERIOUS, "ordering": ""}
    answer = client.post("/organiser/disagreements/reveal", body)
    assert answer.status_code == 302
    assert DeskEvent.objects.filter(kind="revealed").count() == 2
    then = read(judged, answer["Location"]).rows("Serious disagreements")
    assert not {label for row in then for label in row[5:-1]} & {"hidden"}


def test_another_rule_can_be_used(judged: Any, read: Read) -> None:
    page = read(judged, f"{ADDRESS}?rule=gold == 2 and any < relevant&reference=zinc")
    assert page.fact("Serious disagreements") == str(len(page.rows("Serious disagreements")))
    assert "rule= gold" not in page.text
    wrong = read(judged, f"{ADDRESS}?rule=gold ~ 2", status=400)
    assert "The condition 'gold ~ 2' cannot be read" in wrong.text
    assert "Open a rejudging round" not in wrong.text


@pytest.mark.parametrize("query", ["reference=nobody", "other=nobody", "ordering=nonsense"])
def test_unknown_groups_and_orderings_are_refused(lite_judged: Any, read: Read, query: str) -> None:
    read(lite_judged, f"{ADDRESS}?{query}", status=400)


def test_people_of_one_group_disagree_and_are_adjudicated(
    unjudged: Any, judge_again: Callable[..., None], read: Read
) -> None:
    judge_again("t1", "q1", "22112010-1")
    assert "There are no disagreements yet" in read(unjudged, ADDRESS).text
    assert open_round(unjudged).status_code == 400
    judge_again("t2", "q1", "2010211e-1")
    title = "Docs with different labels"
    # Docs with grades that differ by two come first; a code is not a grade.
    docs = ["d00001", "d00003", "d00005"]
    assert [row[1:3] for row in read(unjudged, ADDRESS).rows(title)] == [
        [doc, "hidden"] for doc in docs
    ]
    client = unjudged.client("the-organiser", role="organiser")
    for doc in docs:
        desk = client.get("/organiser/desk/next")["Location"]
        assert AssignedDoc.objects.get(pk=desk.rpartition("/")[2]).doc.name == doc
        client.post(f"{desk}/reveal")
    assert client.get("/organiser/desk/next")["Location"] == ADDRESS
    row = read(unjudged, ADDRESS).rows(title)[0]
    assert row == ["q1", "d00001", "not relevant · highly relevant", "open"]


def test_a_round_has_separate_assignments_and_leaves_the_first_round_unchanged(
    judged: Any, read: Read
) -> None:
    before = first_labels()
    answer = open_round(judged)
    assert (answer.status_code, answer["Location"]) == (302, "/organiser/rounds/2")
    assert round_docs() == {("g1", "q1"): ["d00001"], ("g1", "q2"): ["d00002"]}
    orders = Assignment.objects.filter(round=2).order_by("topic__name")
    assert list(orders.values_list("ordering", "seed", "total", "judged")) == [
        ("prioritised", 0, 1, 0), ("randomised", 7, 1, 0),
    ]  # fmt: skip
    opened = RejudgingRound.objects.get()
    assert (opened.reason, opened.reference) == ("disagreement", "gold")
    assert opened.rule == f"{SERIOUS} or gold >= high and all < high and any < relevant"
    assert not opened.shows_labels
    assert OrganiserAction.objects.filter(action="open-round", target="2 disagreement").exists()
    assert first_labels() == before
    assert sum(check.wrong for check in verified()) == 0
    page = read(judged, ADDRESS)
    assert page.fact("Not judged again yet") == "0"
    assert [row[-1] for row in page.rows("Serious disagreements")] == ["Round 2", "Round 2"]


def test_docs_are_in_the_order_in_which_they_were_first_shown(judged: Any) -> None:
    assert shown_order("g1", "q2") != sorted(shown_order("g1", "q2"))
    answer = open_round(judged, rule="gold < relevant", who="everybody")
    assert answer.status_code == 302
    found = round_docs()
    everybody = ("g1", "t1", "t2", "z1")
    assert set(found) == {(who, topic) for who in everybody for topic in ("q1", "q2")}
    for (assessor, topic), docs in found.items():
        assert docs == [doc for doc in shown_order(assessor, topic) if doc in docs]
    # Nine docs of q2 that gold labels as not relevant and all judged, for each of the four
    # assessors.
    assert {len(docs) for (_, topic), docs in found.items() if topic == "q2"} == {9}


def test_one_assessor_can_judge_all_docs_in_the_order_of_the_reference(judged: Any) -> None:
    answer = open_round(judged, rule="gold < relevant", who="one", assessor="z1")
    assert answer.status_code == 302
    found = round_docs()
    assert set(found) == {("z1", "q1"), ("z1", "q2")}
    order = shown_order("g1", "q2")
    assert found["z1", "q2"] == [doc for doc in order if doc in found["z1", "q2"]]


def test_a_second_click_opens_no_second_round(judged: Any) -> None:
    assert open_round(judged).status_code == 302
    assert open_round(judged).status_code == 409
    assert open_round(judged, after="2").status_code == 409  # nothing is left
    assert Assignment.objects.filter(round__gt=1).count() == 2
    more = open_round(judged, after="2", rule="gold < relevant and any >= relevant")
    assert more["Location"] == "/organiser/rounds/3"
    again = {(topic, doc) for (_, topic), docs in round_docs(3).items() for doc in docs}
    assert again
    assert not again & {("q1", "d00001"), ("q2", "d00002")}


@pytest.mark.parametrize(
    "fields",
    [
        {"who": "nobody"}, {"who": ""}, {"who": "one", "assessor": "x"}, {"who": "one"},
        {"labels": "some"}, {"after": ""}, {"after": "-1"}, {"after": "٣"}, {"rule": "gold"},
        {"ordering": "x"}, {"reference": "x"},
    ],
)  # fmt: skip
def test_invalid_forms_open_no_round(lite_judged: Any, fields: Any) -> None:
    assert open_round(lite_judged, **fields).status_code == 400
    assert not RejudgingRound.objects.exists()


def test_a_blind_round_shows_no_labels_and_the_other_one_no_names(judged: Any) -> None:
    open_round(judged)
    open_round(judged, after="2", labels="shown", rule="gold < relevant and any >= relevant")
    client = judged.client("g1")
    for number, is_shown in ((1, False), (2, False), (3, True)):
        found = Assignment.objects.get(assessor__name="g1", topic__name="q1", round=number)
        doc = client.get(f"/api/assignments/{found.pk}/docs/1").json()["doc"]
        page = client.get(f"/judge/{found.pk}/1").content.decode()
        if is_shown:
            # d4: gold has … d5: gold 0, tin 0 and 0, zinc 2.
            assert doc["name"] == "d00005"
            said = (
                "In the first round: your label: not relevant; other assessors: not relevant,"
                " not relevant, highly relevant"
            )
            assert doc["earlier"] == said
            assert f'<p class="earlier" id="earlier">{said}</p>' in page
        else:
            assert doc["earlier"] == ""
            assert '<p class="earlier" id="earlier" hidden></p>' in page
        assert "t1" not in doc["earlier"]


def test_a_round_that_is_not_blind_shows_notes_and_passages_of_the_first(lite_judged: Any) -> None:
    open_round(lite_judged, labels="shown", rule="gold < relevant and any >= relevant")
    seen = AssignedDoc.objects.filter(assignment__assessor__name="g1", assignment__round=2).first()
    other = AssignedDoc.objects.get(
        assignment__assessor__name="z1", assignment__round=1,
        assignment__topic=seen.assignment.topic, doc=seen.doc,
    )  # fmt: skip
    version = other.doc.versions.get()
    text = visible_text(version)
    passage = {"start": 0, "quote": text[:9], "sha256": text_digest(text)}
    judge(
        JudgmentSubmission(
            op_id="operation-why", assigned=other.pk, value=other.value, sha256=version.sha256,
            base_revision=other.revision, note="It says why.", passages=[passage],
        ),
        other.assignment_id,
        assessor=other.assignment.assessor,
    )  # fmt: skip
    client = lite_judged.client("g1")
    shown = client.get(f"/api/assignments/{seen.assignment_id}/docs/{seen.position}").json()["doc"]
    assert f"notes: “It says why.”; passages: “{text[:9].strip()}”" in shown["earlier"]
    assert shown["earlier_passages"] == [passage]
    first = Assignment.objects.get(
        assessor__name="g1", topic=seen.assignment.topic, round=1
    )  # a round in which no label of others is shown
    before = client.get(f"/api/assignments/{first.pk}/docs/1").json()["doc"]
    assert (before["earlier"], before["earlier_passages"]) == ("", [])


def test_the_results_of_a_round_are_on_its_page(
    judged: Any, read: Read, judge_again: Callable[..., None]
) -> None:
    open_round(judged)
    assert "No doc has been judged again yet." in read(judged, "/organiser/rounds/2").text
    judge_again("g1", "q1", "-1--------", round_=2)
    page = read(judged, "/organiser/rounds/2")
    assert (page.fact("Judged"), page.fact("Docs waiting")) == ("1 of 2", "1")
    assert page.rows("The new labels") == [
        ["g1", "q1", "1", "1 100%"], ["g1", "all", "1", "1 100%"], ["all", "all", "1", "1 100%"],
    ]  # fmt: skip
    assert page.rows("Changes to the first labels") == [["not relevant", "relevant", "1"]]
    read(judged, "/organiser/rounds/9", status=404)


@pytest.mark.slow
def test_the_audit_shows_tables_14_and_15_of_the_export(
    lite_judged: Any, judge_again: Callable[..., None], exported: Callable[..., Path]
) -> None:
    open_round(lite_judged)
    judge_again("g1", "q1", "-2--------", round_=2)
    judge_again("g1", "q2", "--0-------", round_=2)
    folder = exported(lite_judged)
    second = read_judgments(folder / "rejudging" / "round-2.csv")
    assert second.grade.tolist() == [2, 0]
    first = read_judgments(folder / "judgments.csv").current()
    assert len(first) == 76  # none of them is of the second round
    (round_,) = read_rejudged_rounds(folder)
    assert (round_.reason, round_.labels, round_.assigned) == ("disagreement", "hidden", 2)
    assert run(["audit", str(folder), "--quiet"]) == 0
    tables = folder / "audit" / "tables"
    assert (tables / "rejudging-2-assessors.csv").read_text() == (
        "assessor,rejudged,grade 0,grade 2,share of 0,share of 2\n"
        "g1,2,1,1,0.5,0.5\n"
        "all,2,1,1,0.5,0.5\n"
    )
    assert (tables / "rejudging-2-topics.csv").read_text() == (
        "assessor,topic,rejudged,grade 0,grade 2\ng1,q1,1,0,1\ng1,q2,1,1,0\n"
    )
    report = (folder / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "New labels of round 2 by assessor" in report
    assert "The layout is that of Table 14 in Sakai et al. (2023)." in report
    assert "did not see the labels of the first round" in report


def test_rounds_are_imported_again(
    judged: Any,
    judge_again: Callable[..., None],
    exported: Callable[..., Path],
    comes_back: Callable[..., Path],
) -> None:
    open_round(judged, labels="shown")
    judge_again("g1", "q1", "-1--------", round_=2)
    copy = comes_back(exported(judged, "first"))
    assert b'"number":2' in (copy / "app" / "rounds.jsonl").read_bytes().replace(b" ", b"")


def test_a_viewer_can_read_but_has_no_buttons(lite_judged: Any, read: Read) -> None:
    page = read(lite_judged, ADDRESS, role="viewer")
    assert page.fact("Serious disagreements") == "2"
    assert "Open a round" not in page.text
    viewer = lite_judged.client("the-viewer", role="viewer")
    assert viewer.post(f"{ADDRESS}/round", {"who": "reference", "after": "1"}).status_code == 403


def test_an_unreadable_rule_is_reported_in_the_language_of_the_page(judged: Any) -> None:
    client = judged.client("olga", role="organiser")
    asked, headers = {"rule": "silver < 1"}, {"Accept-Language": "ja"}
    form = asked | {"who": "reference", "labels": "blind", "after": "1"}
    for answer in (
        client.get(ADDRESS, asked, headers=headers),
        client.post(f"{ADDRESS}/round", form, headers=headers),
    ):
        assert answer.status_code == 400
        assert "を読み取れません" in answer.content.decode()
