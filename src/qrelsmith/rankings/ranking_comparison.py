"""Comparison of the rankings by two sets of labels, or over two sets of topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.correlation import CORRELATIONS
from qrelsmith.stats.population import PopulationInterval
from qrelsmith.stats.ranking_intervals import FEWEST_SYSTEMS, ranking_interval
from qrelsmith.stats.tau_intervals import INTERVALS

Population = Literal["topics", "systems"]
POPULATIONS: tuple[Population, ...] = ("topics", "systems")
# Intervals from published papers; both treat the systems as a sample.
PAPERS = ("fieller", "consistent")


@dataclass(frozen=True, slots=True)
class RankingComparison:
    """Two rankings of the same systems.

    Attributes
    ----------
    measure : str
        Measure that ranks the runs.
    first, second : str
        Names of the qrels or topic sets. The first is the reference of τ_AP.
    systems, topics : int
        Number of ranked systems, and of topics (of the first ranking, if they differ).
    tau_a, tau_b, tau_ap : float
        Kendall's τ without and with correction for ties, and τ_AP (with ties: its expectation
        over the orders in which they could be broken); nan where undefined.
    interval : str
        A name in `INTERVALS`, or the population itself.
    low, high : float
        The 95% interval: of τ-b, but of τ-a for `consistent`; nan where undefined.
    over : str
        The population of the interval: `topics` or `systems`.
    """

    measure: str
    first: str
    second: str
    systems: int
    topics: int
    tau_a: float
    tau_b: float
    tau_ap: float
    interval: str
    low: float
    high: float
    over: str

    @property
    def of_tau_b(self) -> tuple[float, float, float]:
        """τ-b with the ends of its interval."""
        return self.tau_b, self.low, self.high


def compared_rankings(
    named: Sequence[tuple[str, ScoreMatrix]], *, intervals: Sequence[str] = PAPERS, seed: int = 0
) -> Iterator[RankingComparison]:
    """Compare the rankings of all pairs of matrices, with each kind of interval.

    Parameters
    ----------
    named : sequence of (str, ScoreMatrix)
        Scores of one measure under several names, over the same systems.
    intervals : sequence of str
        Names in `INTERVALS`, or in `POPULATIONS` for matrices on the same topics.
    seed : int
        Seed of the draws of topics.

    Raises
    ------
    UsageError
        If two matrices have different systems (the message names one) or measures.
    """
    pairs = [((one, other), (a, b)) for (one, a), (other, b) in combinations(named, 2)]
    return comparisons_of_pairs(pairs, intervals=intervals, seed=seed)


def comparisons_of_pairs(
    pairs: Sequence[tuple[tuple[str, str], tuple[ScoreMatrix, ScoreMatrix]]],
    *,
    intervals: Sequence[str] = PAPERS,
    seed: int = 0,
) -> Iterator[RankingComparison]:
    """Compare the rankings of each given pair, as in `compared_rankings`.

    Parameters
    ----------
    pairs : sequence of ((str, str), (ScoreMatrix, ScoreMatrix))
        Names, and scores of one measure over the same systems.
    intervals, seed
        As in `compared_rankings`.

    Raises
    ------
    UsageError
        As in `compared_rankings`.
    """
    for names, matrices in pairs:
        _check_alike(*names, *matrices)
    for names, matrices in pairs:
        bounds = [
            _Bounds.of_population(population_interval(*matrices, name, seed=seed))
            if name in POPULATIONS
            else _Bounds.of_paper(name, *matrices)
            for name in intervals
        ]
        yield from _comparisons(names, matrices, bounds)


def population_interval(
    a: ScoreMatrix, b: ScoreMatrix, over: str, *, seed: int
) -> PopulationInterval:
    """Return τ-b of two rankings over the same topics, with its interval.

    The interval is undefined below 8 topics or 5 systems.

    Raises
    ------
    UsageError
        If the topics differ.
    """
    first, second = a.sorted(), b.sorted()
    if first.topics != second.topics:
        raise UsageError(
            f"the rankings have different topics; an interval over {over} needs the same topics"
        )
    found = ranking_interval(first.scores.T, second.scores.T, first.topics, over=over, seed=seed)
    if len(first.systems) < FEWEST_SYSTEMS:
        nothing = np.full(found.value.shape, np.nan)
        return replace(found, se=nothing, low=nothing, high=nothing)
    return found


class _Bounds(NamedTuple):
    """An interval of τ."""

    interval: str
    low: float
    high: float
    over: str

    @classmethod
    def of_population(cls, found: PopulationInterval) -> _Bounds:
        return cls(found.over, float(found.low), float(found.high), found.over)

    @classmethod
    def of_paper(cls, name: str, a: ScoreMatrix, b: ScoreMatrix) -> _Bounds:
        found = INTERVALS.get(name)(a.means(), _means_beside(a, b))
        return cls(name, float(found.low), float(found.high), "systems")


def _comparisons(
    names: tuple[str, str], matrices: tuple[ScoreMatrix, ScoreMatrix], bounds: Sequence[_Bounds]
) -> Iterator[RankingComparison]:
    a, b = matrices
    means = a.means(), _means_beside(a, b)
    tau_a, tau_b, tau_ap = (
        float(np.asarray(CORRELATIONS.get(name)(*means))) for name in ("tau-a", "tau-b", "tau-ap-a")
    )
    for interval, low, high, over in bounds:
        yield RankingComparison(
            measure=a.measure,
            first=names[0],
            second=names[1],
            systems=len(a.systems),
            topics=len(a.topics),
            tau_a=tau_a,
            tau_b=tau_b,
            tau_ap=tau_ap,
            interval=interval,
            low=low,
            high=high,
            over=over,
        )


def _means_beside(a: ScoreMatrix, b: ScoreMatrix) -> FloatArray:
    """Return the means of the second matrix in the order of the first matrix's systems."""
    place = {system: row for row, system in enumerate(b.systems)}
    return b.means()[[place[system] for system in a.systems]]


def _check_alike(first: str, second: str, a: ScoreMatrix, b: ScoreMatrix) -> None:
    if a.measure != b.measure:
        raise UsageError(
            f"{quoted(first)} has scores of {a.measure}, but {quoted(second)} has scores of"
            f" {b.measure}; expected one measure"
        )
    for system in sorted(set(a.systems) ^ set(b.systems))[:1]:
        having, lacking = (first, second) if system in a.systems else (second, first)
        raise UsageError(
            f"the system {quoted(system)} is in {quoted(having)}, but not in {quoted(lacking)};"
            f" expected the same systems in both (measure: {a.measure})"
        )
