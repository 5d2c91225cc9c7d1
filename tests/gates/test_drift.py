"""Anchors are labelled again in every run, and drift is the gate over time."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from qrelsmith import drift, judge, read_qrels
from qrelsmith.cli import run
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.models.anchors import read_anchors


@pytest.fixture(scope="module")
def campaign(small_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a campaign whose anchors were labelled twice, the second time by a worse judge."""
    folder = tmp_path_factory.mktemp("drift") / "campaign"
    shutil.copytree(small_demo, folder)
    gold = read_qrels(folder / "qrels/gold.qrels")
    anchors = Qrels.from_rows(list(gold.rows())[::7])
    write_qrels(anchors, folder.parent / "anchors.qrels")
    for _ in range(2):
        result = judge(folder, endpoint="builtin:lexical", anchors=folder.parent / "anchors.qrels")
        sent = f"of {len(anchors)} labelled again; requests sent: {len(anchors)}"
        assert f"anchors: {len(anchors)} {sent}" in str(result.notes)
    file = folder / ".qrelsmith/anchors.csv"
    lines = file.read_text("utf-8").splitlines()
    dates = sorted({line.split(",")[0] for line in lines[1:]})
    assert len(dates) == 2
    spoiled = [turned(line) if line.startswith(dates[1]) else line for line in lines]
    file.write_text("\n".join(spoiled) + "\n", "utf-8")
    return folder


def turned(line: str) -> str:
    """Return a line of the file with its grade reversed."""
    before, grade, people = line.rsplit(",", 2)
    return f"{before},{3 - int(grade)},{people}"


def test_anchors_are_stored_with_date_model_and_prompt(campaign: Path) -> None:
    labels = read_anchors(campaign)
    assert {label.assessor for label in labels} == {"baseline-lexical"}
    assert {label.prompt for label in labels} == {"grade 1"}
    assert len({(label.date, label.topic, label.doc) for label in labels}) == len(labels)


def test_drift_compares_each_date_with_the_first(campaign: Path) -> None:
    first, second = drift(campaign).dates
    assert {(row.difference, row.verdict) for row in first.rows} == {(0.0, "pass")}
    assert {row.figure: row.verdict for row in second.rows}["alpha"] == "fail"
    assert first.date < second.date
    assert {line.name: len(line.x) for line in drift(campaign).figure().drawing.lines} == {
        "alpha": 2, "agreement": 2, "bias": 2, "coverage": 2,
    }  # fmt: skip


def test_neighbouring_dates_share_a_tick(campaign: Path) -> None:
    found = drift(campaign)
    dates = [f"2030-01-{day}T00:00:00+00:00" for day in ("01", "01", "20")]
    runs = tuple(replace(found.dates[1], date=date) for date in dates)
    drawing = replace(found, dates=runs).figure().drawing
    assert drawing.ticks == [(0.0, "2030-01-01"), (19.0, "2030-01-20")]


def test_the_command_prints_a_row_for_each_date_and_figure(campaign: Path, capsys) -> None:
    assert run(["drift", str(campaign), "--quiet"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "date,model,prompt,figure,baseline,new,difference,low,high,margin,verdict"
    assert len(rows) == 8


@pytest.mark.parametrize(
    ("options", "says"),
    [(["--margin", "tau=.1"], "does not compute tau"), (["--assessor", "x"], "unknown assessor")],
)
def test_invalid_input_is_refused(campaign: Path, options: list[str], says: str, capsys) -> None:
    assert run(["drift", str(campaign), *options]) == 2
    assert says in capsys.readouterr().err


def test_the_error_for_a_campaign_without_anchors_explains_how_to_label_them(
    small_demo: Path, capsys
) -> None:
    assert run(["drift", str(small_demo)]) == 2
    assert "judge --anchors FILE" in capsys.readouterr().err
