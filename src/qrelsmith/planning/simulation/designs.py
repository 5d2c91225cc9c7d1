"""Named designs of campaigns as starting points."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.base.registry import Registry
from qrelsmith.planning.simulation.assessors import AssessorDesign
from qrelsmith.planning.simulation.campaign_design import CampaignDesign, GroupDesign
from qrelsmith.planning.simulation.habits import Habits
from qrelsmith.planning.simulation.judging_time import JudgingTime
from qrelsmith.planning.simulation.systems import Systems

DESIGNS: Registry[Callable[[], CampaignDesign]] = Registry("design")


@DESIGNS.add("www4", source="Sakai et al. 2023, sections 3 and 4")
def _www4() -> CampaignDesign:
    """Return a campaign like WWW-4 at NTCIR: 50 topics, 18 runs, depth 60 and three groups.

    The numbers of topics, runs, teams, assessors and levels, the depth and the orders are from the
    paper. The rest was fitted to the paper's results: docs in the pools, shares of the levels,
    times and corrections with their residual variances (Tables 1 to 4), κ with its variance (Table
    5), τ between label sets and between halves of the topics (Tables 10 to 12). The hasty group,
    which always has the prioritised order, overrates the first docs. Without overrated first docs,
    the labels of the hasty group would rank the systems as consistently as the labels of the other
    groups.
    """
    gold = GroupDesign(
        name="simulated-gold",
        assessors=AssessorDesign(
            count=7, noise=(0.17, 0.26), bias=0.03, topic_bias=0.1, topic_noise=0.5
        ),
        time=JudgingTime(seconds=27.0, topic_spread=0.36),
        habits=Habits(reading=8.0, reading_spread=1.3, second_looks=0.1, topic_spread=1.1),
        creators=True,
        ordering="balanced",
        per_doc=1,
    )
    hasty = GroupDesign(
        name="simulated-bronze-w",
        assessors=AssessorDesign(
            count=5,
            noise=(0.25, 0.33),
            bias=0.03,
            leaning=-0.02,
            topic_bias=0.1,
            topic_noise=0.5,
            opening=0.8,
            settling=30.0,
        ),
        time=JudgingTime(seconds=22.5, topic_spread=0.36),
        habits=Habits(reading=6.0, reading_spread=1.3, second_looks=0.04, topic_spread=1.1),
        ordering="prioritised",
        per_doc=1,
    )
    thorough = GroupDesign(
        name="simulated-bronze-t",
        assessors=AssessorDesign(
            count=5, noise=(0.12, 0.23), bias=0.03, leaning=0.06, topic_bias=0.1, topic_noise=0.5
        ),
        time=JudgingTime(seconds=40.5, topic_spread=0.36),
        habits=Habits(
            reading=230.0, reading_spread=2.2, second_looks=0.36, topic_spread=1.1, breaks=0.01
        ),
        ordering="prioritised",
        per_doc=1,
    )
    return CampaignDesign(
        topics=50,
        docs=600,
        alpha=(0.05, 0.3),
        beta=(0.6, 2.5),
        systems=Systems(count=18, noise=(0.335, 0.46), shared=0.6, teams=4, team_shared=0.2),
        run_depth=400,
        depth=60,
        found=5,
        levels=3,
        groups=(gold, hasty, thorough),
    )


@DESIGNS.add("small")
def _small() -> CampaignDesign:
    """Return a small campaign: 10 topics, 8 runs, depth 10, gold and two bronze assessors."""
    gold = GroupDesign(
        name="simulated-gold",
        assessors=AssessorDesign(count=2, noise=(0.05, 0.1)),
        creators=True,
        ordering="balanced",
        per_doc=1,
    )
    bronze = GroupDesign(
        name="simulated-bronze",
        assessors=AssessorDesign(count=4, noise=(0.1, 0.3)),
        ordering="prioritised",
    )
    return CampaignDesign(
        topics=10,
        docs=200,
        systems=Systems(count=8, noise=(0.1, 0.3), teams=4, team_shared=0.2),
        run_depth=50,
        depth=10,
        found=2,
        groups=(gold, bronze),
    )
