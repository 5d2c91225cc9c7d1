"""Answers judged in the app: labels, edits of nuggets, exports, and what the page hides."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from qrelsmith import evaluate
from qrelsmith.answers.aspects import read_aspects
from qrelsmith.answers.judged_aspects import DROPPED, EDIT
from qrelsmith.base.items import item_parts
from qrelsmith.cli import run
from qrelsmith.judgments.evidence_files import read_passages

SYSTEMS = {"garden", "harbour", "island", "kettle"}


class Judge:
    """An assessor with the answers to a topic, who judges like the page's script."""

    def __init__(self, app: Any, name: str, topic: str = "attic", round_: int = 1) -> None:
        from qrelsmith.web.models import AnswerAssignment

        self.assignment = AnswerAssignment.objects.get(
            assessor__name=name, topic__name=topic, round=round_
        )
        self.client = app.client(name)
        self.sent = 0

    @property
    def state(self) -> dict[str, Any]:
        """Return the data of the page for its script."""
        answer = self.client.get(f"/answers/{self.assignment.pk}")
        assert answer.status_code == 200
        (found,) = re.findall(r'<script id="state"[^>]*>(.*?)</script>', answer.content.decode())
        state: dict[str, Any] = json.loads(found)
        return state

    def rows(self, family: str = "", **wanted: Any) -> list[dict[str, Any]]:
        """Return the aspects of a family."""
        return [
            row
            for row in self.state["items"]
            if row["family"] == (family or row["family"])
            and all(row[name] == value for name, value in wanted.items())
        ]

    def post(self, row: dict[str, Any], value: float, **more: Any) -> Any:
        """Send a label."""
        self.sent += 1
        body = {
            "op_id": f"{self.assignment.pk:04}-{self.sent:06}",
            "aspect": row["aspect"],
            "value": value,
            "wording": row["text"],
            "sha256": row["sha256"],
            "base_revision": row["revision"],
            **more,
        }
        return self.client.post(
            f"/api/answers/{self.assignment.pk}/judgments", body, content_type="application/json"
        )

    def judge(self, row: dict[str, Any], value: float, **more: Any) -> dict[str, Any]:
        """Send a label that must be accepted; return the updated aspect."""
        answer = self.post(row, value, **more)
        assert answer.status_code == 200, answer.content
        judged: dict[str, Any] = answer.json()["aspect"]
        return judged

    def undo(self) -> dict[str, Any]:
        """Undo the latest label or edit."""
        self.sent += 1
        body = {"op_id": f"{self.assignment.pk:04}-{self.sent:06}"}
        answer = self.client.post(
            f"/api/answers/{self.assignment.pk}/undo", body, content_type="application/json"
        )
        assert answer.status_code == 200, answer.content
        undone: dict[str, Any] = answer.json()["aspect"]
        return undone

    def edit(self, row: dict[str, Any] | None, **fields: Any) -> None:
        """Send the form for editing a nugget."""
        self.sent += 1
        form = {
            "op_id": f"{self.assignment.pk:04}-{self.sent:06}", "place": 1, "position": 1,
            "aspect": row["aspect"] if row else 0, "text": row["text"] if row else "", "value": 1,
        }  # fmt: skip
        answer = self.client.post(f"/answers/{self.assignment.pk}/nuggets", form | fields)
        assert answer.status_code == 302, answer.content


@pytest.fixture
def opened(
    database_url: str, tmp_path: Path, make_answers: Callable[..., Path], open_app: Any
) -> Iterator[Any]:
    with open_app(make_answers(tmp_path / "answers")) as app:
        yield app


def verified() -> list[str]:
    from qrelsmith.web.verification.whole import verified as checks

    return [each for check in checks() for each in check.examples]


def test_the_page_shows_every_aspect_and_reveals_no_system(opened: Any) -> None:
    a01 = Judge(opened, "a01")
    page = a01.client.get(f"/answers/{a01.assignment.pk}").content.decode()
    assert not [name for name in SYSTEMS if name in page]
    assert Counter(row["family"] for row in a01.state["items"]) == {
        "nugget": 20, "citation": 14, "criterion.fluency": 4,
    }  # fmt: skip
    assert "What would you like to know?" in page
    (cited, *_) = a01.rows("citation")
    frame = a01.client.get(cited["frame"])
    assert frame.status_code == 200
    assert b"It was measured." in frame.content
    other = Judge(opened, "a02")
    assert other.client.get(cited["frame"]).status_code == 404
    assert other.post(cited, 2).status_code == 404
    # The order of answers differs between assessors.
    orders = [[each["run"] for each in judge.assignment.answers] for judge in (a01, other)]
    assert set(orders[0]) == set(orders[1]) == SYSTEMS


