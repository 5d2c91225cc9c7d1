from __future__ import annotations

import csv
import io
from itertools import combinations

import numpy as np
import pytest

from qrelsmith.base.content import Lines
from qrelsmith.base.errors import UsageError
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.collection.qrels import Qrels
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.reliability import ByDistance
from qrelsmith.topk.topk_plan import COLUMNS, TopkPlan, topk_plan
from qrelsmith.topk.topk_plans import PlanGrid, plan_steps
from qrelsmith.topk.topk_reliability import recorded_answers, reliability_of, reliability_table
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools
from qrelsmith.topk.topk_simulate import simulated_log, topk_simulate

QRELS = Qrels.from_dict(
    {f"t{n:02d}": {f"d{d:02d}": float(1 + d % 3) for d in range(8 + n % 12)} for n in range(24)}
)
TERMS = HitTerms(reward=1.0, fee=0.5)


@pytest.fixture(scope="module")
def plan() -> TopkPlan:
    return topk_plan(
        QRELS, scheduler=("rounds", "tournament"), k=(3, 5), finalists=(9, 12), pairings=(5, 7),
        reliability=(0.8, 1.0), terms=TERMS, failing=0.0, seconds=36.0, wage=10.0, campaigns=40,
        seed=1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def rows(plan: TopkPlan):
    return plan.rows


def test_every_combination_with_f_above_p_above_k_is_a_row(rows) -> None:
    # k = 5 needs P = 7; tournaments have no F and P.
    sizes = {(r.cell.k, r.cell.design and (r.cell.design.finalists, r.cell.design.pairings))
             for r in rows}  # fmt: skip
    both = {(9, 5), (9, 7), (12, 5), (12, 7)}
    assert sizes == {(3, s) for s in both} | {(5, (9, 7)), (5, (12, 7)), (3, None), (5, None)}
    assert len(rows) == 2 * len(sizes)


def test_costs_include_whole_hits_and_hours(plan: TopkPlan) -> None:
    table = list(csv.DictReader(io.StringIO(plan.table().text("csv"))))
    assert tuple(table[0]) == COLUMNS
    crowd = next(row for row in table if row["method"] == "rounds")
    assert float(crowd["money"]) == pytest.approx(float(crowd["hits"]) * 1.5)
    assert float(crowd["hits"]) >= float(crowd["judgments"]) / 10
    alone = next(row for row in table if row["method"] == "tournament")
    assert float(alone["hours"]) == pytest.approx(float(alone["judgments"]) / 100)
    assert float(alone["money"]) == pytest.approx(float(alone["hours"]) * 10)
    assert (alone["hits"], alone["finalists"]) == ("0.0", "")


def test_the_formula_for_the_number_of_pairs_is_close_to_the_simulation(rows) -> None:
    for row in rows:
        simulated = row.search.judgments.sum(axis=1).mean()
        if row.cell.design is None:
            assert simulated <= row.pairs
        else:
            assert simulated == pytest.approx(row.pairs, rel=0.15)


def test_more_reliable_answers_find_more_and_right_answers_find_all_docs_of_a_tree(rows) -> None:
    found = {(r.cell.method, r.cell.k, r.cell.design, r.cell.reliability_name):
             r.search.found.mean() for r in rows}  # fmt: skip
    for (method, k, design, name), value in found.items():
        if name == "1":
            assert value >= found[method, k, design, "0.8"]
            assert method == "rounds" or value == 1


def test_the_figure_has_a_line_for_each_method_k_p_and_reliability(plan: TopkPlan) -> None:
    drawing = plan.figure().drawing
    assert isinstance(drawing, Lines)
    assert len(drawing.lines) == 10  # rounds: (3, 5), (3, 7), (5, 7); trees: 3, 5; twice each
    assert len({line.name for line in drawing.lines}) == 10
    for line in drawing.lines:
        assert list(line.x) == sorted(line.x)
        assert all(
            low <= y <= high for low, y, high in zip(line.lows, line.y, line.highs, strict=True)
        )


def test_the_number_of_steps_is_known_beforehand() -> None:
    steps: list[int] = []
    methods = ("rounds", "tournament")
    topk_plan(QRELS, scheduler=methods, campaigns=150, advance=lambda: steps.append(1))
    assert len(steps) == plan_steps(methods, (5,), (9,), (7,), campaigns=150) == 3


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(UsageError, match="has F > P > k"):
        topk_plan(QRELS, k=9, campaigns=1)
    with pytest.raises(UsageError, match="unknown scheduler"):
        PlanGrid(methods=("round-robin",))


def test_one_campaign_has_no_interval() -> None:
    found = topk_simulate(QRELS, campaigns=1)
    assert np.isnan(found.row.interval(found.row.search.found)[1])
    quantity, mean, deviation, *_ = found.table().rows[0]
    assert (quantity, np.isnan(deviation), mean > 0) == ("judgments", True, True)


def test_a_method_that_cannot_be_simulated_is_reported_with_the_alternatives() -> None:
    with pytest.raises(
        UsageError, match=r"^the scheduler is drawn; expected rounds or tournament$"
    ):
        topk_simulate(QRELS, scheduler="drawn")


def test_campaigns_are_summarised_by_quantity() -> None:
    found = topk_simulate(QRELS, terms=TERMS, failing=0.0, campaigns=30)
    table = {cells[0]: cells[1:] for cells in found.table().rows}
    assert table["judgments"][0] == pytest.approx(found.row.search.judgments.sum(axis=1).mean())
    assert table["money"][0] == pytest.approx(1.5 * table["hits"][0])
    assert all(low <= mean <= high for mean, _, low, high in table.values())


def test_the_reliability_of_a_recorded_session_is_estimated() -> None:
    pools = topic_pools(QRELS, k=8)[::2]
    log = simulated_log(pools, TopkSetting(method="round-robin"), ByDistance(0.8, 1.0), seed=2)
    again = simulated_log(pools, TopkSetting(method="round-robin"), ByDistance(0.8, 1.0), seed=2)
    fit = reliability_of(pools, Preferences.join([log, again]))
    assert fit.answers == sum(n * (n - 1) // 2 for n in (len(p.candidates) for p in pools))
    assert fit.reliability.grade == pytest.approx(0.8, abs=0.35)
    assert fit.reliability.spread == pytest.approx(1.0, abs=0.35)
    table = reliability_table(fit.reliability, pools, seed=0)
    assert table.columns == ("grade_distance", "rank_distance", "right", "share")
    assert sum(row[3] for row in table.rows) == pytest.approx(1)


def test_answers_are_arranged_by_candidate() -> None:
    pools = topic_pools(Qrels.from_dict({"1": {"a": 1.0, "b": 1.0, "c": 0.0}}), k=2)
    given = Preferences.from_dict({"1": [("b", "a"), ("a", "b", 0), ("a", "c")], "9": [("a", "b")]})
    (topic,) = recorded_answers(pools, given)
    assert topic.wins.tolist() == [[0, 0.5], [1.5, 0]]
    assert recorded_answers(pools, Preferences.from_rows([])) == []


def test_pairs_of_a_round_robin_are_triads() -> None:
    pools = topic_pools(Qrels.from_dict({"1": dict.fromkeys("abcd", 1.0)}), k=4)
    given = Preferences.from_dict({"1": list(combinations("abcd", 2))})
    with pytest.warns(UserWarning, match="contradict each other too rarely"):
        fit = reliability_of(pools, given)
    assert (fit.repeated, fit.triads) == (0, 4)
