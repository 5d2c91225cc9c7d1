"""The result of every paired test: one value per pair of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.stats.inputs import between_0_and_1, topic_scores
from qrelsmith.stats.ties import TOLERANCE, pair_differences


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairwiseResult:
    """A paired test of all pairs of systems on the same topics.

    Attributes
    ----------
    test : str
        The test's name in TESTS.
    topics : int
        The number of topics that every system was scored on.
    means : float array, shape (m,)
        Mean score of each system.
    first, second : int array, shape (m(m−1)/2,)
        The systems i < j of each pair, in the order (0, 1), (0, 2), … (m−2, m−1).
    difference : float array, one per pair
        means[first] − means[second]; exactly 0 if the means are tied.
    p : float array, one per pair
        Two-sided p-value, adjusted for the number of pairs only if the test itself does so.
    effect_size : float array, one per pair
        nan where nothing differs and nothing varies (0/0).
    effect : str
        Kind of effect size: `ES_E2` or `mean/sd of differences`.
    critical : float array, one per pair
        The smallest absolute difference of this pair that is significant at `alpha`.
    alpha : float
        The significance level of `critical`.
    trials : int or None
        The number of random trials B, None for a test without them.
    randomness : str or None
        The generator of the trials and its seed.
    options : mapping
        Further options of the test, by name.
    residual_variance : float
        V_E2 of the two-way analysis of variance; nan if the test does not use it.
    """

    test: str
    topics: int
    means: FloatArray
    first: IntArray
    second: IntArray
    difference: FloatArray
    p: FloatArray
    effect_size: FloatArray
    effect: str
    critical: FloatArray
    alpha: float
    trials: int | None = None
    randomness: str | None = None
    options: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    residual_variance: float = float("nan")

    @property
    def systems(self) -> int:
        """The number of systems."""
        return len(self.means)

    @property
    def significant(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Whether p < alpha, by pair."""
        return np.asarray(self.p < self.alpha)

    def p_matrix(self) -> FloatArray:
        """Return the p-values as a symmetric matrix [system, system], with 1 on the diagonal."""
        matrix = np.ones((self.systems, self.systems))
        matrix[self.first, self.second] = matrix[self.second, self.first] = self.p
        return matrix

    def difference_matrix(self) -> FloatArray:
        """Return the differences as a matrix; [i, j] is the mean of i minus the mean of j."""
        matrix = np.zeros((self.systems, self.systems))
        matrix[self.first, self.second] = self.difference
        matrix[self.second, self.first] = -self.difference
        return matrix


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """Checked scores and derived values for paired tests.

    Attributes
    ----------
    scores : float array, shape (topics, systems)
        The scores.
    means : float array, shape (systems,)
        Their means over topics.
    first, second : int array, one per pair
        The systems i < j of each pair.
    difference : float array, one per pair
        means[first] − means[second], 0 where tied.
    tolerance : float
        1e-12 of the largest absolute score: the rounding tolerance between sums of the same scores.
    """

    scores: FloatArray
    means: FloatArray
    first: IntArray
    second: IntArray
    difference: FloatArray
    tolerance: float

    @property
    def topics(self) -> int:
        """The number of topics."""
        return int(self.scores.shape[0])


def paired_scores(scores: ArrayLike, *, alpha: float) -> PairedScores:
    """Check `scores[topic, system]` and the level, and list the pairs of systems.

    Raises
    ------
    ShapeError
        If the scores do not have two dimensions, or a score is nan or infinite (the error names
        topic and system).
    UndefinedError
        If there are fewer than two topics.
    UsageError
        If alpha is not between 0 and 1.
    """
    between_0_and_1(alpha, name="alpha")
    array = topic_scores(scores)
    means = array.mean(axis=0)
    first, second = (index.astype(np.int64) for index in np.triu_indices(array.shape[1], 1))
    return PairedScores(
        scores=array,
        means=means,
        first=first,
        second=second,
        difference=pair_differences(means, first, second),
        tolerance=TOLERANCE * float(np.abs(array).max(initial=0.0)),
    )


def ratio(numerator: FloatArray, denominator: FloatArray | float) -> FloatArray:
    """Return the test statistic |numerator| / denominator, which is 0 for 0/0.

    Identical systems therefore have p = 1, and systems with the same difference on every topic have
    p = 0.
    """
    size = np.abs(numerator)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size == 0, 0.0, size / denominator)


def randomness_of(rng: np.random.Generator) -> str:
    """Return the name and seed of the generator, to be recorded in results."""
    bits = rng.bit_generator
    entropy = getattr(bits.seed_seq, "entropy", None)
    return f"{type(bits).__name__}(entropy={entropy})"


def critical_count(alpha: float, trials: int) -> int:
    """Return the smallest number of trials as extreme as the data for which p ≥ alpha."""
    return max(1, int(np.ceil(alpha * trials - 1e-9)))
