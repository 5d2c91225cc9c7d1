from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UnknownNameError, UsageError
from qrelsmith.planning.campaign_plan.designs import planned_designs
from qrelsmith.planning.campaign_plan.grid import combinations
from qrelsmith.planning.campaign_plan.plan_design import (
    PlanDesign,
    PreferencePlan,
    parsed_plan_design,
    plan_design,
    plan_design_text,
)
from qrelsmith.planning.campaign_plan.workers import Terms, with_terms
from qrelsmith.planning.simulation import CampaignDesign, GroupDesign
from qrelsmith.planning.simulation.designs import DESIGNS

SMALL = PlanDesign("small", DESIGNS.get("small")())


def test_a_design_with_preferences_and_a_grid_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        """topics = 12

[preferences]
k = 3
price = 3

[grid]
topics = [10, 20, 10]
ordering = ["prioritised", "randomised"]
"""
    )
    design, grid = plan_design(path)
    assert design.name == "mine"
    assert design.campaign == CampaignDesign(topics=12)
    assert design.preferences == PreferencePlan(k=3, price=3.0)
    assert grid == {"topics": (10, 20), "ordering": ("prioritised", "randomised")}
    assert parsed_plan_design(plan_design_text(design), name="mine") == design


@pytest.mark.parametrize("name", DESIGNS.names())
def test_written_designs_are_read_back(name: str) -> None:
    design, grid = plan_design(name)
    assert grid == {}
    other = replace(design, preferences=PreferencePlan(k=5, spread=0.3))
    assert parsed_plan_design(plan_design_text(other), name=name) == other


def test_every_combination_is_a_design_named_after_its_values() -> None:
    designs = planned_designs([(SMALL, {"topics": (5, 8), "depth": (7,), "per_doc": (1, 3)})])
    assert [design.name for design in designs] == [
        "small (topics 5, per_doc 1)",
        "small (topics 5, per_doc 3)",
        "small (topics 8, per_doc 1)",
        "small (topics 8, per_doc 3)",
    ]
    last = designs[-1].campaign
    assert (last.topics, last.depth) == (8, 7)
    # Gold judges its own topics: one assessor per doc.
    assert [group.per_doc for group in last.groups] == [1, 3]


def test_a_value_changes_dependent_settings() -> None:
    (deep,) = planned_designs([(SMALL, {"depth": (90,), "per_doc": (6,)})])
    assert deep.campaign.run_depth == 90
    assert deep.campaign.groups[1].assessors.count == 6
    (other,) = planned_designs(
        [(SMALL, {"levels": (7,), "systems": (4,), "assessors": (9,), "ordering": ("docno",)})]
    )
    assert (other.campaign.levels, other.campaign.systems.count) == (7, 4)
    assert [group.assessors.count for group in other.campaign.groups] == [2, 9]
    assert {group.ordering for group in other.campaign.groups} == {"docno"}


def test_without_preferences_f_and_p_do_not_vary() -> None:
    grid = {"k": (0, 3), "finalists": (6, 9), "pairings": (5,)}
    names = [design.name for design in planned_designs([(SMALL, grid)])]
    assert names == ["small (k 0)", "small (k 3, finalists 6)", "small (k 3, finalists 9)"]


def test_without_a_grid_the_design_is_unchanged() -> None:
    assert planned_designs([(SMALL, {})]) == (SMALL,)
    assert combinations({}) == [{}]


def test_pay_and_times_apply_to_all_groups() -> None:
    (gold, bronze) = with_terms(SMALL, Terms((20, 40), 15.0, 0.1)).campaign.groups
    for group in (gold, bronze):
        assert (group.wage, group.fee) == (15.0, 0.1)
        assert group.habits.second_looks == group.habits.reading == group.habits.breaks == 0
        assert group.time.paces(group.assessors.count).mean() == pytest.approx(1)
    assert with_terms(SMALL, Terms()) == SMALL


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[preferences]\nk = 5\npairings = 5", "F = 9, P = 5 and k = 5; expected F > P > k"),
        ("[preferences]\nspread = 0", "spread=0.0; expected a number above 0"),
        ("[preferences]\nfailing = 1", "failing=1.0; expected a share below 1"),
        ("[preferences]\nwage = 1", "unknown key 'wage'"),
        ("[grid]\ntopic = [1]", "unknown key 'topic'; did you mean topics"),
        ("[grid]\ntopics = 3", "topics is '3'; expected a list of whole numbers"),
        ("[grid]\ntopics = []", "expected a list of whole numbers"),
        ("[grid]\ntopics = [true]", "expected a list of whole numbers"),
        ("[grid]\nordering = [1]", "expected a list of strings"),
    ],
)
def test_an_error_in_a_plan_names_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"wrong\.toml:") as error:
        plan_design(path)
    assert message in str(error.value)


def test_invalid_combinations_are_refused() -> None:
    with pytest.raises(UsageError, match="F = 9, P = 7 and k = 8"):
        planned_designs([(SMALL, {"k": (8,)})])
    with pytest.raises(UsageError, match="'sorted' is not an ordering policy"):
        planned_designs([(SMALL, {"ordering": ("sorted",)})])
    gold = GroupDesign("gold", creators=True, per_doc=1)
    only = PlanDesign("gold", CampaignDesign(groups=(gold,)))
    with pytest.raises(UsageError, match="expected a group that judges other topics"):
        planned_designs([(only, {"per_doc": (2,)})])
    with pytest.raises(UsageError, match="two designs have the name 'small'"):
        planned_designs([(SMALL, {}), (SMALL, {"topics": (3,)})])
    with pytest.raises(UnknownNameError, match="unknown design 'www5'"):
        plan_design("www5")
