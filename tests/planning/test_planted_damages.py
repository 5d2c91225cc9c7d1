"""Every data problem can be planted in a simulated campaign, and is found in its folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith import find_damages, simulate_campaign
from qrelsmith.base.errors import QrelsmithError
from qrelsmith.damages import DAMAGES
from qrelsmith.planning.damaged_groups import PLANTS
from qrelsmith.planning.simulation import AssessorDesign, CampaignDesign, GroupDesign, Systems


def design(per_doc: int) -> CampaignDesign:
    gold = GroupDesign(
        name="gold",
        assessors=AssessorDesign(count=2, noise=(0.05, 0.1)),
        creators=True,
        ordering="prioritised",
        per_doc=1,
    )
    bronze = GroupDesign(
        name="bronze",
        assessors=AssessorDesign(count=3, noise=(0.1, 0.15)),
        ordering="prioritised",
        per_doc=per_doc,
    )
    return CampaignDesign(
        topics=24,
        docs=200,
        alpha=(0.3, 0.8),
        beta=(1.0, 2.5),
        systems=Systems(count=8, noise=(0.1, 0.3), teams=4, team_shared=0.2),
        run_depth=60,
        depth=40,
        groups=(gold, bronze),
    )


def findings(folder: Path) -> set[tuple[str, str, str]]:
    return {
        (row.damage, row.label_set, row.topic or row.team or row.assessor)
        for row in find_damages(folder).found
        if row.counts
    }


def test_every_data_problem_of_labels_can_be_planted() -> None:
    counting = {entry.name for entry in DAMAGES.entries() if entry.about["counts"]}
    assert set(PLANTS.names()) == counting - {"leans-on"}  # simulated docs have no properties


def test_a_clean_campaign_has_no_data_problems(tmp_path: Path) -> None:
    simulation = simulate_campaign(design(1), seed=1)
    assert simulation.planted == ()
    simulation.write(tmp_path / "clean")
    assert findings(tmp_path / "clean") == set()


@pytest.mark.parametrize("damage", PLANTS.names())
def test_a_planted_data_problem_is_found(damage: str, tmp_path: Path) -> None:
    simulation = simulate_campaign(
        design(2 if damage == "copied" else 1), damages=f"{damage}@bronze", seed=1
    )
    simulation.write(tmp_path / "damaged")
    (planted,) = simulation.planted
    reported = DAMAGES.get(damage).entry.about["reported_as"] or damage
    found = findings(tmp_path / "damaged")
    if damage in ("shifted", "reversed", "constant", "unexplained"):
        assert {culprit for *_, culprit in found} == set(planted.culprits)
    else:
        assert (reported, "bronze", " ".join(planted.culprits)) in found
    assert {(name, group) for name, group, _ in found} == {(reported, "bronze")}
    assert planted.sentence() in (tmp_path / "damaged" / "manifest.json").read_text("utf-8")


def test_two_data_problems_of_one_assessor_have_the_same_assessor() -> None:
    simulation = simulate_campaign(design(1), damages=["outlying-assessor", "hurried:.7"], seed=3)
    first, second = simulation.planted
    assert first.culprits == second.culprits


def test_a_data_problem_leaves_topics_runs_and_other_groups_unchanged() -> None:
    clean, damaged = (
        simulate_campaign(design(1), damages=damages, seed=2).drawn for damages in ((), "tail:10")
    )
    assert np.array_equal(clean.ranked, damaged.ranked)
    gold = clean.events.assessor < 2
    assert np.array_equal(clean.events.grade[gold], damaged.events.grade[gold])
    assert not np.array_equal(clean.events.grade[~gold], damaged.events.grade[~gold])


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("lazy", "unknown damage 'lazy'"),
        ("tail@silver", "unknown group 'silver'"),
        ("shifted:1.5", "expected a whole number above 0"),
        ("favoured:2", "expected a number above 0 to 1"),
        ("tail:", "the size is ''"),
        ("shifted:99", "expected at most 24"),
        ("copied", "no two assessors of the group judge the same docs"),
    ],
)
def test_impossible_data_problems_are_refused(damage: str, problem: str) -> None:
    with pytest.raises(QrelsmithError, match=problem):
        simulate_campaign(design(1), damages=damage)
