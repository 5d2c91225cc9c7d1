"""Designs with topics, systems and assessors like those of an existing collection."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.planning.campaign_plan.fit import FittedCampaign, assessor_design
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign


def like_fitted(design: PlanDesign, fitted: FittedCampaign) -> PlanDesign:
    """Return a design whose docs, systems and assessors are like those of a fitted collection.

    The numbers of topics, systems and assessors, the depth, grades, times and prices do not change.
    The assessors' drift and order effects do not change either, since labels do not show these
    effects.
    """
    own, campaign = fitted.design, design.campaign
    groups = tuple(
        replace(group, assessors=assessor_design(fitted.assessors, group.assessors))
        for group in campaign.groups
    )
    systems = replace(own.systems, count=campaign.systems.count)
    return replace(
        design,
        campaign=replace(
            campaign,
            docs=max(own.docs, campaign.depth),
            alpha=own.alpha,
            beta=own.beta,
            systems=systems,
            groups=groups,
        ),
    )


def fitted_plan(fitted: FittedCampaign, *, topics: int) -> PlanDesign:
    """Return the collection itself as a design, with default groups of assessors."""
    campaign = replace(fitted.design, topics=topics)
    return PlanDesign("fitted", campaign)
