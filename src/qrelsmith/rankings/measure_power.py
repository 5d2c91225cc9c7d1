"""Comparison of two measures: rank correlation and significantly different pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.correlation import CORRELATIONS
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.tau_intervals import fieller


@dataclass(frozen=True, slots=True)
class DistinguishedPair:
    """A pair of systems under two measures.

    Attributes
    ----------
    first, second : str
        The systems.
    difference, p : float
        By the first measure: difference of the means (first minus second), and p of the paired
        t-test.
    other_difference, other_p : float
        By the other measure.
    """

    first: str
    second: str
    difference: float
    p: float
    other_difference: float
    other_p: float


@dataclass(frozen=True, slots=True)
class MeasurePower:
    """Comparison of two measures.

    Attributes
    ----------
    measure, other : str
        Their labels.
    systems, topics, pairs : int
        Number of systems, topics and pairs.
    sensitivity, other_sensitivity : float
        Share of pairs that each measure distinguishes; nan without pairs.
    tau, low, high : float
        Kendall's τ-b of the two rankings, with Fieller's interval.
    both : int
        Number of pairs that both distinguish.
    opposite : int
        Number of these pairs with opposite order.
    only, only_other : tuple of DistinguishedPair
        Pairs that only one measure distinguishes, lowest p first.
    """

    measure: str
    other: str
    systems: int
    topics: int
    pairs: int
    sensitivity: float
    other_sensitivity: float
    tau: float
    low: float
    high: float
    both: int
    opposite: int
    only: tuple[DistinguishedPair, ...]
    only_other: tuple[DistinguishedPair, ...]


def measure_power(scores: ScoreMatrix, other: ScoreMatrix, *, alpha: float = 0.05) -> MeasurePower:
    """Compare two measures as topk-preferences does (3.3): consistency and sensitivity.

    Consistency is Kendall's τ between the rankings. Sensitivity is the share of system pairs that a
    paired t-test distinguishes, without correction for the number of pairs (Eq. 2).

    Parameters
    ----------
    scores, other : ScoreMatrix
        The same systems on the same topics.
    alpha : float
        The significance level.

    Raises
    ------
    UsageError
        If systems or topics differ.
    UndefinedError
        If there are fewer than two topics.
    """
    own, others = scores.sorted(), other.sorted()
    if own.systems != others.systems or own.topics != others.topics:
        raise UsageError(
            f"{scores.measure} and {other.measure} have different systems or topics; "
            "expected the same systems and topics"
        )
    first, second = paired_t(own.scores.T, alpha=alpha), paired_t(others.scores.T, alpha=alpha)
    interval = fieller(own.means(), others.means())
    both = first.significant & second.significant
    opposite = both & (np.sign(first.difference) != np.sign(second.difference))
    return MeasurePower(
        measure=scores.measure,
        other=other.measure,
        systems=len(own.systems),
        topics=len(own.topics),
        pairs=len(first.p),
        sensitivity=_share(first.significant),
        other_sensitivity=_share(second.significant),
        tau=float(np.asarray(CORRELATIONS.get("tau-b")(own.means(), others.means()))),
        low=float(interval.low),
        high=float(interval.high),
        both=int(both.sum()),
        opposite=int(opposite.sum()),
        only=_pairs(own.systems, first, second),
        only_other=_pairs(own.systems, second, first),
    )


def best_matching(
    reference: ScoreMatrix, candidates: Sequence[ScoreMatrix]
) -> tuple[ScoreMatrix, FloatArray]:
    """Return the candidate with the highest τ-b to the reference, and the τ-b of each candidate.

    topk-preferences 3.4 tunes p of compatibility in this way for each cutoff of nDCG. If candidates
    are tied, the first is returned.
    """
    ranked = reference.sorted()
    taus = np.array(
        [
            float(np.asarray(CORRELATIONS.get("tau-b")(ranked.means(), one.sorted().means())))
            for one in candidates
        ]
    )
    if not taus.size or np.isnan(taus).all():
        raise UsageError("no candidate has a tau-b with the reference; expected at least one")
    return candidates[int(np.nanargmax(taus))], taus


def _share(significant: BoolArray) -> float:
    return float(significant.mean()) if significant.size else float("nan")


def _pairs(
    systems: Sequence[str], result: PairwiseResult, other: PairwiseResult
) -> tuple[DistinguishedPair, ...]:
    """Return the pairs that only the first result distinguishes, lowest p first."""
    places = np.flatnonzero(result.significant & ~other.significant)
    ordered = places[np.lexsort((places, result.p[places]))].tolist()
    return tuple(
        DistinguishedPair(
            systems[result.first[place]],
            systems[result.second[place]],
            float(result.difference[place]),
            float(result.p[place]),
            float(other.difference[place]),
            float(other.p[place]),
        )
        for place in ordered
    )
