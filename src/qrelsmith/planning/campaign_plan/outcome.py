"""The outcome of one simulated campaign: its cost, and the quality of its ranking."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.rng import rng_for
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns, scores
from qrelsmith.planning.campaign_plan.label_uncertainty import runs_pdp
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign
from qrelsmith.planning.campaign_plan.preferred import (
    PreferredRankings,
    find_preferred,
    no_preferences,
)
from qrelsmith.planning.simulation import SimulatedCampaign, simulate_campaign
from qrelsmith.stats.kendall import kendall_tau_b
from qrelsmith.stats.paired_t import paired_t


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a campaign.

    Attributes
    ----------
    judgments : int
        The number of grades given, without corrections.
    pairs : int
        The number of preferences given.
    cost : float
        The cost of wages, fees and HITs.
    hours : float
        The hours of all assessors together.
    alpha : float
        Ordinal α of all assessors over all topics; nan with one judgment per doc.
    pdp : float
        The mean PDP of the first docs of the runs; lower is more discriminative.
    tau : float
        Kendall's τ-b between the campaign's ranking of the systems and their true ranking, over all
        possible topics. nan if all systems are truly equal.
    tau_topics : float
        τ-b with the ranking by the truth on the campaign's own topics, that is, without the effect
        of the choice of topics.
    power : float
        The share of pairs of systems that differ significantly in a paired t-test (p < .05).
    wrong : float
        The share of pairs that differ significantly in the wrong direction.
    """

    judgments: int
    pairs: int
    cost: float
    hours: float
    alpha: float
    pdp: float
    tau: float
    tau_topics: float
    power: float
    wrong: float


OUTCOMES = tuple(field.name for field in fields(Outcome))
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class PlanScoring:
    """The method that turns labels into a ranking of the systems.

    Attributes
    ----------
    measure : str
        The measure if there are no preferences.
    preference_measure : str
        The measure if preferences follow the grades.
    aggregation : str
        The method that combines several grades of a doc.
    """

    measure: str = "nDCG@10"
    preference_measure: str = "Compat(p=0.9)"
    aggregation: str = "median"


def campaign_outcome(design: PlanDesign, scoring: PlanScoring, *, seed: int) -> Outcome:
    """Draw a campaign and return its outcome."""
    campaign = simulate_campaign(design.campaign, seed=seed)
    judged = JudgedRuns.of_campaign(campaign)
    grades: FloatArray = AGGREGATIONS.get(scoring.aggregation)(judged.ratings)
    after = _after_grades(design, campaign, judged, grades, seed)
    measure = scoring.preference_measure if design.preferences.k else scoring.measure
    top = float(np.nanmax(after.grades, initial=judged.levels - 1.0))
    found = scores(judged.topic, after.grades, judged.ranked, measure, top=top)
    means = found.mean(axis=0)
    power, wrong = _shares_of_pairs(found, campaign)
    first = campaign.events.revision == 1
    return Outcome(
        judgments=int(first.sum()),
        pairs=int(after.pairs.sum()),
        cost=_cost(campaign) + after.cost,
        hours=campaign.hours + after.hours,
        alpha=krippendorff_alpha(judged.ratings).value,
        pdp=runs_pdp(judged, _truth(campaign), rng=rng_for(seed, "plan", "pdp")),
        tau=float(kendall_tau_b(means, -campaign.design.systems.deviations())),
        tau_topics=float(kendall_tau_b(means, _true_means(campaign, scoring))),
        power=power,
        wrong=wrong,
    )


def _after_grades(
    design: PlanDesign,
    campaign: SimulatedCampaign,
    judged: JudgedRuns,
    grades: FloatArray,
    seed: int,
) -> PreferredRankings:
    if not design.preferences.k:
        return no_preferences(grades)
    rng = rng_for(seed, "plan", "preferences")
    return find_preferred(judged, grades, _truth(campaign), design.preferences, rng=rng)


def _truth(campaign: SimulatedCampaign) -> FloatArray:
    """Return the true relevance of the judged docs [unit]."""
    topic, doc = campaign.units()
    return np.asarray(campaign.truth[topic, doc])


def _true_means(campaign: SimulatedCampaign, scoring: PlanScoring) -> FloatArray:
    """Return the systems' mean scores on these topics under the true grades [system]."""
    topics, docs = campaign.truth.shape
    grades = campaign.true_grades().ravel()
    every: IntArray = np.arange(topics)[:, None] * docs + campaign.ranked
    of_topics = scores(
        np.repeat(np.arange(topics), docs),
        grades,
        every,
        scoring.measure,
        top=campaign.design.levels - 1.0,
    )
    return np.asarray(of_topics.mean(axis=0))


def _shares_of_pairs(found: FloatArray, campaign: SimulatedCampaign) -> tuple[float, float]:
    """Return the shares of significant pairs, and of significant pairs in the wrong direction."""
    topics, systems = found.shape
    if systems < 2 or topics < 2:
        return float("nan"), float("nan")
    test = paired_t(found, alpha=_ALPHA)
    noise = campaign.design.systems.deviations()
    # A system with less noise is better.
    better = noise[test.second] - noise[test.first]
    significant = test.significant
    wrong = significant & (test.difference * better < 0)
    return float(significant.mean()), float(wrong.mean())


def _cost(campaign: SimulatedCampaign) -> float:
    """Return the cost of the grades."""
    events, first, total = campaign.events, 0, 0.0
    for group in campaign.design.groups:
        last = first + group.assessors.count
        own = (events.assessor >= first) & (events.assessor < last)
        first = last
        docs = np.count_nonzero(own & (events.revision == 1))
        total += group.wage * float(events.active[own].sum()) / 3600 + group.fee * docs
    return total
