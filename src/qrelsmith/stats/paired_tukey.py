"""Tukey's HSD test for systems scored on the same topics (two-way, without replication)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.stats.effects import residual_variance_two_way, standardise
from qrelsmith.stats.pairwise import PairwiseResult, paired_scores, ratio
from qrelsmith.stats.registries import TESTS
from qrelsmith.stats.studentized_range import studentized_range_isf, studentized_range_sf


@TESTS.add(
    "paired-tukey",
    formula="q = |d| / √(V_E2/n), m systems, (n−1)(m−1) degrees of freedom",
    source="Tukey 1949; Sakai 2018, Ch. 4",
    familywise=True,
    scatter="residuals",
)
def paired_tukey(scores: ArrayLike, *, alpha: float = 0.05) -> PairwiseResult:
    """Tukey's honestly significant differences between systems scored on the same topics.

    Parameters
    ----------
    alpha : float
        The familywise level of the result's `critical`.

    Returns
    -------
    PairwiseResult
        p accounts for all pairs. The effect size is ES_E2. Systems with tied means have p = 1;
        where V_E2 = 0, any other pair has p = 0. Without two systems there are no pairs.

    Notes
    -----
    p_ij = P(Q > |d_ij|/√(V_E2/n)), Q the studentised range of m means with (n−1)(m−1) degrees of
    freedom, V_E2 the residual variance of the two-way analysis of variance without replication
    (Sakai 2018, Laboratory Experiments in Information Retrieval, Ch. 4). For two systems this is
    the paired t-test.
    """
    data = paired_scores(scores, alpha=alpha)
    systems = len(data.means)
    variance = residual_variance_two_way(data.scores)
    p = critical = np.empty(0)
    if systems > 1:
        freedom = (data.topics - 1) * (systems - 1)
        error = float(np.sqrt(variance / data.topics))
        p = studentized_range_sf(ratio(data.difference, error), systems, freedom)
        critical = np.full(len(p), studentized_range_isf(alpha, systems, freedom) * error)
    return PairwiseResult(
        test="paired-tukey",
        topics=data.topics,
        means=data.means,
        first=data.first,
        second=data.second,
        difference=data.difference,
        p=p,
        effect_size=standardise(data.difference, variance),
        effect="ES_E2",
        critical=critical,
        alpha=alpha,
        residual_variance=variance,
    )
