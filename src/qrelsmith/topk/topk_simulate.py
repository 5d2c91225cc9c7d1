"""The variation of cost and results between simulated campaigns with the same settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Unpack

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Advance, Option, OutputFile
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.pairs.preference_files import log_text
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk import Answer
from qrelsmith.topk.reliability import Reliability
from qrelsmith.topk.topk_options import (
    Failing,
    Grades,
    Recorded,
    ReliabilityOption,
    SearchOptions,
    Seconds,
    TermsOption,
    Wage,
)
from qrelsmith.topk.topk_plans import PlanCosts, PlanGrid, PlanRow, plan_grid, plan_methods
from qrelsmith.topk.topk_reliability import Chance, chances_of, fit_notes
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting
from qrelsmith.topk.topk_sources import candidates_of, log_of, setting_by, terms_of_hits

ASSESSOR = "simulated"


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedTopk(Result):
    """Simulated campaigns of one setting.

    Attributes
    ----------
    row : PlanRow
        The setting, its cost by formula, and all simulated campaigns.
    setting : TopkSetting
        The setting of the task.
    pools : tuple of TopicPool
        The candidates.
    """

    row: PlanRow
    setting: TopkSetting
    pools: tuple[TopicPool, ...]

    def table(self) -> Table:
        """Columns: quantity, mean, sd, low and high (the middle 95% of the campaigns)."""
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
        """Return the log of one simulated session."""
        reliability = self.row.cell.reliability
        return simulated_log(self.pools, self.setting, reliability, seed=self.setting.seed)


@question(
    command="topk simulate",
    no_audit="it is used before preferences are collected",
    example="qrelsmith topk simulate graded.qrels --reliability 0.8 --campaigns 10000",
    doing="simulating",
    short="Simulate campaigns of one setting.",
    writes={
        "write_answers": OutputFile(
            "Write the log of one simulated session to this file.",
            lambda result, path, _: write_text(path, log_text(result.log())),
            was="answers",
        )
    },
)
def topk_simulate(
    labels: Grades,
    preferences: Recorded = None,
    *,
    reliability: Annotated[Chance | None, ReliabilityOption] = None,
    campaigns: Annotated[int, Option("Number of campaigns.", least=1)] = 1000,
    terms: TermsOption = None,
    failing: Failing = 0.05,
    seconds: Seconds = 39.0,
    wage: Wage = 12.0,
    advance: Advance = None,
    **options: Unpack[SearchOptions],
) -> SimulatedTopk:
    """Show how cost and results vary between simulated campaigns with the same settings.

    Columns: quantity, mean, sd, low, high (the limits of the middle 95% of the campaigns). For each
    campaign, a new true order of the candidates and new answers are drawn.

    Raises
    ------
    InputError
        If a file is malformed.
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
    setting = setting_by(options, None)
    if setting.name not in plan_methods():
        raise UsageError(
            f"the scheduler is {setting.method}; expected {' or '.join(plan_methods())}"
        )
    labels = resolve_source(labels)
    graded, pools = candidates_of(labels, setting, options)
    recorded = log_of(preferences, labels, options)
    chances, fit = chances_of(
        () if reliability is None else reliability, recorded, pools, advance=advance
    )
    grid = PlanGrid(
        (setting.name,), (setting.k,), (setting.finalists,), (setting.pairings,), chances,
        setting.keep, setting.forced,
    )  # fmt: skip
    costs = PlanCosts(terms_of_hits(terms, labels), failing, seconds, wage)
    (row,) = plan_grid(graded, grid, costs, campaigns=campaigns, seed=setting.seed, advance=advance)
    return SimulatedTopk(
        row=row, setting=setting, pools=pools, notes=tuple(fit_notes(fit, recorded))
    )


def simulated_log(
    pools: Sequence[TopicPool], setting: TopkSetting, reliability: Reliability, *, seed: int
) -> Preferences:
    """Return the log of a session with random answers, to try out later steps.

    Parameters
    ----------
    pools : sequence of TopicPool
        The candidates.
    setting : TopkSetting
        The setting of the task.
    reliability : Reliability
        Model of doc worths and of correct answers.
    seed : int
        The seed. Each topic has its own stream.
    """
    rows: list[Preference] = []
    for pool in pools:
        rng = rng_for(seed, "simulated log", pool.topic)
        worth = dict(zip(pool.candidates, reliability.worth(pool.grades, rng), strict=True))
        scheduler = setting.scheduler(pool.topic, pool.candidates)
        answers: list[Answer] = []
        state = scheduler.replay(answers)
        while not state.done:
            for pair in state.open_pairs:
                gap = np.array(worth[pair.left] - worth[pair.right])
                left = bool(rng.random() < reliability.preference(gap))
                answers.append(
                    Answer(pair.left, pair.right, -1 if left else 1, ASSESSOR, pair.round)
                )
            state = scheduler.replay(answers)
        rows += [
            Preference(pool.topic, one.left, one.right, one.outcome, one.assessor, one.round)
            for one in answers
        ]
    return Preferences.from_rows(rows)
