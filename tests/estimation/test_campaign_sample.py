"""A campaign with a sample: function, command and audit give the same estimates."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith import estimate, plan_sample, sample
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.errors import UsageError
from qrelsmith.cli import run

from .test_few_labels import MODEL, RUNS, TRUTH, write_qrels

SETTINGS = """format = 1
title = "few labels"
measures = ["P@5"]

[scale]
levels = [{ grade = 0, label = "no" }, { grade = 1, label = "yes" }]

[qrels."model.qrels"]
kind = "model"
"""


def printed(capsys: pytest.CaptureFixture[str], command_line: str) -> str:
    capsys.readouterr()
    assert run([*shlex.split(command_line)[1:], "--quiet"]) == 0, command_line
    return capsys.readouterr().out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return runs and a model's labels, without human judgments."""
    for name in ("runs", "qrels"):
        (tmp_path / name).mkdir()
    (tmp_path / "campaign.toml").write_text(SETTINGS)
    for name, topics in RUNS.items():
        lines = [
            f"{topic} Q0 {doc} 0 {score} {name}\n"
            for topic, docs in topics.items()
            for doc, score in docs.items()
        ]
        (tmp_path / "runs" / f"{name}.run").write_text("".join(lines))
    write_qrels(tmp_path / "qrels" / "model.qrels", MODEL)
    return tmp_path


def judge_sample(folder: Path) -> None:
    """Judge the docs of sample.csv as people, and no others."""
    drawn = sample(folder, budget=60, wave=60)
    (folder / "sample.csv").write_text(drawn.table().text("csv"))
    judged: dict[str, dict[str, int]] = {}
    for topic, doc in drawn.rows_drawn.keys:
        judged.setdefault(topic, {})[doc] = TRUTH[topic][doc]
    write_qrels(folder / "qrels" / "people.qrels", judged)


def test_function_command_and_audit_give_the_same_estimates(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = sample(folder, budget=40)
    assert printed(capsys, drawn.asked.command(str(folder))) == drawn.table().text("csv")
    judge_sample(folder)
    answer = estimate(folder, pairs=True)
    text = answer.table().text("csv")
    assert printed(capsys, answer.asked.command(str(folder))) == text
    section = SECTIONS.get("few-labels")(AuditInputs(folder))
    assert section.missing == ""
    (table,) = section.tables
    assert table.table.text("csv") == text
    assert table.answer is not None
    assert printed(capsys, table.answer.asked.command(str(folder))) == text
    (finding,) = section.findings
    assert "human labels" in finding.sentence


def test_a_campaign_and_its_files_give_the_same_estimates(folder: Path) -> None:
    judge_sample(folder)
    asked = {"sample": folder / "sample.csv", "judgments": folder / "qrels" / "people.qrels"}
    by_files = estimate(
        {"model": folder / "qrels" / "model.qrels"}, folder / "runs", "P@5", **asked
    )
    assert by_files.table().text("csv") == estimate(folder).table().text("csv")


def test_a_campaign_without_a_sample_is_reported(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"has no sample\.csv"):
        estimate(folder)
    section = SECTIONS.get("few-labels")(AuditInputs(folder))
    assert "sample.csv" in section.missing


def test_a_sample_without_judgments_is_not_an_error_in_the_audit(folder: Path) -> None:
    judge_sample(folder)
    people = folder / "qrels" / "people.qrels"
    people.write_text("".join(people.read_text().splitlines(keepends=True)[1:]))
    section = SECTIONS.get("few-labels")(AuditInputs(folder))
    assert "has no grade" in section.missing


def test_a_plan_predicts_more_decisions_for_more_labels(folder: Path) -> None:
    narrow = plan_sample(folder, budget=(20, 80), draws=3).table()
    few, many = (dict(zip(narrow.columns, row, strict=True)) for row in narrow.rows)
    assert few["budget"] < many["budget"]
    assert few["width"] > many["width"]
    assert few["decided"] <= many["decided"]


def test_people_who_agree_with_the_model_leave_no_pair_undecided(folder: Path) -> None:
    (row,) = plan_sample(folder, budget=90, draws=1, agreement=1.0).table().rows
    assert row[2:] == (0.0, 0.0, 1.0)


def test_a_plan_does_not_depend_on_the_name_of_the_label_set(folder: Path) -> None:
    copy = folder / "another.qrels"
    copy.write_bytes((folder / "qrels" / "model.qrels").read_bytes())
    plans = [
        plan_sample(path, folder / "runs", "P@5", budget=40, draws=2).table().rows
        for path in (folder / "qrels" / "model.qrels", copy)
    ]
    assert plans[0] == plans[1]


def test_function_and_command_give_the_same_order(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge_sample(folder)
    answer = estimate(folder, ranking=True)
    text = answer.table().text("csv")
    assert printed(capsys, answer.asked.command(str(folder))) == text
    assert [row[1] for row in answer.table().rows] == [*range(1, len(RUNS) + 1)]


def test_the_order_of_runs_and_label_sets_does_not_change_any_digit(folder: Path) -> None:
    judge_sample(folder)
    noise = np.random.default_rng(3)
    runs, sets = (
        {
            f"{kind}{n}": {t: {d: float(noise.random()) for d in MODEL[t]} for t in MODEL}
            for n in range(many)
        }
        for kind, many in (("run", 9), ("set", 4))
    )
    asked = {"sample": folder / "sample.csv", "judgments": folder / "qrels" / "people.qrels"}
    answers = [
        estimate(dict(by), dict(named), "nDCG@5", pairs=True, **asked).table().text("csv")
        for by, named in (
            (sets.items(), runs.items()), (reversed(sets.items()), reversed(runs.items())),
        )
    ]  # fmt: skip
    assert answers[0] == answers[1]


def test_without_models_the_order_is_that_of_the_estimates(folder: Path) -> None:
    asked = {"runs": folder / "runs", "measures": "P@5"}
    drawn = sample(**asked, budget=60, wave=60)
    asked |= {"sample": drawn, "judgments": TRUTH}
    ordered = {row[2]: row[3] for row in estimate(**asked, ranking=True).table().rows}
    assert ordered == {row[0]: row[2] for row in estimate(**asked).table().rows}
