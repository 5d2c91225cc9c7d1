"""Pay and times of all workers, which replace the pay and times of a design."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qrelsmith.planning.campaign_plan.plan_design import PlanDesign
from qrelsmith.planning.simulation import NO_HABITS, GroupDesign, JudgingTime


@dataclass(frozen=True, slots=True)
class Terms:
    """Pay and times for all groups; None keeps the values of the design.

    Attributes
    ----------
    seconds : (float, float) or None
        Mean seconds per judgment of the fastest and of the slowest assessor, everything included:
        reading of topics, second looks and breaks are then set to 0.
    wage : float or None
        Wage per hour.
    fee : float or None
        Additional cost per judged doc.
    """

    seconds: tuple[float, float] | None = None
    wage: float | None = None
    fee: float | None = None


def with_terms(design: PlanDesign, terms: Terms) -> PlanDesign:
    """Return a design with different pay and times."""

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
