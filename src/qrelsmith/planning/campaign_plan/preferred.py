"""Preferences that follow the grades of a simulated campaign."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns
from qrelsmith.planning.campaign_plan.plan_design import PreferencePlan
from qrelsmith.topk import thin
from qrelsmith.topk.budget import crowd_cost
from qrelsmith.topk.simulated_top import simulate_top


@dataclass(frozen=True, slots=True, eq=False)
class PreferredRankings:
    """Grades in which the best docs by preferences have the highest grades.

    Attributes
    ----------
    grades : float array [unit]
        The best doc of a topic has the highest number; each rank has its own number, and tied docs
        share a number.
    pairs : int array [round]
        The number of preferences given in each round, over all topics.
    cost, hours : float
        The cost and the hours of the preferences.
    """

    grades: FloatArray
    pairs: IntArray
    cost: float
    hours: float


def no_preferences(grades: FloatArray) -> PreferredRankings:
    """Return the grades unchanged."""
    return PreferredRankings(grades, np.zeros(0, dtype=np.int64), 0.0, 0.0)


def find_preferred(
    judged: JudgedRuns,
    grades: FloatArray,
    truth: FloatArray,
    plan: PreferencePlan,
    *,
    rng: np.random.Generator,
) -> PreferredRankings:
    """Find the best k docs of every topic by preferences among the docs with the best grades.

    Parameters
    ----------
    judged : JudgedRuns
        The labels and runs.
    grades, truth : float array [unit]
        One grade per doc, and its true relevance.
    plan : PreferencePlan
        k, F, P, the reliability of answers, and prices.
    rng : Generator
        The random numbers.
    """
    above = grades.copy()
    design, reliability = plan.rounds(), plan.reliability()
    starts = np.searchsorted(judged.topic, np.arange(judged.topics + 1))
    rounds = np.zeros(0, dtype=np.int64)
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        candidates = begin + np.flatnonzero(thin(grades[begin:end], k=plan.k).kept)
        found = simulate_top(truth[candidates] / plan.spread, design, reliability, rng=rng)
        worst = int(found.rank.max(initial=0))
        above[candidates[found.docs]] = judged.levels + worst - found.rank
        size = max(rounds.size, found.pairs.size)
        rounds = np.pad(rounds, (0, size - rounds.size))
        rounds[: found.pairs.size] += found.pairs
    cost = crowd_cost(
        rounds,
        size=plan.pairs,
        challenge_pairs=plan.challenges,
        price=plan.price,
        seconds=plan.seconds,
        failing=plan.failing,
    )
    return PreferredRankings(above, rounds, float(cost.money), float(cost.hours))
