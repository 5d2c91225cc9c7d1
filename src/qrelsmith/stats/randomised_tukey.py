"""Randomised Tukey HSD, based on the range of system means if systems are exchangeable."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.effects import residual_variance_two_way, standardise
from qrelsmith.stats.inputs import positive_count
from qrelsmith.stats.pairwise import (
    PairedScores,
    PairwiseResult,
    critical_count,
    paired_scores,
    randomness_of,
)
from qrelsmith.stats.registries import TESTS

_TRIALS = 500  # even; drawn together; part of what a seed means, so it is no option


def randomised_tukey_stack(
    scores: ArrayLike,
    *,
    rng: np.random.Generator,
    trials: int = 10_000,
    alpha: float = 0.05,
    add_one: bool = False,
) -> list[PairwiseResult]:
    """Randomised Tukey HSD of several matrices on the same topics, with the same permutations.

    Each result equals the result of `randomised_tukey` for the matrix alone, with a generator in
    the same state. The permutations, which take most of the time, are drawn only once.

    Parameters
    ----------
    scores : array_like, shape (matrices, topics, systems)
        One score per topic and system under each label set or measure.
    rng, trials, alpha, add_one
        As in `randomised_tukey`.

    Returns
    -------
    list of PairwiseResult
        One for each matrix.

    Raises
    ------
    ShapeError, UndefinedError, UsageError
        As in `randomised_tukey`.
    """
    data = [paired_scores(matrix, alpha=alpha) for matrix in np.asarray(scores)]
    count = positive_count(trials, name="trials")
    seeded = randomness_of(rng)
    ranges = [np.empty(0)] * len(data)
    if data and len(data[0].means) > 1:
        ranges = list(permuted_ranges(np.stack([one.scores for one in data]), count, rng))
    return [
        _result(one, np.sort(of), count, alpha=alpha, add_one=add_one, seeded=seeded)
        for one, of in zip(data, ranges, strict=True)
    ]


@TESTS.add(
    "randomised-tukey",
    formula="p = #(range of permuted means ≥ |d|) / B",
    source="Carterette 2012, Sakai 2018, Ch. 4",
    aliases=("randomized-tukey",),
    draws=("permutations",),
    stack=randomised_tukey_stack,
    familywise=True,
    scatter="rows",
)
def randomised_tukey(
    scores: ArrayLike,
    *,
    rng: np.random.Generator,
    trials: int = 10_000,
    alpha: float = 0.05,
    add_one: bool = False,
) -> PairwiseResult:
    """Randomised Tukey HSD: significance of all pairs at once, without assuming a distribution.

    Parameters
    ----------
    alpha : float
        The familywise level of the result's `critical`.
    add_one : bool
        Count the observed data as one more trial: (count + 1)/(B + 1), never 0.

    Returns
    -------
    PairwiseResult
        p accounts for all pairs and is a multiple of 1/B. The effect size is ES_E2. Systems with
        tied means have p = 1. Without two systems there are no pairs.

    Notes
    -----
    In each trial every topic's row of scores is permuted at random; p_ij is the share of trials in
    which the largest minus the smallest column mean is at least |d_ij| − 1e-12·max|score|
    (Carterette 2012, "Multiple testing in statistical analysis of systems-based information
    retrieval experiments"; Sakai 2018). The null hypothesis is that all systems are equal, so the
    permuted rows hold the differences between systems too, and the test is more careful than
    `paired_tukey` where they are large.
    """
    (result,) = randomised_tukey_stack(
        np.asarray(scores)[None], rng=rng, trials=trials, alpha=alpha, add_one=add_one
    )
    return result


def _result(
    data: PairedScores,
    ranges: FloatArray,
    count: int,
    *,
    alpha: float,
    add_one: bool,
    seeded: str | None,
) -> PairwiseResult:
    """Return the result of the test from ascending ranges of permuted means."""
    variance = residual_variance_two_way(data.scores)
    p = critical = np.empty(0)
    if len(ranges):
        # With data.difference 0 for a tie, every range counts and p is 1.
        least = np.abs(data.difference) - data.tolerance
        extreme = count - np.searchsorted(ranges, least, side="left")
        p = (extreme + 1) / (count + 1) if add_one else extreme / count
        last = critical_count(alpha, count + 1) - 1 if add_one else critical_count(alpha, count)
        critical = np.full(len(p), ranges[count - last] if last else np.inf)
    return PairwiseResult(
        test="randomised-tukey",
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
        trials=count,
        randomness=seeded,
        options=MappingProxyType({"add_one": bool(add_one)}),
        residual_variance=variance,
    )


def permuted_ranges(scores: FloatArray, trials: int, rng: np.random.Generator) -> FloatArray:
    """Return the largest minus the smallest column mean after permuting every row [trial].

    Parameters
    ----------
    scores : float array, shape (..., topics, systems)
        Two systems or more. Matrices of a stack share their permutations.
    trials : int
        The number of trials. A longer series starts with the trials of a shorter series.
    rng : Generator
        The source of the permutations.

    Notes
    -----
    A row is permuted by sorting random keys whose low bits name the scores: one sort of integers,
    which numpy vectorises, instead of a shuffle. Where two keys agree in all their random bits, the
    low bits decide; since those name the scores in an order that is itself random, every
    permutation stays equally likely.
    """
    topics, systems = scores.shape[-2:]
    stack = scores.reshape(-1, topics, systems)
    mask = np.uint32((1 << (systems - 1).bit_length()) - 1)
    names = np.arange(systems, dtype=np.uint32)
    shape = (_TRIALS, systems)
    places, drawn = np.empty(shape, np.intp), np.empty(shape)
    sums = np.empty((len(stack), *shape))
    ranges = np.empty((len(stack), -(-trials // _TRIALS) * _TRIALS))
    for start in range(0, trials, _TRIALS):
        sums[:] = 0.0
        order = rng.permuted(np.tile(np.arange(systems), (topics, 1)), axis=1)
        for topic in range(topics):
            bits = rng.integers(0, 1 << 64, size=_TRIALS * systems // 2, dtype=np.uint64)
            keys = bits.view(np.uint32).reshape(shape)
            keys &= ~mask
            keys |= names
            keys.sort(axis=-1)
            np.bitwise_and(keys, mask, out=places, casting="unsafe")
            for place, row in enumerate(stack[:, topic, order[topic]]):
                sums[place] += row.take(places, mode="clip", out=drawn)
        ranges[:, start : start + _TRIALS] = sums.max(axis=-1) - sums.min(axis=-1)
    return np.asarray(ranges[:, :trials] / topics).reshape(*scores.shape[:-2], trials)
