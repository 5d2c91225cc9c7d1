"""The next actions that the audit recommends: each has its cost and a working command."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.actions import command_in
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.campaign.campaign import QrelsSource, read_campaign
from qrelsmith.cli import run
from qrelsmith.collection.pools.pool_files import Pools, write_pools

from .test_damage_verdicts import TEAMS, moved, with_favour
from .test_scorecard import contested_gold, gold_of, noisy, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reference with gaps and contested zeros, a shifted topic, a favoured team and noise."""
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
    # The runs are written from the true grades; then the reference takes the place of these.
    write(path, labels | {"gold": np.where(np.isnan(gold), 0, gold)}, teams=TEAMS)
    lines = (path / "qrels" / "gold.qrels").read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.split()[0] not in ("t01", "t02")][30:]
    (path / "qrels" / "gold.qrels").write_text("".join(kept))
    return path


def test_actions_name_the_source_the_cost_and_a_working_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    actions = scorecard(AuditInputs(folder)).actions
    told = "\n".join(action.what for action in actions)
    assert "Check moved for the data problem “shifted” (topic: t09): store labels by doc id" in told
    assert "Check fond for the data problem “favoured” (team: team-3)" in told
    assert "Judge the unjudged docs" in told
    assert "Leave out coin." in told
    for action in actions:
        assert action.cost, action
        words = shlex.split(command_in(action, read_campaign(folder)))
        if not words:
            assert "Before judging, add the topics to the campaign" in action.why
            continue
        assert run([*words[1:], "--quiet"]) == 0, action.command
    assert capsys.readouterr().err == ""
    (folder / "sample.csv").unlink()  # if the page on few labels shows it


@pytest.mark.parametrize(
    ("measures", "sampled"),
    [(["AP"], "nDCG@10"), (["RR", "P(rel=2)@5"], "P(rel=2)@5"), (["ERR@10"], "nDCG@10")],
)
def test_the_recommended_sample_is_for_a_measure_that_samples_can_estimate(
    measures: list[str], sampled: str, folder: Path, tmp_path: Path
) -> None:
    actions = scorecard(AuditInputs(folder, measures=measures)).actions
    (command,) = [command_in(a, read_campaign(folder)) for a in actions if " sample " in a.command]
    words = shlex.split(command)
    assert words[words.index("-m") + 1] == sampled
    assert words[-2:] == ["-o", str(folder / "sample.csv")]
    assert run([*words[1:-1], str(tmp_path / "sample.csv"), "--quiet"]) == 0


def test_an_existing_sample_is_never_overwritten(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "a campaign"
    shutil.copytree(folder, copy)
    command = ["sample", str(copy), "--label-set", "close", "--budget", "60", "--quiet"]
    assert run([*command, "-o", str(copy / "sample.csv")]) == 0
    commands = [
        command_in(action, read_campaign(copy)) for action in scorecard(AuditInputs(copy)).actions
    ]
    assert not [command for command in commands if " sample " in command]
    (command_of_it,) = [command for command in commands if " estimate " in command]
    assert shlex.split(command_of_it)[2] == str(copy)


def test_no_sample_is_recommended_to_correct_a_model_if_another_model_ranks_well(
    tmp_path: Path,
) -> None:
    truth = gold_of(12)
    write(tmp_path, {"gold": truth, "same": truth, "poor": noisy(truth, 0.8, 4)}, teams=TEAMS)
    card = scorecard(AuditInputs(tmp_path))
    assert card.cell("same", "ranks-all").verdict == "good"
    assert card.cell("poor", "ranks-all").verdict != "good"
    assert not [action for action in card.actions if " sample " in action.command]


def test_no_sample_is_recommended_for_human_labels_or_a_judged_pool(tmp_path: Path) -> None:
    truth = gold_of(12)
    labels = {"gold": truth, "poor": noisy(truth, 0.8, 4)}
    write(tmp_path, labels, teams=TEAMS)

    def sampled() -> list[str]:
        steps = scorecard(AuditInputs(tmp_path)).actions
        return [step.cost for step in steps if " sample " in step.command]

    assert sampled() == ["about 300 docs to judge"]
    (tmp_path / "pools").mkdir()
    pool = {"t00": ("d000", "new-1", "new-2")}
    write_pools(Pools("prioritised", 3, 0, pool), tmp_path / "pools" / "p.pool")
    assert sampled() == ["about 2 docs to judge"]
    write_pools(Pools("prioritised", 1, 0, {"t00": ("d000",)}), tmp_path / "pools" / "p.pool")
    assert sampled() == []
    shutil.rmtree(tmp_path / "pools")
    poor = tmp_path / "qrels" / "poor.qrels"
    rows = [line.split() for line in poor.read_text().splitlines()]
    lines = [f"{topic},{doc},ann,{grade},poor\n" for topic, _, doc, grade in rows]
    (tmp_path / "judgments.csv").write_text("topic,doc,assessor,grade,group\n" + "".join(lines))
    poor.unlink()
    assert sampled() == []


def test_a_label_set_with_bad_grades_is_dropped_before_rejudging_is_recommended(
    tmp_path: Path,
) -> None:
    truth = gold_of(12)
    fond = np.where(with_favour(truth, 3) > truth, 3, noisy(truth, 0.8, 5))
    labels = {"gold": truth, "fond": fond, "close": noisy(truth, 0.2, 4)}
    write(tmp_path, labels, teams=TEAMS)
    card = scorecard(AuditInputs(tmp_path))
    assert card.cell("fond", "agrees").verdict == "bad"
    assert "team-3" in card.cell("fond", "undamaged").sentence
    told = [action.what for action in card.actions]
    assert told[0] == "Leave out fond."
    assert not [what for what in told if "favoured" in what]


def test_further_topics_are_recommended_with_the_number_of_verdicts_to_decide(folder: Path) -> None:
    card = scorecard(AuditInputs(folder))
    (step,) = [action for action in card.actions if "more topic" in action.what]
    number = int(step.what.split()[1])
    waiting = [cell.more_topics for cell in card.cells if cell.label_set != "coin"]
    assert number in waiting
    decided = sum(0 < more <= number for more in waiting)
    assert f"to make {decided} verdict" in step.what


def test_without_a_reference_the_only_action_is_to_choose_one(tmp_path: Path) -> None:
    gold = gold_of(8)
    write(tmp_path, {"gold": gold, "b": noisy(gold, 0.1, 1)})
    (tmp_path / "qrels" / "gold.qrels").rename(tmp_path / "qrels" / "a.qrels")
    (action,) = scorecard(AuditInputs(tmp_path)).actions
    assert action.command == "qrelsmith audit CAMPAIGN --reference a"


def test_real_valued_grades_without_a_scale_are_compared_by_rank(tmp_path: Path) -> None:
    gold = gold_of(10)
    source = {"real.qrels": QrelsSource(real=True)}
    write(tmp_path, {"gold": gold, "real": gold * 0.31}, qrels_of=source)
    card = scorecard(AuditInputs(tmp_path))
    cell = card.cell("real", "agrees")
    assert cell.verdict == "none"
    assert "the scale of real is real" in cell.sentence
    assert "correlation of the grades within topics is 1.000" in cell.sentence
    assert card.cell("real", "undamaged").verdict == "good"
