"""Labels that are out of date: counted, shown with the changes, and judged again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.web.models import Assessor, Assignment, Doc, RejudgingRound
from qrelsmith.web.organiser.differences import side_by_side

Read = Callable[..., Any]
ADDRESS = "/organiser/versions"


def change(app: Any, name: str, old: str, new: str) -> None:
    """Change a file of the campaign, and import it."""
    path = app.folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert run(["import", str(app.folder), "--accept-changes", "--quiet"]) == 0


def open_round(app: Any, **fields: Any) -> Any:
    client = app.client("olga", role="organiser")
    return client.post(f"{ADDRESS}/round", {"who": "everybody", "after": "1"} | fields)


def test_before_a_change_no_label_is_out_of_date(judged: Any, read: Read) -> None:
    assert "No labels are out of date" in read(judged, ADDRESS).text


def test_out_of_date_labels_are_counted_by_topic_and_assessor(judged: Any, read: Read) -> None:
    change(judged, "topics.jsonl", "topic 1", "another title")
    change(judged, "documents.jsonl", '"text": "word ', '"text": "Word ')  # of d00000
    page = read(judged, ADDRESS)
    rows = {tuple(row[:2]): row[3:] for row in page.rows("Labels out of date")}
    # By hand: all 36 labels of q1, and in q2 those of d0, which all four assessors have judged.
    assert rows == {
        ("q1", "g1"): ["9", "9", "1", "0"], ("q1", "t1"): ["9", "9", "1", "0"],
        ("q1", "t2"): ["8", "8", "1", "0"], ("q1", "z1"): ["10", "10", "1", "0"],
        ("q2", "g1"): ["1", "0", "1", "0"], ("q2", "t1"): ["1", "0", "1", "0"],
        ("q2", "t2"): ["1", "0", "1", "0"], ("q2", "z1"): ["1", "0", "1", "0"],
    }  # fmt: skip
    assert page.fact("Labels out of date") == "40"
    assert page.fact("Not in a round yet") == "40"
    only = read(judged, f"{ADDRESS}?part=doc&topic=q2")
    assert only.fact("Not in a round yet") == "4"


def test_changes_are_shown_side_by_side(judged: Any, read: Read) -> None:
    change(judged, "topics.jsonl", "topic 1", "another title")
    change(judged, "campaign.toml", "Helps.", "Helps a little.")
    change(judged, "documents.jsonl", "word word", "Word <b> word")
    page = read(judged, ADDRESS)
    assert "<del>topic 1</del>" in page.html
    assert "<ins>another title</ins>" in page.html
    assert "<del>Helps.</del>" in page.html
    assert "<ins>Helps a little.</ins>" in page.html
    assert "version 1, now version 2; 36 labels use the old version" in page.text
    assert page.rows("Changed docs")[0][:2] == ["d00000", "8"]
    address = page.html.split('<th scope="row"><a href="')[-1].partition('"')[0]
    doc = read(judged, address)
    assert "<ins>Word &lt;b&gt;</ins>" in doc.html
    assert "<b>" not in doc.html.partition("<main")[2]


def test_a_round_can_be_opened_for_out_of_date_labels(
    judged: Any, read: Read, judge_again: Callable[..., None]
) -> None:
    change(judged, "topics.jsonl", "topic 2", "a second title")
    assert open_round(judged)["Location"] == "/organiser/rounds/2"
    found = Assignment.objects.filter(round=2).order_by("assessor__name")
    assert list(found.values_list("assessor__name", "topic__name", "total")) == [
        ("g1", "q2", 10), ("t1", "q2", 10), ("t2", "q2", 10), ("z1", "q2", 10),
    ]  # fmt: skip
    page = read(judged, ADDRESS)
    assert page.fact("Labels out of date") == "40"  # they stay unchanged
    assert page.fact("Not in a round yet") == "0"
    assert "Open a round" not in page.text
    assert open_round(judged, after="2").status_code == 409
    judge_again("g1", "q2", "1111111111", round_=2)
    assert read(judged, ADDRESS).fact("Not in a round yet") == "0"
    # Another change: docs judged again are out of date once more, the others wait in their round.
    change(judged, "topics.jsonl", "a second title", "a third title")
    assert read(judged, ADDRESS).fact("Not in a round yet") == "10"


def test_one_assessor_can_replace_all(judged: Any, read: Read) -> None:
    change(judged, "topics.jsonl", "topic 2", "a second title")
    assert open_round(judged, who="one", assessor="z1").status_code == 302
    found = Assignment.objects.filter(round=2)
    assert list(found.values_list("assessor__name", "topic__name", "total")) == [("z1", "q2", 10)]


def test_a_new_assessor_can_replace_all_who_judged(judged: Any, read: Read) -> None:
    Assessor.objects.create(name="expert", group="gold")
    change(judged, "topics.jsonl", "topic 2", "a second title")
    assert open_round(judged, who="one", assessor="expert").status_code == 302
    assert read(judged, ADDRESS).fact("Not in a round yet") == "0"


def test_a_round_can_be_restricted_to_one_topic_and_one_kind_of_change(judged: Any) -> None:
    change(judged, "topics.jsonl", "topic 1", "another title")
    change(judged, "documents.jsonl", '"text": "word ', '"text": "Word ')
    assert open_round(judged, part=["doc"], topic="q2").status_code == 302
    found = Assignment.objects.filter(round=2)
    assert set(found.values_list("topic__name", "total")) == {("q2", 1)}
    assert RejudgingRound.objects.get().rule == "doc of topic q2"


@pytest.mark.parametrize("query", ["part=x", "topic=nonsense"])
def test_invalid_requests_are_refused(lite_judged: Any, read: Read, query: str) -> None:
    read(lite_judged, f"{ADDRESS}?{query}", status=400)


def test_a_doc_without_a_change_has_no_other_version(lite_judged: Any, read: Read) -> None:
    doc = Doc.objects.get(name="d00003")
    read(lite_judged, f"{ADDRESS}/docs/{doc.pk}", status=404)


def test_long_texts_are_compared_by_lines_and_longer_ones_not_at_all(lite_judged: Any) -> None:
    lines = "".join(f"line {n} of many\n" for n in range(2000))
    found = side_by_side("text", lines, lines.replace("line 7 of", "line 7 in"))
    assert [piece.text for piece in found.new if piece.is_changed] == ["line 7 in many"]
    huge = "a\n" * 4000
    found = side_by_side("text", huge, huge + "b")
    assert [piece.is_changed for piece in (*found.old, *found.new)] == [True, True]


def test_equal_parts_are_not_marked(lite_judged: Any) -> None:
    found = side_by_side("title", "one two\nthree", "one two three")
    assert not any(piece.is_changed for piece in (*found.old, *found.new))
    assert "".join(piece.text for piece in found.old) == "one two\nthree"
