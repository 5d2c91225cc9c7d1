"""The verdicts of the audit on label sets with planted data problems."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.audit.sections.damages import damages
from qrelsmith.campaign.campaign import ModelRecord

from .test_scorecard import Grades, gold_of, noisy, verdicts, write

TEAMS = {f"s{system:02d}": f"team-{system % 4}" for system in range(12)}


def moved(gold: Grades, topic: int) -> Grades:
    """Labels of which one topic was stored one line too late."""
    grades = noisy(gold, 0.05, 1)
    grades[topic, 1:] = grades[topic, :-1].copy()
    return grades


def with_favour(gold: Grades, seed: int, *, share: float = 1.0, team: int = 3) -> Grades:
    """Labels that raise docs at the top of a team's runs by one level, as ranked by `write`."""
    rng = np.random.default_rng(9)
    favoured = np.zeros(gold.shape, dtype=bool)
    for system in range(12):
        scores = gold + (0.3 + 0.4 * system) * rng.normal(size=gold.shape)
        if system % 4 == team:
            favoured |= np.argsort(np.argsort(-scores, axis=1), axis=1) < 10
    grades = noisy(gold, 0.05, seed)
    favoured &= np.random.default_rng(seed).random(gold.shape) < share
    return np.where(favoured, np.minimum(grades + 1, 3), grades)


def test_a_topic_stored_one_line_too_late_is_named(tmp_path: Path) -> None:
    gold = gold_of(12)
    labels = {"gold": gold, "moved": moved(gold, 9), "sound": noisy(gold, 0.05, 2)}
    write(tmp_path, labels, teams=TEAMS)
    inputs = AuditInputs(tmp_path)
    card = scorecard(inputs)
    assert {name: verdicts(card, name)["undamaged"] for name in labels} == {
        "gold": "good", "moved": "bad", "sound": "good",
    }  # fmt: skip
    assert "the labels of topic t09 fit" in card.cell("moved", "undamaged").sentence
    assert card.uses["moved"].endswith("Data problems found.")
    (table,) = damages(inputs).tables
    assert table.on_page is not None
    assert {row[:3] for row in table.on_page.rows} >= {("shifted", "moved", "t09")}
    assert len(table.table.rows) > len(table.on_page.rows)  # the files contain every test


@pytest.mark.filterwarnings("ignore:.*judgments have the grade")
@pytest.mark.parametrize("grade", [0, 1, 3])
def test_labels_with_only_one_grade_are_a_data_problem_and_left_out(
    tmp_path: Path, grade: int
) -> None:
    gold = gold_of(12)
    labels = {"gold": gold, "flat": np.full(gold.shape, grade), "sound": noisy(gold, 0.05, 2)}
    write(tmp_path, labels)
    card = scorecard(AuditInputs(tmp_path))
    assert {name: verdicts(card, name)["undamaged"] for name in labels} == {
        "gold": "good", "flat": "bad", "sound": "good",
    }  # fmt: skip
    assert f"In flat (compared with gold), 100% of the labels have the grade {grade}" in card.cell(
        "flat", "undamaged"
    ).sentence  # fmt: skip
    assert "Leave out flat." in [action.what for action in card.actions]


def test_bias_toward_a_team_is_bad_but_a_bias_shared_by_other_methods_is_not(
    tmp_path: Path,
) -> None:
    gold = gold_of(20)
    sound = {f"sound-{seed}": noisy(gold, 0.05, seed) for seed in (1, 2)}
    write(tmp_path / "one", {"gold": gold, "fond": with_favour(gold, 3), **sound}, teams=TEAMS)
    cell = scorecard(AuditInputs(tmp_path / "one")).cell("fond", "fair-to-teams")
    assert (cell.verdict, cell.value > 0) == ("bad", True)
    assert "A bias favours runs of team-3; they gain" in cell.sentence
    tastes = {f"fond-{seed}": with_favour(gold, seed, share=0.5) for seed in (3, 4, 5)}
    write(tmp_path / "all", {"gold": gold, **tastes}, teams=TEAMS)
    card = scorecard(AuditInputs(tmp_path / "all"))
    assert {card.cell(name, "fair-to-teams").verdict for name in tastes} == {"fair"}
    # It is not their fault that the reference is strict with this team.
    assert {card.cell(name, "undamaged").verdict for name in tastes} == {"good"}


def test_guessed_teams_give_no_verdict(tmp_path: Path) -> None:
    gold = gold_of(12)
    write(tmp_path, {"gold": gold, "fond": with_favour(gold, 3)})
    card = scorecard(AuditInputs(tmp_path))
    assert {card.cell(name, "fair-to-teams").verdict for name in card.label_sets} == {"none"}
    assert card.cell("fond", "undamaged").verdict == "good"


def test_a_model_that_judges_its_own_ranking_is_called_circular(tmp_path: Path) -> None:
    gold = gold_of(12)
    record = {"model": ModelRecord("m", ("team-2",))}
    write(tmp_path, {"gold": gold, "model": noisy(gold, 0.05, 1)}, teams=TEAMS, models=record)
    sentence = scorecard(AuditInputs(tmp_path)).cell("model", "fair-to-teams").sentence
    assert "A bias toward runs of team-2 is likely, because the model" in sentence


def test_with_two_label_sets_either_may_be_the_source(tmp_path: Path) -> None:
    gold = gold_of(12)
    write(tmp_path, {"gold": gold, "moved": moved(gold, 9)}, teams=TEAMS)
    card = scorecard(AuditInputs(tmp_path))
    assert {card.cell(name, "undamaged").verdict for name in card.label_sets} == {"fair"}
    assert "problem may be in" in card.cell("moved", "undamaged").sentence


def test_declared_passes_of_one_model_are_merged(tmp_path: Path) -> None:
    gold = gold_of(8)
    records = {name: ModelRecord("one model") for name in ("a", "b")}
    write(tmp_path, {"gold": gold, "a": noisy(gold, 0.1, 1), "b": gold.copy()}, models=records)
    assert scorecard(AuditInputs(tmp_path)).families == dict.fromkeys("ab", "one model")


def test_a_bias_that_could_not_be_detected_is_named(tmp_path: Path) -> None:
    gold = gold_of(8)
    labels = {"gold": gold, "twin": gold.copy(), "noisy": noisy(gold, 0.3, 1)}
    write(tmp_path, labels, teams=TEAMS)
    card = scorecard(AuditInputs(tmp_path))
    assert card.cell("twin", "fair-to-teams").verdict == "good"
    cell = card.cell("noisy", "fair-to-teams")
    assert cell.verdict == "good"
    assert "judgment of about 100 docs from runs of team-" in cell.sentence


def test_a_set_that_judged_few_zeros_of_the_reference_has_no_vote_on_them(tmp_path: Path) -> None:
    gold = gold_of(12)
    few = noisy(gold, 0.05, 1)
    few[5:] = np.nan
    write(tmp_path / "few", {"gold": gold, "few": few})
    cell = scorecard(AuditInputs(tmp_path / "few")).cell("gold", "uncontested")
    assert (cell.verdict, "judged half of the non-relevant docs" in cell.sentence) == ("none", True)
