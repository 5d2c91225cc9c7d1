"""Pay and times of all workers, in place of what a design says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qrelsmith.planning.campaign_plan.plan_design import PlanDesign
from qrelsmith.planning.simulation import NO_HABITS, GroupDesign, JudgingTime


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms for all groups; None: as the design says.

    Attributes
    ----------
    seconds : (float, float) or None
        Mean seconds for a judgment of the fastest and of the slowest assessor, all included:
        nobody reads the topic, goes back or takes a break besides.
    wage : float or None
        What an hour costs.
    fee : float or None
        Additional cost of each judged doc.
    """

    seconds: tuple[float, float] | None = None
    wage: float | None = None
    fee: float | None = None


def with_terms(design: PlanDesign, terms: Terms) -> PlanDesign:
    """Return a design with other terms."""

    def change_terms(group: GroupDesign) -> GroupDesign:
        if terms.seconds is not None:
            group = replace(group, time=JudgingTime.between(*terms.seconds), habits=NO_HABITS)
        return replace(
            group,
            wage=group.wage if terms.wage is None else terms.wage,
            fee=group.fee if terms.fee is None else terms.fee,
        )

    groups = tuple(change_terms(group) for group in design.campaign.groups)
    return replace(design, campaign=replace(design.campaign, groups=groups))
