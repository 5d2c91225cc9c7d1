"""Outcomes compared with calculations by hand and with the commands on files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.planning.campaign_plan.outcome import Outcome, PlanScoring, campaign_outcome
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign, PreferencePlan
from qrelsmith.planning.campaign_plan.workers import Terms, with_terms
from qrelsmith.planning.simulation import (
    NO_HABITS,
    AssessorDesign,
    CampaignDesign,
    GroupDesign,
    JudgingTime,
    Systems,
    simulate_campaign,
)
from qrelsmith.planning.simulation.designs import DESIGNS

STEADY = JudgingTime(seconds=36, spread=0, learning=0)
CROWD = GroupDesign(
    "crowd", AssessorDesign(count=4), STEADY, NO_HABITS, per_doc=3, wage=10.0, fee=0.2
)
DESIGN = CampaignDesign(
    topics=12,
    docs=120,
    systems=Systems(count=6, noise=(0.05, 0.5)),
    run_depth=20,
    depth=10,
    groups=(CROWD,),
)


def outcome(campaign: CampaignDesign = DESIGN, *, seed: int = 0, k: int = 0) -> Outcome:
    design = PlanDesign("test", campaign, PreferencePlan(k=k, finalists=6, pairings=4))
    return campaign_outcome(design, PlanScoring(), seed=seed)


def test_cost_and_hours_are_as_computed_by_hand() -> None:
    found = outcome()
    docs = sum(map(len, simulate_campaign(DESIGN, seed=0).pools))
    # Three judgments per doc, 36 seconds each, at 10 per hour and 0.2 per judgment.
    assert found.judgments == 3 * docs
    assert found.hours == pytest.approx(3 * docs * 36 / 3600)
    assert found.cost == pytest.approx(3 * docs * (10 * 36 / 3600 + 0.2))
    assert found.pairs == 0


def test_hours_of_www4_follow_from_its_numbers() -> None:
    """50 topics, depth 60, 18 runs, 3 judgments per doc at 20 to 40 seconds: 30 on average."""
    design = PlanDesign("www4", DESIGNS.get("www4")())
    found = campaign_outcome(with_terms(design, Terms((20, 40), 15.0)), PlanScoring(), seed=1)
    docs = found.judgments / 3
    # Table 1 of the paper: 10,333 docs in the pools.
    assert docs == pytest.approx(10_333, rel=0.06)
    # 10,333 docs, three judgments each, half a minute each: 258 hours.
    assert found.hours == pytest.approx(found.judgments * 30 / 3600, rel=0.02)
    assert found.hours == pytest.approx(258, rel=0.06)
    assert found.cost == pytest.approx(15 * found.hours)


def test_agreement_equals_that_of_the_ratings() -> None:
    campaign = simulate_campaign(DESIGN, seed=3)
    assert outcome(seed=3).alpha == krippendorff_alpha(campaign.ratings()).value
    alone = replace(DESIGN, groups=(replace(CROWD, per_doc=1),))
    assert np.isnan(outcome(alone).alpha)


def test_without_judging_errors_only_topics_and_systems_vary() -> None:
    exact = replace(CROWD, assessors=AssessorDesign(count=4, noise=(0.0, 0.0), bias=0.0))
    perfect = replace(DESIGN, depth=20, groups=(exact,))
    found = outcome(perfect)
    # Judged by the true grades to the depth of nDCG@10. Only docs that no run returns are missing,
    # also from the ideal ranking.
    assert found.tau_topics > 0.85
    assert found.alpha == pytest.approx(1)
    assert found.wrong == 0


def test_more_topics_and_better_judging_increase_tau_and_power() -> None:
    def mean(campaign: CampaignDesign, name: str) -> float:
        return float(np.mean([getattr(outcome(campaign, seed=seed), name) for seed in range(6)]))

    careless = replace(CROWD, assessors=AssessorDesign(count=4, noise=(0.5, 0.6), bias=0.0))
    alike = replace(DESIGN, systems=Systems(count=6, noise=(0.2, 0.3)))
    few, many = replace(alike, topics=4), replace(alike, topics=24)
    bad = replace(alike, groups=(careless,))
    assert mean(many, "tau") > mean(few, "tau") + 0.1
    assert mean(many, "power") > mean(few, "power") + 0.1
    assert mean(alike, "tau_topics") > mean(bad, "tau_topics") + 0.05
    assert mean(alike, "alpha") > mean(bad, "alpha") + 0.2
    assert mean(alike, "pdp") < mean(bad, "pdp")


def test_equally_good_systems_have_no_true_ranking() -> None:
    assert np.isnan(outcome(replace(DESIGN, systems=Systems(count=6, noise=(0.2, 0.2)))).tau)
    one = outcome(replace(DESIGN, systems=Systems(count=1)))
    assert np.isnan(one.power)
    assert np.isnan(outcome(replace(DESIGN, topics=1)).power)


def test_preferences_have_a_cost_and_come_after_the_grades() -> None:
    plain, after = outcome(), outcome(k=3)
    assert after.judgments == plain.judgments
    assert after.pairs > 0
    # HITs of ten pairs for 2.40, five percent of them twice; the last HIT of a round is not full.
    hits = (after.cost - plain.cost) / 2.40 * 0.95
    assert hits == pytest.approx(round(hits))
    assert hits >= after.pairs / 10
    # 46 seconds per pair, three attention checks per HIT.
    seconds = (after.pairs + 3 * hits) / 0.95 * 46
    assert after.hours - plain.hours == pytest.approx(seconds / 3600)
    assert after.alpha == plain.alpha


def test_the_same_seed_gives_the_same_outcome() -> None:
    assert outcome(seed=5, k=3) == outcome(seed=5, k=3)
    assert outcome(seed=5) != outcome(seed=6)
