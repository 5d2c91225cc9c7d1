from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.planning.campaign_plan.outcome import OUTCOMES
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign
from qrelsmith.planning.campaign_plan.recommendation import recommend
from qrelsmith.planning.campaign_plan.summary import (
    Summary,
    digest_table,
    pareto_front,
    summarise,
    summary_table,
)
from qrelsmith.planning.campaign_plan.trials import Trials
from qrelsmith.planning.simulation import CampaignDesign


def summary(costs: list[list[float]], taus: list[list[float]]) -> Summary:
    """Return designs a, b, … whose campaigns have these costs and τ."""
    shape = np.array(costs).shape
    values = {name: np.full(shape, np.nan) for name in OUTCOMES}
    values |= {"cost": np.array(costs, float), "tau": np.array(taus, float)}
    values["hours"] = values["cost"] / 10
    designs = tuple(PlanDesign("abcdefgh"[place], CampaignDesign()) for place in range(shape[0]))
    return summarise(Trials(designs, values), seed=0)


def test_the_pareto_front_is_as_computed_by_hand() -> None:
    cost = np.array([1.0, 2.0, 3.0, 2.0, 4.0, np.nan])
    worth = np.array([0.5, 0.7, 0.7, 0.6, 0.9, 0.9])
    assert pareto_front(cost, worth).tolist() == [True, True, False, False, True, False]


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda p: (float(p[0]), float(p[1]))),
        min_size=1,
        max_size=8,
    )
)
def test_every_other_design_is_dominated_by_one_on_the_front(points) -> None:
    cost, worth = np.array(points).T
    front = pareto_front(cost, worth)
    assert front.any()
    for place in np.flatnonzero(~front):
        assert any(
            cost[f] <= cost[place]
            and worth[f] >= worth[place]
            and (cost[f], worth[f]) != (cost[place], worth[place])
            for f in np.flatnonzero(front)
        )


def test_quantiles_and_shares_are_as_computed_by_hand() -> None:
    found = summary([list(range(101)), [50.0] * 101], [[0.5] * 101, [0.4] * 101])
    assert (found.low["cost"][0], found.median["cost"][0], found.high["cost"][0]) == (5, 50, 95)
    assert np.isnan(found.median["alpha"]).all()
    assert found.front.tolist() == [True, False]
    # The first design is better in τ; the second is on the front only if the first costs more than
    # 50.
    assert found.front_share[0] == 1
    assert 0.3 < found.front_share[1] < 0.7


def test_the_table_begins_with_the_cheapest_design() -> None:
    table = summary_table(summary([[30, 31], [10, 11], [20, 21]], [[0.9, 0.8], [0.5, 0.6], [0, 1]]))
    assert [row[0] for row in table.rows] == ["b", "c", "a"]
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["cost_mean"] == 10.5
    assert row["tau_mean"] == pytest.approx(0.55)
    assert (row["labels_per_doc"], row["k"], row["finalists"], row["campaigns"]) == (2, 0, None, 2)
    assert row["front"] == "yes"


def test_a_terminal_shows_three_significant_digits_per_cell() -> None:
    table = digest_table(summary([list(range(0, 101_000, 1000))], [[0.5] * 101]))
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["cost"] == "5,000 – 50,000 – 95,000"
    assert (row["hours"], row["tau"]) == ("500 – 5,000 – 9,500", "0.50 – 0.50 – 0.50")
    assert row["alpha"] == "nan – nan – nan"


def test_the_cheapest_of_the_nearly_best_designs_is_recommended() -> None:
    found = summary([[100, 110], [50, 60], [10, 20]], [[0.90, 0.92], [0.89, 0.91], [0.50, 0.95]])
    advice = recommend(found)
    assert advice.design == 1
    assert (
        "of 3 designs b is the cheapest design whose mean τ (0.900) is within 0.02 of the best (a,"
        in (advice.reason)
    )
    assert "the design costs 55 (50 to 60) and 6 hours of judging" in advice.reason
    # b never has the highest τ: a has it in the first campaign, c in the second.
    assert advice.wins.tolist() == [0.5, 0.0, 0.5]
    assert "b has the highest τ of these designs in 0% and is better than a in 0%" in advice.doubt
    assert recommend(found, within=0.0).design == 0


def test_a_budget_is_kept_in_nearly_all_campaigns() -> None:
    found = summary([[100, 200], [50, 60], [10, 20]], [[0.9, 0.9], [0.7, 0.9], [0.6, 0.8]])
    advice = recommend(found, budget=150)
    assert advice.design == 1
    assert np.isnan(advice.wins[0])
    assert advice.wins[1:].tolist() == [1.0, 0.0]
    assert advice.reason.startswith("of 2 designs within 150 b ranks the systems best")
    none = recommend(found, budget=5)
    assert none.design is None
    assert none.reason == (
        "no design stays within 5 in 95% of the simulated campaigns; the cheapest design, c, needs"
        " 20"
    )


def test_an_insignificant_difference_is_reported_as_undecided() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(0.8, 0.05, size=(2, 50))
    advice = recommend(summary([[10] * 50, [12] * 50], noise.tolist()))
    assert advice.doubt.endswith("so the better of the two designs is undecided")
    clear = recommend(summary([[10] * 50, [12] * 50], [[0.9] * 50, noise[0].tolist()]))
    assert "undecided" not in clear.doubt
    assert clear.wins[0] > 0.9


def test_one_design_and_designs_without_a_true_ranking_are_handled() -> None:
    alone = recommend(summary([[10, 12]], [[0.5, 0.7]]))
    assert (alone.design, alone.doubt) == (0, "")
    assert alone.reason.startswith("a: the design costs 11 (10 to 12)")
    nothing = recommend(summary([[10, 12]], [[np.nan, np.nan]]))
    assert nothing.design is None
    assert "all systems are equally good" in nothing.reason
