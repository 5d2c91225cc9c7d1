"""The sign-flip permutation test of every pair of systems."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.effects import standardise
from qrelsmith.stats.inputs import positive_count
from qrelsmith.stats.paired_t import difference_variances
from qrelsmith.stats.pairwise import PairwiseResult, critical_count, paired_scores, randomness_of
from qrelsmith.stats.registries import TESTS

_BLOCK = 1 << 21  # numbers held at once


@TESTS.add(
    "permutation",
    formula="p = #(|mean of ±d_t| ≥ |d̄|) / B",
    source="Fisher 1935; Smucker, Allan & Carterette 2007",
    aliases=("sign-flip",),
    draws=("permutations",),
)
def permutation(
    scores: ArrayLike, *, rng: np.random.Generator, trials: int = 10_000, alpha: float = 0.05
) -> PairwiseResult:
    """Fisher's randomisation test, which swaps the two systems at random on each topic.

    Returns
    -------
    PairwiseResult
        p is a multiple of 1/B, two-sided, not adjusted for the number of pairs. The effect size is
        the mean of the differences over their standard deviation (n−1). Systems with tied means
        have p = 1. Without two systems there are no pairs.

    Notes
    -----
    p is the share of trials in which |Σ_t ±d_t|/n is at least |d̄| − 1e-12·max|score|, with random
    signs (Fisher 1935; Smucker, Allan & Carterette 2007, "A comparison of statistical significance
    tests for information retrieval evaluation").
    """
    data = paired_scores(scores, alpha=alpha)
    count = positive_count(trials, name="trials")
    seeded = randomness_of(rng)
    flipped = flipped_means(data.scores, count, rng)
    last = critical_count(alpha, count)
    p, critical = np.empty(len(data.first)), np.empty(len(data.first))
    size = max(1, _BLOCK // count)
    for start in range(0, len(p), size):
        part = slice(start, start + size)
        means = np.abs(flipped[data.first[part]] - flipped[data.second[part]])
        least = np.abs(data.difference[part]) - data.tolerance
        p[part] = np.count_nonzero(means >= least[:, None], axis=-1) / count
        critical[part] = np.partition(means, count - last, axis=-1)[:, count - last]
    return PairwiseResult(
        test="permutation",
        topics=data.topics,
        means=data.means,
        first=data.first,
        second=data.second,
        difference=data.difference,
        p=p,
        effect_size=standardise(data.difference, difference_variances(data)),
        effect="mean/sd of differences",
        critical=critical,
        alpha=alpha,
        trials=count,
        randomness=seeded,
    )


def flipped_means(scores: FloatArray, trials: int, rng: np.random.Generator) -> FloatArray:
    """Return the mean of ±score by system and trial, with one random sign per topic and trial.

    Parameters
    ----------
    scores : float array, shape (topics, systems)
        The scores. Each topic's mean is subtracted first; it cancels out in every difference.
    trials : int
        The number of trials; trial t depends on the generator and t alone.
    rng : Generator
        The source of the signs.

    Returns
    -------
    float array, shape (systems, trials)
        The difference of two rows is the mean of the signed differences of two systems.
    """
    topics, systems = scores.shape
    centred = scores - scores.mean(axis=1, keepdims=True) if systems else scores
    words = -(-topics // 64)
    result = np.empty((systems, trials))
    size = max(1, _BLOCK // topics)
    for start in range(0, trials, size):
        stop = min(start + size, trials)
        bits = rng.integers(0, 1 << 64, size=(stop - start, words), dtype=np.uint64)
        coins = np.unpackbits(bits.view(np.uint8), axis=1)[:, :topics]
        result[:, start:stop] = centred.T @ (2.0 * coins.T - 1.0) / topics
    return result
