"""How much campaigns of one setting differ in cost and in what they find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.judgments.sources import QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.topk_plans import PlanCosts, PlanGrid, PlanRow, plan_grid, plan_methods
from qrelsmith.topk.topk_reliability import Chance, chances_of, fit_notes
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting
from qrelsmith.topk.topk_simulations import simulated_log
from qrelsmith.topk.topk_sources import Terms, candidates_of, log_of, terms_of_hits


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedTopk(Result):
    """Simulated campaigns of one setting.

    Attributes
    ----------
    row : PlanRow
        The setting, its cost by formula, and all simulated campaigns.
    setting : TopkSetting
        How the top was looked for.
    pools : tuple of TopicPool
        The candidates.
    """

    row: PlanRow
    setting: TopkSetting
    pools: tuple[TopicPool, ...]

    def table(self) -> Table:
        """Quantity, mean, sd, low and high (the middle 95 % of the campaigns)."""
        search, cost = self.row.search, self.row.simulated
        quantities = {
            "judgments": search.judgments.sum(axis=1).astype(np.float64),
            "hits": cost.hits,
            "money": cost.money,
            "hours": cost.hours,
            "found": search.found,
            "recall": search.recall,
            "best_first": search.first,
            "docs": search.size,
        }
        rows = []
        for name, values in quantities.items():
            low, high = np.quantile(values, [0.025, 0.975])
            deviation = float(values.std(ddof=1)) if values.size > 1 else float("nan")
            rows.append((name, float(values.mean()), deviation, float(low), float(high)))
        return Table.of(("quantity", "mean", "sd", "low", "high"), rows)

    def log(self) -> Preferences:
        """The log of one simulated session."""
        reliability = self.row.cell.reliability
        return simulated_log(self.pools, self.setting, reliability, seed=self.setting.seed)


@question(
    command="topk simulate",
    no_audit="it is asked before preferences are collected",
    flags={"forced": "--force", "preferences": "--preferences"},
)
def topk_simulate(
    labels: QrelsLike,
    preferences: PreferencesLike = None,
    *,
    k: int = 5,
    method: str = "rounds",
    finalists: int = 9,
    pairings: int = 7,
    reliability: Chance | None = None,
    keep: Keep = "majority",
    forced: bool = False,
    campaigns: int = 1000,
    terms: Terms | None = None,
    failing: float = 0.05,
    seconds: float = 39.0,
    wage: float = 12.0,
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    sign: Sign = "negative-left",
    outcomes: Way | None = None,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> SimulatedTopk:
    """How much campaigns of one setting differ in cost and in what they find.

    The true order of the candidates and all answers are drawn anew for each campaign.

    Parameters
    ----------
    labels : campaign, Qrels, path, {topic: {doc: grade}}, or data frame
        The grades that candidates come from; of a campaign its reference.
    preferences : Preferences, path, data frame, mapping, or a list of these
        Recorded ones of these topics, to fit the reliability. A campaign's own are the default.
    k, method, finalists, pairings, keep, forced
        How the top is looked for; the method is a scheduler that can be simulated.
    reliability : number, 'fitted', Reliability, optional
        The chance that an answer is right, from ½ to 1; or fitted to the preferences, as a function
        of the distance of two docs in grades and in the ranking. By default fitted where there are
        preferences, else 1.
    campaigns : int
        How many campaigns.
    terms : HitTerms or path, optional
        What a HIT is and costs; a campaign's own are the default, else those of the paper.
    failing : float
        Share of the HITs whose worker misses a challenge pair: paid, and done again.
    seconds, wage : float
        How long a pair takes a dedicated assessor, and what an hour of one costs.
    label_set : str, optional
        Another label set of a campaign than its reference.
    topic_set : path or collection of str, optional
        Only these topics.
    scale, off_scale
        Which grades there can be, and what others are.
    sign, outcomes
        How a file or frame writes outcomes: `sign` and `way` of `read_preferences`.
    seed : int
        The seed; combinations share the campaigns' random numbers.
    advance : callable, optional
        Called after each step of the work, to show progress.

    Returns
    -------
    SimulatedTopk

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If F > P > k is violated, the method cannot be simulated, or a fitted reliability has no
        preferences.
    UndefinedError
        If no doc has a grade above 0.

    Examples
    --------
    >>> grades = {"t1": {f"d{number}": 1 + number % 2 for number in range(20)}}
    >>> sure = topk_simulate(grades, k=3, pairings=5, finalists=7, campaigns=20)
    >>> len(sure.table().rows)
    8
    """
    setting = TopkSetting(
        k=k, method=method, finalists=finalists, pairings=pairings, keep=keep, forced=forced,
        seed=seed,
    )  # fmt: skip
    if setting.name not in plan_methods():
        raise UsageError(f"the method is {method}; expected {' or '.join(plan_methods())}")
    graded, pools = candidates_of(
        labels, setting, label_set=label_set, topic_set=topic_set, scale=scale, off_scale=off_scale
    )
    recorded = log_of(preferences, labels, sign=sign, outcomes=outcomes)
    chances, fit = chances_of(
        () if reliability is None else reliability, recorded, pools, advance=advance
    )
    grid = PlanGrid((setting.name,), (k,), (finalists,), (pairings,), chances, keep, forced)
    costs = PlanCosts(terms_of_hits(terms, labels), failing, seconds, wage)
    (row,) = plan_grid(graded, grid, costs, campaigns=campaigns, seed=seed, advance=advance)
    return SimulatedTopk(
        row=row, setting=setting, pools=pools, notes=tuple(fit_notes(fit, recorded))
    )
