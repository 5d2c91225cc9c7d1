"""Student's paired t-test for every pair of systems."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.effects import standardise
from qrelsmith.stats.pairwise import PairedScores, PairwiseResult, paired_scores, ratio
from qrelsmith.stats.registries import TESTS

_BLOCK = 1 << 21  # differences held at once


@TESTS.add("paired-t", formula="t = d̄ / (s_d/√n), n−1 degrees of freedom", source="Student 1908")
def paired_t(scores: ArrayLike, *, alpha: float = 0.05) -> PairwiseResult:
    """Student's paired t-test, two-sided, of every pair of systems.

    Returns
    -------
    PairwiseResult
        p is not adjusted for the number of pairs (see `multiplicity`). The effect size is the mean
        of the differences over their standard deviation (n−1). Identical systems have p = 1, a
        constant difference has p = 0. Without two systems there are no pairs.

    Notes
    -----
    t = d̄/(s_d/√n) with n−1 degrees of freedom; `critical` is the |d̄| at which p = alpha if s_d
    stays.

    Examples
    --------
    >>> result = paired_t([[0.5, 0.4], [0.6, 0.4], [0.9, 0.6]])
    >>> [round(float(p), 4) for p in result.p]
    [0.0742]
    """
    data = paired_scores(scores, alpha=alpha)
    variance = difference_variances(data)
    error = np.sqrt(variance / data.topics)
    freedom = data.topics - 1
    return PairwiseResult(
        test="paired-t",
        topics=data.topics,
        means=data.means,
        first=data.first,
        second=data.second,
        difference=data.difference,
        p=2 * special.stdtr(freedom, -ratio(data.difference, error)),
        effect_size=standardise(data.difference, variance),
        effect="mean/sd of differences",
        critical=special.stdtrit(freedom, 1 - alpha / 2) * error,
        alpha=alpha,
    )


def difference_variances(data: PairedScores) -> FloatArray:
    """Return the sample variance (denominator n−1) of each pair's differences over topics.

    The variance is exactly 0 if the differences vary only by rounding (1e-12 of the largest score).
    """
    variances = np.empty(len(data.first))
    size = max(1, _BLOCK // data.topics)
    for start in range(0, len(variances), size):
        part = slice(start, start + size)
        differences = data.scores[:, data.first[part]] - data.scores[:, data.second[part]]
        variances[part] = differences.var(axis=0, ddof=1)
    variances[variances <= data.tolerance**2] = 0.0
    return variances
