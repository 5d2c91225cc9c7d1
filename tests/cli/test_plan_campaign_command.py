from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMAND = "plan campaign"

QUICK = ("--campaigns", "4", "--jobs", "1")


@pytest.fixture
def plan(answered):
    def call(*arguments: str) -> tuple[list[dict[str, str]], list[str]]:
        rows, err = answered(*arguments)
        return rows, [line.removeprefix("qrelsmith: note: ") for line in err.splitlines()]

    return call


def test_the_hours_of_www4_follow_from_its_numbers(plan) -> None:
    """50 topics, depth 60, 18 runs, 3 judgments per doc at 20 to 40 seconds."""
    arguments = ("www4", "--seconds", "20:40", "--wage", "15", "--campaigns", "3", "--jobs", "1")
    (row,), notes = plan(*arguments)
    numbers = [row[name] for name in ("topics", "depth", "systems", "labels_per_doc", "levels")]
    assert numbers == ["50", "60", "18", "3", "3"]
    judgments = float(row["judgments"])
    # Table 1 of ordering-gold-bronze: 10,333 docs; three judgments each.
    assert judgments == pytest.approx(3 * 10_333, rel=0.06)
    # Half a minute each on average: 258 hours, at 15 per hour.
    assert float(row["hours"]) == pytest.approx(judgments / 120, rel=0.02)
    assert float(row["cost"]) == pytest.approx(15 * float(row["hours"]))
    assert notes[0].startswith("Recommended (uncalibrated): www4: the design costs 3,")


def test_a_grid_of_designs_has_a_pareto_front(plan) -> None:
    arguments = (
        "small",
        "--topic-count",
        "4",
        "--topic-count",
        "10",
        "--per-doc",
        "1",
        "--per-doc",
        "3",
    )
    rows, notes = plan(*arguments, *QUICK)
    assert len(rows) == 4
    costs = [float(row["cost_mean"]) for row in rows]
    assert costs == sorted(costs)
    best = max(float(row["tau_mean"]) for row in rows)
    assert {row["front"] for row in rows} <= {"yes", "no"}
    # The cheapest design is on the front, and so is the best.
    assert rows[0]["front"] == "yes"
    assert any(r["front"] == "yes" and float(r["tau_mean"]) == best for r in rows)
    assert rows[0]["design"] == "small (topics 4, per_doc 1)"
    for row in rows:
        for name in ("cost", "hours", "tau", "power"):
            low, middle, high = (float(row[f"{name}{end}"]) for end in ("_low", "", "_high"))
            assert low <= middle <= high
    assert len(notes) == 2
    assert notes[0].startswith("Recommended (uncalibrated): of 4 designs small (topics")
    assert notes[1].startswith("Uncertainty: of 4 simulated campaigns small (topics")


def test_a_plan_file_can_contain_preferences_and_a_budget(plan, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        "topics = 4\ndepth = 5\n[systems]\ncount = 4\n[grid]\nk = [0, 3]\npairings = [4]\n"
        "finalists = [6]\n"
    )
    rows, notes = plan("mine.toml --spend 1e9", *QUICK)
    assert [row["design"] for row in rows] == ["mine (k 0)", "mine (k 3)"]
    assert [row["finalists"] for row in rows] == ["", "6"]
    assert float(rows[1]["pairs"]) > 0
    assert "within 1,000,000,000" in notes[0]
    _, notes = plan("mine.toml --spend 1", *QUICK)
    assert len(notes) == 1
    assert "no design stays within 1 in 95% of the simulated campaigns" in notes[0]


def test_a_stopped_plan_is_resumed(plan, tmp_path: Path) -> None:
    arguments = (
        "--topic-count",
        "3",
        "--campaigns",
        "20",
        "--jobs",
        "1",
        "--cells",
        "kept",
        "--quiet",
    )
    whole, _ = plan(*arguments)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert len(kept) == 2
    lost, other = sorted(kept)
    lost.unlink()
    again, _ = plan(*arguments)
    assert again == whole
    assert lost.is_file()
    assert other.stat().st_mtime_ns == kept[other]


def test_a_report_and_a_figure_are_written(plan, tmp_path: Path) -> None:
    arguments = (
        "--topic-count",
        "3",
        "--topic-count",
        "6",
        *QUICK,
        "--report",
        "out",
        "--figure",
        "f.svg",
    )
    _, notes = plan(*arguments)
    assert "the report is in out/plan.html" in notes
    page = (tmp_path / "out" / "plan.html").read_text()
    assert "uncalibrated" in page
    assert "The campaigns of this plan are simulated." in page
    assert (tmp_path / "out" / "tables" / "plan.csv").is_file()
    assert (tmp_path / "f.svg").read_text().startswith("<?xml")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert list(manifest["parameters"]["designs"]) == ["small (topics 3)", "small (topics 6)"]
    assert manifest["inputs"] == []
    assert "topics = 3" in manifest["parameters"]["designs"]["small (topics 3)"]


@pytest.mark.slow
@pytest.mark.full
def test_the_prediction_of_a_checked_simulator_is_shown(
    plan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", "campaign", "small", "--topic-count", "16", "-o", "c", "--quiet"]) == 0
    capsys.readouterr()
    rows, notes = plan("--fit c --depth 5 --depth 10", *QUICK, "--report", "out")
    assert [row["design"] for row in rows] == ["fitted (depth 5)", "fitted (depth 10)"]
    assert {row["topics"] for row in rows} == {"16"}
    labels = "fitting to labels of simulated-bronze 1, simulated-bronze 2, simul"
    place = next(place for place, note in enumerate(notes) if note.startswith(labels))
    fitting, checked = notes[place : place + 2]
    assert "16 topics, 8 runs pooled 10 deep" in fitting
    assert "agreement (ordinal α): predicted 0." in checked
    assert "τ between label sets: predicted 0." in checked
    assert "observed 0." in checked
    said = next(note for note in notes if note.startswith("Recommended"))
    assert "uncalibrated" not in said
    assert "on 8 topics that were not used for the fit" in said
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "c/judgments.csv" in {file["path"] for file in manifest["inputs"]}
    assert len(manifest["inputs"]) == 1 + 8
    header = (tmp_path / "out" / "tables" / "check.csv").read_text().splitlines()[0]
    assert header == "quantity,fitted_half,observed,low,predicted,high,inside"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("www5", "unknown design 'www5'; did you mean www4?"),
        ("none.toml", "none.toml: no such file"),
        ("--seconds 40:20", "'40:20'; expected LOW:HIGH such as 20:40"),
        ("--seconds fast", "'fast'; expected LOW:HIGH such as 20:40"),
        ("--topic-count 0", "0 is not in the range x>=1"),
        ("--k 9", "F = 9, P = 7 and k = 9; expected F > P > k"),
        ("-m nDCH@10", "unknown measure 'nDCH'; did you mean nDCG"),
        ("--aggregation mood", "unknown aggregation 'mood'"),
        ("--figure x.png", "the figure 'x.png' cannot be written; expected a name"),
        ("--fit q.qrels", "a fit needs runs; expected --fit-runs"),
        ("--ordering sorted", "'sorted' is not an ordering policy"),
    ],
)
def test_wrong_input_is_a_one_line_error(refused, arguments: str, problem: str) -> None:
    assert problem in refused(arguments, "--jobs", "1")
