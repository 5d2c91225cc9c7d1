"""Differences between systems under a label set and a reference, with intervals over topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.population import PopulationInterval
from qrelsmith.stats.ranking_intervals import means_interval
from qrelsmith.stats.significance import TESTS
from qrelsmith.stats.topic_draws import SPLITS

_BLOCK = 1 << 22  # differences held at once


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DifferencesKept:
    """Shares of the reference's differences that a label set finds or reverses, with intervals.

    Attributes
    ----------
    kept : PopulationInterval
        Share of the reference's significant pairs that are significant in the same direction under
        the label set.
    turned : PopulationInterval
        Share of the label set's significant pairs with opposite order under the reference. If no
        half of the topics reverses a pair, the interval is [0, 0].
    found : PopulationInterval
        Share of all pairs that the label set distinguishes.
    pairs, own : int
        Number of pairs that the reference distinguishes, and that the label set distinguishes.
    drawn : float array, shape (2, halves)
        `kept` and `turned` in resamples of topics, for joint probabilities; empty without an
        interval.
    """

    kept: PopulationInterval
    turned: PopulationInterval
    found: PopulationInterval
    pairs: int
    own: int
    drawn: FloatArray


def differences_kept(
    reference: ArrayLike,
    scores: ArrayLike,
    topics: Sequence[str],
    *,
    tests: tuple[PairwiseResult, PairwiseResult],
    seed: int = 0,
    confidence: float = 0.95,
    splits: int = SPLITS,
) -> DifferencesKept:
    """Return the shares of the reference's differences that a label set finds or reverses.

    Parameters
    ----------
    reference, scores : array_like, shape (topics, systems)
        Scores of the same systems on the same topics.
    topics : sequence of str
        Topic names; they determine the random draws.
    tests : (PairwiseResult, PairwiseResult)
        One paired test, of the reference's scores and of the label set's.
    seed, confidence, splits
        As in `means_interval`.

    Returns
    -------
    DifferencesKept
        A share of zero pairs is nan.

    Raises
    ------
    ShapeError, UndefinedError, UsageError
        As in `means_interval`.

    Notes
    -----
    The interval of `means_interval`. A pair is distinguished if its means differ by more than the
    test's critical difference. The critical difference grows with the variance of the scores, which
    differs between halves.
    """
    own_scores, other = (finite(array, name="scores", ndim=2) for array in (reference, scores))
    first, second = (
        CriticalDifference.of(array, test)
        for array, test in zip((own_scores, other), tests, strict=True)
    )

    drawn: list[FloatArray] = []

    def shares_of_pairs(means: FloatArray, shares: FloatArray) -> FloatArray:
        kept_shares = np.empty((3, len(shares)))
        for part in _blocks(means):
            apart, own = _pairs(means[0, part]), _pairs(means[1, part])
            by_first = np.abs(apart) > first.on(shares[part])
            by_second = np.abs(own) > second.on(shares[part])
            same, opposite = apart * own > 0, apart * own < 0
            kept_shares[0, part] = _ratio(by_first & by_second & same, by_first)
            kept_shares[1, part] = _ratio(by_second & opposite, by_second)
            kept_shares[2, part] = by_second.mean(axis=-1) if own.shape[-1] else np.nan
        drawn.append(kept_shares[:2])
        return kept_shares

    kept_shares = means_interval(
        np.stack([own_scores, other]),
        topics,
        statistic=shares_of_pairs,
        seed=seed,
        confidence=confidence,
        bounds=(0.0, 1.0),
        splits=splits,
    )
    return DifferencesKept(
        kept=kept_shares.part(0),
        turned=kept_shares.part(1),
        found=kept_shares.part(2),
        pairs=int(np.count_nonzero(tests[0].significant)),
        own=int(np.count_nonzero(tests[1].significant)),
        drawn=drawn[1] if len(drawn) > 1 else np.empty((2, 0)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class CriticalDifference:
    """Critical differences of means, on all topics and on subsets.

    Attributes
    ----------
    critical : float array, shape (pairs,)
        On all topics.
    squares : float array, shape (topics, 1) or (topics, pairs)
        Variance contribution of each topic, divided by the mean over topics.
    """

    critical: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, scores: FloatArray, test: PairwiseResult) -> CriticalDifference:
        """Build critical differences from a test of the scores."""
        scatter = TESTS.get(test.test).entry.about["scatter"]
        apart = scores - scores.mean(axis=1, keepdims=True)
        if scatter == "pairs":
            apart = scores[:, test.first] - scores[:, test.second]
        if scatter != "rows":
            apart = apart - apart.mean(axis=0)
        squares = apart**2
        if scatter != "pairs":
            squares = squares.sum(axis=1, keepdims=True)
        mean = squares.mean(axis=0)
        squares = np.divide(squares, mean, out=np.ones_like(squares), where=mean > 0)
        return cls(test.critical, squares)

    def on(self, shares: FloatArray) -> FloatArray:
        """Return the critical differences for topics with the given weights [row, topic]."""
        return np.asarray(self.critical * np.sqrt(shares @ self.squares))


def _blocks(means: FloatArray) -> list[slice]:
    """Return blocks of rows whose pairs fit into memory."""
    _, rows, systems = means.shape
    step = max(1, _BLOCK // max(1, systems * systems))
    return [slice(start, start + step) for start in range(0, rows, step)]


def _pairs(means: FloatArray) -> FloatArray:
    """Return the difference of each pair i < j of systems, [row, pair]."""
    first, second = np.triu_indices(means.shape[-1], 1)
    return np.asarray(means[:, first] - means[:, second])


def _ratio(part: BoolArray, whole: BoolArray) -> FloatArray:
    """Return the share of the pairs in `whole` that are in `part`, by row; 0/0 is nan."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.count_nonzero(part, axis=-1) / np.count_nonzero(whole, axis=-1))
