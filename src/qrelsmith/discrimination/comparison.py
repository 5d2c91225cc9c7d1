"""A comparison of two settings on the same topics: which one discriminates better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import special
from qrelsmith.discrimination.collection import (
    check_resampling,
    interval_of,
    resampled_means,
    weights_of_tests,
)
from qrelsmith.discrimination.draws import Draws
from qrelsmith.discrimination.estimate import Estimate, estimate
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.resampling import Resampler
from qrelsmith.discrimination.setting import Setting


@dataclass(frozen=True, slots=True)
class PdpComparison:
    """The difference in PDP between two settings.

    Attributes
    ----------
    difference : float
        Mean over the topics of the first setting's PDP minus the second's: below 0, the first
        discriminates better. nan without common topics.
    low, high : float
        Bootstrap interval of the difference; nan without resamples. The interval is for the
        difference without smoothing (`Resampler.unsmooth`), which deviates from `difference` if
        there are few tests.
    p : float
        Two-sided bootstrap p-value that accounts for topics and tests; nan without resamples.
    p_topics : float
        Two-sided p-value of the paired t-test over topics, which treats the matrices as known; nan
        with fewer than two topics or if all differences are the same.
    topics : float array [topic]
        The differences; nan, and left out of the mean, if a setting has no PDP on the topic.
    defined : int
        The number of topics in the mean.
    tests_share : float
        The share of the interval's variance that is due to the tests (the rest is due to the
        topics); nan without resamples.
    same_tests : bool
        Whether both settings use the same tests; if so, the tests had the same weights.
    resamples : int
        The number of resamples behind the interval and p.
    confidence : float
        The nominal coverage of the interval.
    """

    difference: float
    low: float
    high: float
    p: float
    p_topics: float
    topics: FloatArray
    defined: int
    tests_share: float
    same_tests: bool
    resamples: int
    confidence: float


def compare_pdp(
    first: Setting,
    second: Setting,
    *,
    rng: np.random.Generator | Draws,
    resamples: int = 1000,
    confidence: float = 0.95,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
) -> PdpComparison:
    """Compare two settings on the same topics.

    A resample draws the same topics for both settings. If both settings use the same tests, the
    tests also have the same weights (`collection_pdp`).

    Parameters
    ----------
    first, second : Setting
        The settings. Their grades must be for the same topics in the same order; scales, assessors
        and docs may differ.
    rng, resamples, confidence, exact_docs, samples
        As in `collection_pdp`.

    Returns
    -------
    PdpComparison
        p = 2 · min(#{d* ≤ 0} + 1, #{d* ≥ 0} + 1)/(B + 1), at most 1, where d* are the resampled
        differences.

    Raises
    ------
    ShapeError
        If the numbers of topics differ.
    UsageError, UndefinedError
        As in `collection_pdp`.

    References
    ----------
    pdp, 5.2.1, which tests such differences but does not name the test.
    """
    check_resampling(resamples, confidence)
    draws = rng if isinstance(rng, Draws) else Draws.of(rng)
    estimates, values, centres = [], [], []
    for setting in (first, second):
        rankings = draws.rankings()
        one = estimate(setting, exact_docs=exact_docs, samples=samples, rng=rankings)
        weights = weights_of_tests(setting, resamples=resamples, rng=draws.tests())
        again = Resampler.of(one, exact_docs=exact_docs)
        estimates.append(one)
        drawn_again = again.topics(weights, exact_docs=exact_docs, samples=samples, rng=rankings)
        values.append(
            again.unsmooth(
                drawn_again, weights, exact_docs=exact_docs, samples=samples, rng=rankings
            )
        )
        centres.append(
            again.unsmooth_estimate(exact_docs=exact_docs, samples=samples, rng=rankings)
        )
    check_topics(*estimates)
    drawn = draws.topics(resamples, estimates[0].topics.size)
    return difference_of(
        estimates[0],
        estimates[1],
        values[0] - values[1],
        drawn,
        centre=centres[0] - centres[1],
        same=same_tests(first.evidence, second.evidence),
        confidence=confidence,
    )


def check_topics(one: Estimate, two: Estimate) -> None:
    """Raise `ShapeError` unless both settings have the same number of topics."""
    if one.topics.size != two.topics.size:
        raise ShapeError(
            f"the settings have {one.topics.size} and {two.topics.size} topics; "
            "expected the same topics"
        )


def difference_of(
    first: Estimate,
    second: Estimate,
    values: FloatArray,
    drawn: FloatArray,
    *,
    centre: FloatArray,
    same: bool,
    confidence: float,
) -> PdpComparison:
    """Return the comparison of two estimates, given resampled differences [resample, topic].

    `centre` contains the differences [topic] at the centre of the interval.
    """
    means = resampled_means(values, drawn)
    spread = spread_left_out(first, second)
    share = _share_of_tests(values, means)
    if share > 0:
        middle_of_means = means.mean()
        means = middle_of_means + (means - middle_of_means) * np.sqrt(1 + share * (spread - 1))
        share = share * spread / (1 + share * (spread - 1))
    differences = first.topics - second.topics
    counted = differences[~np.isnan(differences)]
    difference = float(counted.mean()) if counted.size else float("nan")
    middle = float(np.nanmean(centre)) if counted.size else difference
    low, high = interval_of(middle, means, topics=counted.size, confidence=confidence)
    return PdpComparison(
        difference=difference,
        low=low,
        high=high,
        p=_two_sided(means),
        p_topics=_paired_t(counted),
        topics=differences,
        defined=int(counted.size),
        tests_share=share,
        same_tests=same,
        resamples=means.size,
        confidence=confidence,
    )


def same_tests(one: PreferenceTests | GradeMatrix, two: PreferenceTests | GradeMatrix) -> bool:
    """Return whether two settings use the same tests; false for grade matrices without tests."""
    if isinstance(one, GradeMatrix) or isinstance(two, GradeMatrix):
        return False
    return all(
        np.array_equal(getattr(one, name), getattr(two, name))
        for name in ("topics", "left", "right")
    )


def _two_sided(means: FloatArray) -> float:
    """Return the two-sided p: twice the smaller share of differences on one side of 0."""
    if means.size == 0 or np.isnan(means).any():
        return float("nan")
    rarer = min(np.count_nonzero(means <= 0), np.count_nonzero(means >= 0))
    return float(min(1.0, 2.0 * (rarer + 1) / (means.size + 1)))


def _share_of_tests(values: FloatArray, means: FloatArray) -> float:
    """Return the share of the variance of means that is due to tests instead of drawn topics."""
    defined = values[:, ~np.isnan(values).any(axis=0)]
    spread = float(np.var(means)) if means.size else 0.0
    if not spread > 0 or not defined.size:
        return float("nan")
    return float(min(1.0, np.var(defined.mean(axis=1)) / spread))


def spread_left_out(*estimates: Estimate) -> float:
    """Return the factor by which the variance over the weights of the tests is too small.

    With n tests of a pair of grades and random weights, the share of wins has the variance p(1 −
    p)/(n + 1). The best estimate of the variance of this share is p(1 − p)/(n − 1). For the setting
    with fewer tests, n is the mean over the tested pairs of different grades, and at least 2.
    """
    fewest = np.inf
    for estimated in estimates:
        if estimated.tally is not None:
            counts = np.triu(estimated.tally.test_counts(), 1)
            if (counts > 0).any():
                fewest = min(fewest, float(counts[counts > 0].mean()))
    return 1.0 if np.isinf(fewest) else (max(fewest, 2.0) + 1) / (max(fewest, 2.0) - 1)


def _paired_t(differences: FloatArray) -> float:
    if differences.size < 2 or np.ptp(differences) == 0:
        return float("nan")
    error = differences.std(ddof=1) / np.sqrt(differences.size)
    return float(2.0 * special.stdtr(differences.size - 1, -np.abs(differences.mean() / error)))
