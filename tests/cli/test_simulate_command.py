from __future__ import annotations

import csv
import io
import shlex
from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import compute_audit
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.judgments.judgment_files import read_judgments


@pytest.fixture
def simulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)

    def call(line: str, *arguments: str, status: int = 0) -> tuple[str, str]:
        assert run(["simulate", "campaign", *shlex.split(line), *arguments]) == status
        captured = capsys.readouterr()
        if status:
            assert captured.out == ""
            assert len(captured.err.splitlines()) == 1
        return captured.out, captured.err

    return call


def test_a_campaign_is_drawn_written_and_audited(simulate, tmp_path: Path) -> None:
    out, err = simulate("--topic-count 6 -o drawn")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["group"] for row in rows] == ["simulated-gold", "simulated-bronze"]
    assert [row["topics"] for row in rows] == ["6", "12"]
    assert "note: the campaign is in drawn" in err
    campaign = read_campaign(tmp_path / "drawn")
    assert campaign.title == "Simulated campaign (design small, seed 0)"
    inputs = AuditInputs(tmp_path / "drawn")
    assert inputs.reference == "simulated-gold"
    report = compute_audit(inputs)
    assert report.notices == (
        "Simulated label sets: simulated-bronze, simulated-gold, simulated-truth.",
    )
    # It contains no rejudging rounds and no preferences.
    assert [section.key for section in report.sections if section.missing] == [
        "rejudging",
        "adjudication",
        "pdp",
        "few-labels",
    ]


def test_a_seed_always_draws_the_same_campaign(simulate, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        simulate("--topic-count", "2", "--seed", seed, "-o", name, "--quiet")
    first, second, other = (
        (tmp_path / name / "judgments.csv").read_bytes() for name in ("a", "b", "c")
    )
    assert first == second != other


def test_a_design_can_be_printed_changed_and_drawn(simulate, tmp_path: Path) -> None:
    text, _ = simulate("small --topic-count 3 --depth 4 --print-design")
    assert "topics = 3\n" in text
    assert "depth = 4\n" in text
    (tmp_path / "mine.toml").write_text(text.replace("levels = 4", "levels = 2"))
    simulate("mine.toml -o mine")
    campaign = read_campaign(tmp_path / "mine")
    assert len(campaign.levels) == 2
    assert campaign.judgments is not None
    assert set(read_judgments(campaign.judgments).grade.tolist()) <= {0.0, 1.0}
    assert [path.name for path in campaign.pools] == ["prioritised-4.pool"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("small", "no folder given; expected -o FOLDER"),
        ("huge -o x", "unknown design 'huge' (choices: www4, small)"),
        ("none.toml -o x", "none.toml: no such file"),
        ("--depth 51 -o x", "depth=51; expected at most 50"),
        ("-o .", "is not empty; expected a new folder"),
        ("bad.toml -o x", "bad.toml:1: unknown key 'topic'"),
    ],
)
def test_wrong_input_is_a_one_line_error(
    simulate, tmp_path: Path, arguments: str, problem: str
) -> None:
    (tmp_path / "bad.toml").write_text("topic = 3")
    _, err = simulate(arguments, status=2)
    assert problem in err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]


@pytest.fixture
def annotations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)

    def call(line: str, *arguments: str, status: int = 0) -> list[dict[str, str]] | str:
        command = ["simulate", "pdp", *shlex.split(line), *arguments, "--jobs", "1"]
        assert run(command) == status
        captured = capsys.readouterr()
        if status:
            (error,) = captured.err.splitlines()
            return error
        return list(csv.DictReader(io.StringIO(captured.out)))

    return call


def test_the_annotations_of_the_paper_on_pdp_are_simulated(annotations) -> None:
    rows = annotations("--topic-count 40 --batch-size 20 --levels 2 --levels 7")
    columns = ["batch", "topics", "sigma", "levels", "individual", "aggregate", "alpha-ordinal"]
    assert list(rows[0]) == columns
    assert [(row["batch"], row["levels"]) for row in rows] == [
        ("0", "2"), ("0", "7"), ("1", "2"), ("1", "7"),
    ]  # fmt: skip
    # All scales see the same annotations, and finer ones discriminate better (Figure 4).
    assert rows[0]["sigma"] == rows[1]["sigma"]
    assert 0.001 <= float(rows[0]["sigma"]) <= 0.3
    assert float(rows[1]["individual"]) < float(rows[0]["individual"])
    assert float(rows[1]["aggregate"]) < float(rows[1]["individual"]) < 4.7875


def test_random_annotation_has_nearly_the_largest_possible_pdp(annotations) -> None:
    arguments = (
        "--judging",
        "random",
        "--topic-count",
        "400",
        "--batch-size",
        "400",
        "--levels",
        "2",
    )
    (row,) = annotations(*arguments)
    # ln 5! = 4.7875 (section 4.2).
    assert float(row["individual"]) == pytest.approx(4.7875, abs=0.01)
    assert float(row["alpha-ordinal"]) == pytest.approx(0, abs=0.02)
    assert row["sigma"] == "nan"


def test_written_annotations_are_measured_alike_by_pdp_and_agree(
    annotations, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--topic-count", "30", "--batch-size", "30", "--assessors", "4")
    (row,) = annotations(*arguments, "--write-judgments", "j.csv", "--write-preferences", "p.csv")
    command = ["pdp", "j.csv", "--preferences", "p.csv", "--paper", "--scale", "0..3"]
    for mode in ("individual", "aggregate"):
        assert run([*command, "--mode", mode, "--untested", "half"]) == 0
        rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
        (mean,) = [of_topic for of_topic in rows if of_topic["topic"] == "all"]
        assert float(mean["pdp"]) == pytest.approx(float(row[mode]), abs=1e-9)
    assert run(["agree", "j.csv", "--scale", "0..3", "--by", "topic"]) == 0
    _, mean, *_ = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert mean["scope"] == "mean"
    assert float(mean["value"]) == pytest.approx(float(row["alpha-ordinal"]))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--sigma", "0.2"), "'0.2'; expected LOW:HIGH such as 0.001:0.3"),
        (("--shape", "0:1"), "shape=(0.0, 1.0); expected (low, high)"),
        (("--levels", "1"), "1 is not in the range x>=2"),
        (("--batch", "3", "--write-judgments", "j.csv"), "the batch is 3; expected 0 to 0"),
        (("--topic-count", "2", "--coefficient", "beta"), "'beta' is not one of"),
    ],
)
def test_wrong_options_of_annotations_are_refused(
    annotations, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    assert problem in annotations("--topic-count 2", *arguments, status=2)
    assert list(tmp_path.iterdir()) == []