def test_labels_are_checked_against_the_scale_of_their_aspect(opened: Any, tmp_path: Path) -> None:
    a01 = Judge(opened, "a01")
    nugget, citation, criterion = (
        a01.rows(family)[0] for family in ("nugget", "citation", "criterion.fluency")
    )
    assert a01.judge(nugget, -3)["value"] == -3
    assert a01.judge(citation, 1)["value"] == 1
    assert a01.post(criterion, 0).json()["error"] == "value"
    assert a01.judge(criterion, 3)["value"] == 3
    assert a01.post(criterion, 2).json()["error"] == "stale"
    assert a01.undo()["value"] is None
    text = a01.client.get(f"/api/cited/{nugget['aspect']}/text?sha256={nugget['sha256']}").json()
    quote = text["text"].splitlines()[0]
    passage = {"start": 0, "quote": quote, "sha256": text["text_sha256"]}
    kept = a01.judge(a01.rows("nugget")[0], 2, note="word by word", passages=[passage])
    assert (kept["note"], kept["passages"]) == ("word by word", [passage])
    assert verified() == []
    target = tmp_path / "out"
    assert run(["app", "export", str(opened.folder), "-o", str(target)]) == 0
    (marked,) = read_passages(target)
    run_ = a01.assignment.answers[kept["place"] - 1]["run"]
    assert item_parts(marked.doc) == (run_, kept["name"])


def test_nuggets_are_edited_split_merged_and_dropped_each_as_an_event(opened: Any) -> None:
    a01, a02 = Judge(opened, "a01"), Judge(opened, "a02")
    first, second, third = a01.rows("nugget", place=1)[:3]
    a02.judge(a02.rows("nugget", name=second["name"])[0], 2)
    a01.edit(first, text="Saves heat", value=0.5, split="It saves money")
    a01.edit(second, into=third["name"])
    a01.edit(None, text="Ask first")
    names = {row["name"]: row for row in a02.rows("nugget", place=2)}
    assert (names[first["name"]]["text"], names[first["name"]]["importance"]) == (
        "Saves heat", "okay",
    )  # fmt: skip
    assert names[second["name"]]["importance"] == "dropped"
    assert {row["text"] for row in names.values()} >= {"It saves money", "Ask first"}
    # New nuggets are judged in every answer, by all assessors.
    assert len(a02.rows("nugget", text="Ask first")) == 4
    events = list(a01.assignment.events.order_by("pk").values_list("wording", "value", "related"))
    assert events == [
        ("Saves heat", 0.5, ""),
        ("It saves money", 0.5, first["name"]),
        (second["text"], 0, third["name"]),
        ("Ask first", 1, ""),
    ]
    assert verified() == []
    # A label of an earlier text is stale; an undo restores the nuggets.
    judged = a02.judge(a02.rows("nugget", name=first["name"])[0], 1)
    a02.edit(judged, text="Saves a lot")
    assert a02.rows("nugget", name=first["name"])[0]["stale"] == ["aspect"]
    a02.undo()
    assert a02.rows("nugget", name=first["name"])[0]["stale"] == []
    a01.undo()
    assert {row["importance"] for row in a02.rows("nugget", text="Ask first")} == {"dropped"}
    a01.undo()
    assert {row["importance"] for row in a02.rows("nugget", name=second["name"])} == {"vital"}
    assert verified() == []


def test_a_start_without_assessors_names_the_command_to_run(
    tmp_path: Path,
    make_answers: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    open_app: Any,
) -> None:
    from qrelsmith.web.serving.start import prepare

    folder = make_answers(tmp_path / "answers", people=())
    with open_app(folder):
        note = next(note for note in prepare() if note.startswith("nothing is assigned"))
        assert "pool" not in note
        settings = folder / "campaign.toml"
        settings.write_text(settings.read_text().replace("[]", '["a01"]'))
        assert run(shlex.split(note.partition("run: qrelsmith ")[2])) == 0
        assert "assignments of answers,3,0,0" in capsys.readouterr().out
        assert not [note for note in prepare() if "assigned" in note]


