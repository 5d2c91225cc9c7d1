"""How alike two sets of labels, or two sets of topics, rank the systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from qrelsmith.errors import UsageError, quoted
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.correlation import CORRELATIONS
from qrelsmith.stats.tau_intervals import INTERVALS


@dataclass(frozen=True, slots=True)
class RankingComparison:
    """Two rankings of the same systems.

    Attributes
    ----------
    measure : str
        The measure that ranks them.
    first, second : str
        What ranks them: names of qrels or of topic sets. The first is the reference of τ_AP.
    systems : int
        How many systems both rank.
    tau_a, tau_b, tau_ap : float
        Kendall's τ without and with correction for ties, and τ_AP (with ties: its expectation
        over the orders in which they could be broken); nan where undefined.
    interval : str
        A name in `INTERVALS`.
    low, high : float
        The 95 % interval: of τ-b for `fieller`, of τ-a for `consistent`; nan where there is none
        (|τ| = 1, τ undefined, fewer than 5 systems).
    """

    measure: str
    first: str
    second: str
    systems: int
    tau_a: float
    tau_b: float
    tau_ap: float
    interval: str
    low: float
    high: float


def compared_rankings(
    named: Sequence[tuple[str, ScoreMatrix]],
    *,
    intervals: Sequence[str] = ("fieller", "consistent"),
) -> Iterator[RankingComparison]:
    """Compare the rankings by system means of every two matrices, once for each kind of interval.

    Parameters
    ----------
    named : sequence of (str, ScoreMatrix)
        Scores of one measure under several names, over the same systems.
    intervals : sequence of str
        Names in `INTERVALS`.

    Raises
    ------
    UsageError
        If two matrices are of different systems (one that is not in both is named) or measures.
    """
    for (first, a), (second, b) in combinations(named, 2):
        if a.measure != b.measure:
            raise UsageError(
                f"{quoted(first)} has scores of {a.measure}, {quoted(second)} of {b.measure};"
                " expected one measure"
            )
        for system in sorted(set(a.systems) ^ set(b.systems))[:1]:
            having, lacking = (first, second) if system in a.systems else (second, first)
            raise UsageError(
                f"the system {quoted(system)} is in {quoted(having)}, but not in {quoted(lacking)};"
                f" expected the same systems in both (measure: {a.measure})"
            )
        place = {system: row for row, system in enumerate(b.systems)}
        means_a = a.means()
        means_b = b.means()[[place[system] for system in a.systems]]
        tau_a, tau_b, tau_ap = (
            float(np.asarray(CORRELATIONS.get(name)(means_a, means_b)))
            for name in ("tau-a", "tau-b", "tau-ap-a")
        )
        for interval in intervals:
            bounds = INTERVALS.get(interval)(means_a, means_b)
            yield RankingComparison(
                measure=a.measure,
                first=first,
                second=second,
                systems=len(a.systems),
                tau_a=tau_a,
                tau_b=tau_b,
                tau_ap=tau_ap,
                interval=interval,
                low=float(bounds.low),
                high=float(bounds.high),
            )
