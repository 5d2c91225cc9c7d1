"""The paired bootstrap test of every pair of systems (Sakai 2006)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.effects import standardise
from qrelsmith.stats.inputs import positive_count
from qrelsmith.stats.paired_t import difference_variances
from qrelsmith.stats.pairwise import (
    PairwiseResult,
    critical_count,
    paired_scores,
    randomness_of,
    ratio,
)
from qrelsmith.stats.registries import TESTS
from qrelsmith.stats.resampling import resample_counts

_BLOCK = 1 << 18  # numbers held at once


@TESTS.add(
    "bootstrap",
    formula="p = #(|t of resampled d_t − d̄| ≥ |t|) / B",
    source="Sakai 2006, Fig. 2; Efron & Tibshirani 1993",
    draws=("topics", "samples"),
)
def bootstrap(
    scores: ArrayLike, *, rng: np.random.Generator, trials: int = 1000, alpha: float = 0.05
) -> PairwiseResult:
    """Sakai's paired bootstrap test, on studentised differences shifted to mean 0.

    Returns
    -------
    PairwiseResult
        p is a multiple of 1/B, two-sided, not adjusted for the number of pairs. The effect size is
        the mean of the differences over their standard deviation (n−1). Identical systems have
        p = 1, a constant difference has p = 0. Without two systems there are no pairs.

    Notes
    -----
    With d the differences of a pair over n topics, t(d) = d̄/(s_d/√n) and w = d − d̄: B samples w*
    of n topics are drawn from w with replacement, and p is the share with |t(w*)| ≥ |t(d)|. If a
    sample contains only one topic, it has no variance: t is infinite, or 0 if w* is 0 (to 1e-12 of
    the largest score). `critical` is Sakai's estimate of the difference that this pair needs: |w̄*|
    of the sample whose |t(w*)| is the (αB)-th largest (Sakai 2006, "Evaluating evaluation metrics
    based on the bootstrap").
    """
    data = paired_scores(scores, alpha=alpha)
    count = positive_count(trials, name="trials")
    seeded = randomness_of(rng)
    counts = resample_counts(rng, count, data.topics)
    variance = difference_variances(data)
    observed = ratio(data.difference, np.sqrt(variance / data.topics))
    last = critical_count(alpha, count)
    p, critical = np.empty(len(data.first)), np.empty(len(data.first))
    size = max(1, _BLOCK // max(count, data.topics))
    for start in range(0, len(p), size):
        part = slice(start, start + size)
        differences = data.scores[:, data.first[part]] - data.scores[:, data.second[part]]
        shifted = differences - differences.mean(axis=0)
        shifted[np.abs(shifted) <= data.tolerance] = 0.0
        means, values = _resampled_t(shifted, counts)
        least = observed[part] * (1 - 1e-12)
        p[part] = np.count_nonzero(values >= least, axis=0) / count
        place = np.argpartition(values, count - last, axis=0)[count - last]
        critical[part] = means[place, np.arange(means.shape[1])]
    return PairwiseResult(
        test="bootstrap",
        topics=data.topics,
        means=data.means,
        first=data.first,
        second=data.second,
        difference=data.difference,
        p=p,
        effect_size=standardise(data.difference, variance),
        effect="mean/sd of differences",
        critical=critical,
        alpha=alpha,
        trials=count,
        randomness=seeded,
    )


def _resampled_t(shifted: FloatArray, counts: NDArray[np.uint16]) -> tuple[FloatArray, FloatArray]:
    """Return the |mean| and |t| [trial, pair] of shifted[topic, pair] in every bootstrap sample."""
    topics, pairs = shifted.shape
    trials = len(counts)
    means, values = np.empty((trials, pairs)), np.empty((trials, pairs))
    squares = shifted * shifted
    size = max(1, _BLOCK // topics)
    for start in range(0, trials, size):
        part = slice(start, start + size)
        drawn = counts[part].astype(np.float64)
        mean, square = drawn @ shifted / topics, drawn @ squares / topics
        spread = square - mean * mean
        # A sample of one topic only has spread 0, of which rounding leaves a few last bits.
        spread[spread <= 1e-13 * square] = 0.0
        means[part] = np.abs(mean)
        values[part] = ratio(mean, np.sqrt(spread / (topics - 1)))
    return means, values
