"""Named designs of campaigns to begin with."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.base.registry import Registry
from qrelsmith.planning.simulation.assessors import AssessorDesign
from qrelsmith.planning.simulation.campaign_design import CampaignDesign, GroupDesign
from qrelsmith.planning.simulation.habits import Habits
from qrelsmith.planning.simulation.judging_time import JudgingTime
from qrelsmith.planning.simulation.systems import Systems

DESIGNS: Registry[Callable[[], CampaignDesign]] = Registry("design")


@DESIGNS.add("www4", source="Sakai et al. (2023), sections 3 and 4")
def _www4() -> CampaignDesign:
    """As NTCIR's WWW-4: 50 topics, 18 runs, depth 60; gold, hasty and thorough bronze assessors.

    The numbers of topics, runs, teams, assessors and levels, the depth and the orders are the
    paper's. The rest was chosen so that pool sizes, shares of the grades, times between judgments,
    corrections, agreement and τ between label sets come near Tables 1 to 5 and 10; nothing is
    fitted, and no effect of the order on the labels is put in.
    """
    gold = GroupDesign(
        name="simulated-gold",
        assessors=AssessorDesign(count=7, noise=(0.1, 0.25), bias=0.03),
        time=JudgingTime(seconds=30.0),
        habits=Habits(reading=8.0, second_looks=0.14),
        creators=True,
        ordering="balanced",
        per_doc=1,
    )
    hasty = GroupDesign(
        name="simulated-bronze-w",
        assessors=AssessorDesign(count=5, noise=(0.25, 0.4), bias=0.04, inattention=(0.0, 0.1)),
        time=JudgingTime(seconds=25.0),
        habits=Habits(reading=12.0, second_looks=0.08),
        ordering="prioritised",
        per_doc=1,
    )
    thorough = GroupDesign(
        name="simulated-bronze-t",
        assessors=AssessorDesign(count=5, noise=(0.25, 0.35), bias=0.03),
        time=JudgingTime(seconds=43.0),
        habits=Habits(reading=12.0, second_looks=0.33, breaks=0.01),
        ordering="prioritised",
        per_doc=1,
    )
    return CampaignDesign(
        topics=50,
        docs=600,
        alpha=(0.05, 0.3),
        beta=(0.6, 2.5),
        systems=Systems(count=18, noise=(0.37, 0.44), shared=0.6, teams=4, team_shared=0.2),
        run_depth=400,
        depth=60,
        found=5,
        levels=3,
        groups=(gold, hasty, thorough),
    )


@DESIGNS.add("small")
def _small() -> CampaignDesign:
    """A campaign to try things on: 10 topics, 8 runs, depth 10; gold and two bronze assessors."""
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