def test_progress_counts_labels_but_not_edits(
    opened: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from qrelsmith.web.models import AnswerAspect

    a01 = Judge(opened, "a01")
    first, *others = a01.rows("nugget", place=1)
    for row in others:
        a01.judge(row, 1)
    a01.edit(first, value=0)  # one nugget of four answers is dropped
    assert run(["app", "progress", str(opened.folder), "--format", "jsonl"]) == 0
    parts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    total = AnswerAspect.objects.exclude(family=EDIT).exclude(importance=DROPPED).count()
    own = [part for part in parts if part["assessor"] in {"all", "a01"}]
    assert [part["judged"] for part in own] == [4, 4]
    assert (own[0]["docs"], own[0]["left"], own[0]["assignments"]) == (total, total - 4, 6)
    assert own[1]["hours"] > 0  # measured
    olga = opened.client("olga", role="organiser")
    assert f"4 of {total}" in olga.get("/").content.decode()
    cells = olga.get("/api/organiser/matrix").json()["cells"]
    assert [sum(column) for column in zip(*(cell[5:7] for cell in cells), strict=True)] == [
        total,
        4,
    ]
    progress = olga.get("/organiser/progress").content.decode()
    assert f'4 <span class="of">of {total}' in progress
    assert "Nothing is assigned" not in progress


def test_a_form_sent_twice_adds_one_nugget(opened: Any) -> None:
    a01 = Judge(opened, "a01")
    a01.edit(None, text="Ask first", op_id="the-same-form")
    edits = a01.assignment.items.filter(family="edit").count()
    a01.edit(None, text="Ask first", op_id="the-same-form")
    assert a01.assignment.items.filter(family="edit").count() == edits == 1
    assert a01.assignment.events.count() == 1
    assert verified() == []


def test_a_closed_topic_refuses_an_edit_and_stores_nothing_of_it(opened: Any) -> None:
    a01 = Judge(opened, "a01")
    nugget = a01.rows("nugget", place=1)[0]
    type(a01.assignment).objects.update(is_open=False)
    form = {"op_id": "after-the-end", "place": 1, "position": 1, "value": 1}
    address = f"/answers/{a01.assignment.pk}/nuggets"
    for aspect in (0, nugget["aspect"]):
        answer = a01.client.post(address, form | {"aspect": aspect, "text": "Too late"})
        assert answer.status_code in (403, 409)
        assert "This topic is closed." in answer.content.decode()
    assert not a01.assignment.items.filter(family="edit").exists()
    assert verified() == []
    # Events after a close that counted its events are detected.
    own = type(a01.assignment).objects.filter(pk=a01.assignment.pk)
    own.update(is_open=True)
    a01.judge(nugget, 2)
    own.update(is_open=False, events_at_close=0)
    (found,) = verified()
    assert "came after the answers to topic attic of a01 was closed" in found


def test_an_export_is_evaluated_and_imported_again(
    opened: Any, tmp_path: Path, open_app: Any, give_tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    a01, a02 = Judge(opened, "a01"), Judge(opened, "a02")
    for judge, shift in ((a01, 0), (a02, 1)):
        for row in judge.rows():
            top = 3 if row["family"] == "criterion.fluency" else 2
            judge.judge(row, 1 + shift if top == 3 else (row["place"] + shift) % 3)
    a01.edit(a01.rows("nugget")[0], text="Saves heat", value=0.5)
    a01.edit(a01.rows("nugget")[1], value=0)
    target = tmp_path / "out"
    assert run(["app", "export", str(opened.folder), "-o", str(target)]) == 0
    with (target / "judgments.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["doc"] for row in rows} == SYSTEMS
    dropped = a01.rows("nugget")[1]["name"]
    assert len(rows) == 2 * 38 - 2 * 4
    assert dropped not in {row["aspect"] for row in rows}
    aspects = read_aspects(target / "aspects.csv")
    assert aspects.find("attic", dropped) is None
    edited = aspects.find("attic", a01.rows("nugget")[0]["name"])
    assert edited is not None
    assert (edited.text, edited.importance) == ("Saves heat", "okay")
    scores = evaluate(
        target / "judgments.csv", aspects=target / "aspects.csv", measures=["NuggetRecall"]
    )
    assert len(scores.table().rows) >= 4
    back = shutil.copytree(target, tmp_path / "back")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with open_app(give_tables(back)):
        from qrelsmith.web.models import AnswerAspect, AnswerAssignment, AnswerEvent

        assert verified() == []
        assert AnswerEvent.objects.count() == 2 * 38 + 2
        assert AnswerAspect.objects.filter(importance="dropped", family="nugget").count() == 8
        assert AnswerAssignment.objects.exclude(head="").count() == 2


def test_contradictions_are_adjudicated_blind_exported_and_audited(
    opened: Any, database: str, tmp_path: Path, open_app: Any
) -> None:
    from qrelsmith.web.models import DeskEvent

    for name, shift in (("a01", 0), ("a02", 1)):
        judge = Judge(opened, name)
        for row in judge.rows():
            is_first = row["place"] == 1 or row["family"] != "nugget"
            judge.judge(row, 2 if is_first else 2 - 2 * shift)
    organiser = opened.client("first", role="organiser")
    listed = organiser.get("/organiser/disagreements").content.decode()
    items = re.findall(r"/organiser/desk/aspects/(\d+)", listed)
    assert len(set(items)) == len(items) > 0
    assert not [name for name in SYSTEMS if name in listed]
    assert "not supported · supported" not in listed
    # One after the other, blind; labels are shown with the decision.
    for number in range(len(items)):
        address = organiser.get("/organiser/desk/aspects/next")["Location"]
        blind = organiser.get(address).content.decode()
        assert ">a01<" not in blind
        (digest,) = re.findall(r'name="sha256" value="(\w+)"', blind)
        value = "-3" if number else "1"
        body = {"op_id": f"verdict-{number}-of-it", "value": value, "base_revision": 0,
                "sha256": digest, "text": "Half of it."}  # fmt: skip
        assert organiser.post(f"{address}/verdict", body | {"value": "4"}).status_code == 409
        assert organiser.post(f"{address}/verdict", body).status_code == 302
        seen = organiser.get(address).content.decode()
        assert ">a01<" in seen
        assert not [name for name in SYSTEMS if name in seen]
    assert organiser.get("/organiser/desk/aspects/next")["Location"] == "/organiser/disagreements"
    assert set(DeskEvent.objects.values_list("is_blind", flat=True)) == {True}
    taken_back = {"op_id": "taken-back-again", "withdraw": "1", "base_revision": 1,
                  "sha256": digest}  # fmt: skip
    assert organiser.post(f"{address}/verdict", taken_back).status_code == 302
    assert verified() == []

    target = tmp_path / "out"
    assert run(["app", "export", str(opened.folder), "-o", str(target)]) == 0
    with (target / "adjudications.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == len(items) - 1
    assert {row["doc"] for row in rows} <= SYSTEMS
    row = rows[0]
    assert Counter(row["grade"] for row in rows) == {"1": 1, "-3": len(rows) - 1}
    decided = f"{row['topic']},{row['doc']},{row['aspect']},{row['grade']}"
    assert decided in (target / "qrels" / "adjudicated.csv").read_text().splitlines()
    # A model that agrees with the second assessor is audited together with the people.
    labels = csv.DictReader((target / "judgments.csv").read_text().splitlines())
    given = [
        f"{each['topic']},{each['doc']},llm,{each['grade']},{each['aspect']}\n"
        for each in labels
        if each["assessor"] == "a02"
    ]
    (target / "qrels" / "model.csv").write_text(
        "".join(["topic,doc,assessor,grade,aspect\n", *given])
    )
    assert run(["audit", str(target), "-o", str(tmp_path / "audit")]) == 0
    report = (tmp_path / "audit" / "audit.html").read_text()
    assert f"{len(rows)} aspects of answers were adjudicated; {len(rows)} of the verdicts" in report
    if database == "sqlite":
        with open_app(shutil.copytree(target, tmp_path / "back")) as back:
            assert DeskEvent.objects.count() == len(items) + 1
            assert verified() == []
            assert back.client("other", role="organiser").get("/organiser/disagreements")
