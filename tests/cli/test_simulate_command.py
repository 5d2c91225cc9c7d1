from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import audited
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.cli import run
from qrelsmith.data.campaign import read_campaign
from qrelsmith.data.judgments import read_judgments


@pytest.fixture
def simulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, status: int = 0) -> tuple[str, str]:
        assert run(["simulate", "campaign", *arguments]) == status
        captured = capsys.readouterr()
        if status:
            assert captured.out == ""
            assert len(captured.err.splitlines()) == 1
        return captured.out, captured.err

    return call


def test_a_campaign_is_drawn_written_and_audited(simulate, tmp_path: Path) -> None:
    out, err = simulate("--topics", "6", "-o", "drawn")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["group"] for row in rows] == ["simulated-gold", "simulated-bronze"]
    assert [row["topics"] for row in rows] == ["6", "12"]
    assert "note: the campaign is in drawn" in err
    campaign = read_campaign(tmp_path / "drawn")
    assert campaign.title == "Simulated campaign (design small, seed 0)"
    inputs = AuditInputs(tmp_path / "drawn")
    assert inputs.reference == "simulated-gold"
    report = audited(inputs)
    assert report.notices == (
        "Simulated, not given by people: simulated-bronze, simulated-gold, simulated-truth.",
    )
    # Nobody gives preferences there.
    assert [section.key for section in report.sections if section.missing] == ["pdp"]


def test_a_seed_always_draws_the_same_campaign(simulate, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        simulate("--topics", "2", "--seed", seed, "-o", name, "--quiet")
    first, second, other = (
        (tmp_path / name / "judgments.csv").read_bytes() for name in ("a", "b", "c")
    )
    assert first == second != other


def test_a_design_can_be_printed_changed_and_drawn(simulate, tmp_path: Path) -> None:
    text, _ = simulate("small", "--topics", "3", "--depth", "4", "--print-design")
    assert "topics = 3\n" in text
    assert "depth = 4\n" in text
    (tmp_path / "mine.toml").write_text(text.replace("levels = 4", "levels = 2"))
    simulate("mine.toml", "-o", "mine")
    campaign = read_campaign(tmp_path / "mine")
    assert len(campaign.levels) == 2
    assert campaign.judgments is not None
    assert set(read_judgments(campaign.judgments).grade.tolist()) <= {0.0, 1.0}
    assert [path.name for path in campaign.pools] == ["prioritised-4.pool"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("small",), "expected -o FOLDER"),
        (("huge", "-o", "x"), "unknown design 'huge' (choices: www4, small)"),
        (("none.toml", "-o", "x"), "none.toml: no such file"),
        (("--depth", "51", "-o", "x"), "depth=51: the runs return only 50 docs"),
        (("-o", "."), "is not empty; expected a folder that does not exist yet"),
        (("bad.toml", "-o", "x"), "bad.toml:1: unknown key 'topic'"),
    ],
)
def test_wrong_input_is_one_line(
    simulate, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    (tmp_path / "bad.toml").write_text("topic = 3")
    _, err = simulate(*arguments, status=2)
    assert problem in err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]
