"""What the audit advises next: every action has its cost, and a command that runs."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.campaign.campaign import QrelsSource
from qrelsmith.cli import run

from .test_damage_verdicts import TEAMS, moved, with_favour
from .test_scorecard import contested_gold, gold_of, noisy, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reference with gaps and contested zeros, a moved topic, a favoured team, a coin."""
    truth = gold_of(12)
    gold = contested_gold(truth)
    gold[0, np.flatnonzero(gold[0] == 3)[:2]] = np.nan
    gold[1:3] = np.nan
    labels = {
        "gold": gold,
        "moved": moved(truth, 9),
        "fond": with_favour(truth, 3),
        "close": noisy(truth, 0.2, 4),
        "coin": np.random.default_rng(5).integers(0, 4, gold.shape).astype(float),
    }
    path = tmp_path_factory.mktemp("actions")
    # The runs know the truth: they are written from it, then the reference takes its place.
    write(path, labels | {"gold": np.where(np.isnan(gold), 0, gold)}, teams=TEAMS)
    lines = (path / "qrels" / "gold.qrels").read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.split()[0] not in ("t01", "t02")][3:]
    (path / "qrels" / "gold.qrels").write_text("".join(kept))
    return path


def test_actions_name_the_culprit_the_cost_and_a_command_that_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    actions = scorecard(AuditInputs(folder)).actions
    told = "\n".join(action.what for action in actions)
    assert "shifted in moved (topic t09): store the labels by doc id" in told
    assert "favoured in fond (team team-3)" in told
    assert "nobody judged" in told
    assert "Leave out coin." in told
    for action in actions:
        assert action.cost, action
        words = shlex.split(action.command.replace("CAMPAIGN", str(folder)))
        assert run([*words[1:], "--quiet"]) == 0, action.command
    assert capsys.readouterr().err == ""


def test_without_a_reference_choosing_one_is_all_that_is_advised(tmp_path: Path) -> None:
    gold = gold_of(8)
    write(tmp_path, {"gold": gold, "b": noisy(gold, 0.1, 1)})
    (tmp_path / "qrels" / "gold.qrels").rename(tmp_path / "qrels" / "a.qrels")
    (action,) = scorecard(AuditInputs(tmp_path)).actions
    assert action.command == "qrelsmith audit CAMPAIGN --reference a"


def test_real_grades_are_on_no_scale_and_their_ranks_are_compared(tmp_path: Path) -> None:
    gold = gold_of(10)
    source = {"real.qrels": QrelsSource(real=True)}
    write(tmp_path, {"gold": gold, "real": gold * 0.31}, qrels_of=source)
    card = scorecard(AuditInputs(tmp_path))
    cell = card.cell("real", "agrees")
    assert cell.verdict == "none"
    assert "declared on the scale real" in cell.sentence
    assert "the rank correlation of their grades is 1.000" in cell.sentence
    assert card.cell("real", "undamaged").verdict == "good"
