"""Few human labels in the app: models' labels, a sample judged in waves, estimate, audit."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith import estimate, sample
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import campaign_toml, read_campaign
from qrelsmith.estimation.sample_files import sample_rows
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.project import current_instance
from qrelsmith.web.sampling.state import sample_state

TOPICS, DOCS = 8, 20
TOML = """\
format = 1
title = "Few labels"
measures = ["P@5"]

[scale]
levels = [{ grade = 0 }, { grade = 1 }]

[sample]
group = "people"
budget = 120
wave = 20
decide = ["good", "fair"]

[groups.people]
assessors = ["p1", "p2"]

[qrels."model.qrels"]
kind = "model"
"""


def grade(doc: str) -> int:
    """Return the human grade: the first six docs of a topic are relevant."""
    return int(int(doc.partition("-")[2]) < 6)


def made_up(folder: Path) -> Path:
    """Write topics, docs, three runs and labels of a model that is wrong for every fifth doc."""
    for name in ("runs", "qrels"):
        (folder / name).mkdir(parents=True)
    (folder / "campaign.toml").write_text(TOML)
    docs = {f"q{n}": [f"q{n}-{place}" for place in range(DOCS)] for n in range(1, TOPICS + 1)}
    (folder / "topics.jsonl").write_text(
        "".join(json.dumps({"topic": topic, "title": topic}) + "\n" for topic in docs)
    )
    every = [doc for names in docs.values() for doc in names]
    (folder / "documents.jsonl").write_text(
        "".join(json.dumps({"doc_id": doc, "text": f"The words of {doc}."}) + "\n" for doc in every)
    )
    rng = random.Random(7)
    (folder / "qrels" / "model.qrels").write_text(
        "".join(
            f"{topic} 0 {doc} {grade(doc) ^ (rng.random() < 0.2)}\n"
            for topic, names in docs.items()
            for doc in names
        )
    )
    for name, noise in (("good", 4), ("fair", 14), ("bad", 60)):
        ranked = [
            (topic, doc, -place + rng.uniform(0, noise))
            for topic, names in docs.items()
            for place, doc in enumerate(names)
        ]
        lines = [f"{topic} Q0 {doc} 0 {score:.4f} {name}\n" for topic, doc, score in ranked]
        (folder / "runs" / f"{name}.run").write_text("".join(lines))
    return folder


def truth() -> dict[str, dict[str, int]]:
    """Return the human grades of all docs."""
    docs = {f"q{n}": [f"q{n}-{place}" for place in range(DOCS)] for n in range(1, TOPICS + 1)}
    return {topic: {doc: grade(doc) for doc in names} for topic, names in docs.items()}


def read_rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def judge_all(client: Any, *, last: int | None = None) -> int:
    """Judge all open docs of an assessor; return their number.

    `last`: the code for the last doc of each topic, instead of a grade.
    """
    count = 0
    for each in client.get("/api/assignments").json()["assignments"]:
        if not each["is_open"]:
            continue
        path = f"/api/assignments/{each['assignment']}"
        docs = client.get(f"{path}/docs").json()["docs"]
        for doc in docs:
            if doc["status"] != "open":
                continue
            said = last if last is not None and doc is docs[-1] else grade(doc["name"])
            body = {
                "op_id": f"grade-{doc['doc']:08}", "doc": doc["doc"], "value": said,
                "sha256": doc["sha256"], "base_revision": doc["revision"],
            }  # fmt: skip
            answer = client.post(f"{path}/judgments", body, content_type="application/json")
            assert answer.status_code == 200, answer.content
            count += 1
    return count


def test_a_sample_is_judged_in_waves_until_it_is_decided(
    tmp_path: Path, open_app: Callable[..., Any]
) -> None:
    folder = made_up(tmp_path / "campaign")
    with open_app(folder) as app:
        clients = [app.client("p1"), app.client("p2")]
        first = sample_rows(folder / "sample.csv")
        assert first.waves == 1
        waves, judged = 0, 0
        while done := sum(map(judge_all, clients)):
            waves, judged = waves + 1, judged + done
        organiser = app.client("boss", role="organiser")
        page = organiser.get("/organiser/sample").content.decode()
        assert "the goal is reached" in page
        # The purpose is not revealed to assessors, neither by the page nor by names of assignments.
        assert clients[0].get("/organiser/sample").status_code in (302, 403)
        named = clients[0].get("/api/assignments").json()["assignments"]
        assert {each["hit"] for each in named} <= {f"part-{n}" for n in range(1, waves + 1)}

        state = sample_state()
        exported = tmp_path / "exported"
        export(current_instance().campaign, exported, WantedExport())

    rows = sample_rows(exported / "sample.csv")
    assert rows.waves == waves == state.waves
    assert len(rows.keys) == judged == state.labels
    assert waves > 1
    assert {row["assessor"] for row in read_rows(exported / "judgments.csv")} == {"p1", "p2"}
    answer = estimate(exported, pairs=True, until=120)
    (estimates,) = answer.of_measures
    assert estimates.labels == judged
    assert answer.decision("good", "fair").better == "good"
    assert state.decided == round(answer.decided[0] * state.pairs)
    section = SECTIONS.get("few-labels")(AuditInputs(exported))
    assert section.missing == ""
    assert f"With {judged} human labels" in section.findings[0].sentence


def test_a_doc_that_cannot_be_judged_stops_the_sample_until_it_has_a_grade(
    tmp_path: Path, open_app: Callable[..., Any]
) -> None:
    folder = made_up(tmp_path / "campaign")
    with open_app(folder) as app:
        clients = [app.client("p1"), app.client("p2")]
        judge_all(clients[0])
        judge_all(clients[1], last=-2)
        organiser = app.client("boss", role="organiser")
        page = organiser.get("/organiser/sample").content.decode()
        assert "has no grade" in page
        assert sample_rows(folder / "sample.csv").waves == 1
        mine = clients[1].get("/api/assignments").json()["assignments"]
        assert all(each["is_open"] for each in mine)


def test_the_waves_of_the_app_use_the_focus(tmp_path: Path, open_app: Callable[..., Any]) -> None:
    folder = made_up(tmp_path / "campaign")
    settings = TOML.replace('decide = ["good", "fair"]', 'focus = ["bad"]')
    few = settings.replace("budget = 120\nwave = 20", "budget = 30\nwave = 5")
    (folder / "campaign.toml").write_text(few)
    with open_app(folder) as app:
        clients = [app.client("p1"), app.client("p2")]
        drawn = folder / "sample.csv"
        while sample_rows(drawn).waves < 3:
            assert sum(map(judge_all, clients))
    asked = {"measures": "P@5", "budget": 200, "after": drawn, "judgments": truth()}
    assert sample(folder, focus="bad", **asked).wave > 3
    with pytest.raises(UsageError, match="measure and focus"):
        sample(folder, **asked)


def test_the_settings_of_a_sample_are_written_as_they_were_read(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "campaign")
    focused = TOML.replace("decide =", 'focus = ["good"]\ndecide =')
    (folder / "campaign.toml").write_text(focused)
    campaign = read_campaign(folder)
    assert campaign.sampling is not None
    assert campaign.sampling.focus == ("good",)
    (folder / "campaign.toml").write_text(campaign_toml(campaign))
    assert read_campaign(folder).sampling == campaign.sampling


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('group = "nobody"', "is not a group"),
        ("budget = 0", "expected 1 or more"),
        ('decide = ["good"]', "expected two"),
        ("share = 1.5", "at most 1"),
    ],
)
def test_wrong_settings_of_a_sample_are_one_line_errors(
    tmp_path: Path, line: str, problem: str
) -> None:
    folder = made_up(tmp_path / "campaign")
    key = line.partition(" ")[0]
    lines = [each for each in TOML.splitlines() if not each.startswith(f"{key} =")]
    lines.insert(lines.index("[sample]") + 1, line)
    (folder / "campaign.toml").write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match=problem):
        read_campaign(folder)
