"""Intervals over topics for the PDP of a collection, and for the difference of two settings.

A topic is left out with its docs, grades and preference tests, so that what the tests of few topics
leave open about the grade matrix is in the interval too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.discrimination.estimate import Estimate, estimate
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.resampling import Resampler
from qrelsmith.discrimination.setting import Setting
from qrelsmith.stats.population import FEWEST_TOPICS, PopulationInterval, jackknife_interval


def pdp_interval(
    setting: Setting,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
) -> PopulationInterval:
    """The mean PDP over the topics of a setting, with its interval over topics.

    Parameters
    ----------
    setting : Setting
        Grades, preference tests and how they are read.
    rng : numpy.random.Generator
        Source of randomness of entropies that are sampled; others do not depend on it.
    confidence : float
        Between 0 and 1.
    exact_docs, samples
        As for `entropy`.

    Returns
    -------
    PopulationInterval
        None below 8 topics, and none where without some topic the PDP of another is undefined, for
        want of tests. With a given grade-level matrix, the interval takes it as known.

    Raises
    ------
    UsageError, ShapeError, UndefinedError
        As `collection_pdp`.

    Notes
    -----
    The jackknife over topics (`jackknife_interval`) of the mean of those topics that have a PDP.
    Topics that bring tests only are left out too, each in turn.
    """
    estimated = estimate(setting, exact_docs=exact_docs, samples=samples, rng=rng)
    counted = ~np.isnan(estimated.topics)
    drawn = _topics_with_tests(estimated) | counted
    seed = int(rng.integers(1 << 32))
    without = _values_without(
        estimated, np.flatnonzero(drawn), exact_docs=exact_docs, samples=samples, seed=seed
    )
    return _interval(estimated.topics, without, drawn, confidence=confidence, bounds=(0.0, np.inf))


def _topics_with_tests(found: Estimate) -> BoolArray:
    """Which topics have preference tests [topic]."""
    tested = np.zeros(found.topics.size, dtype=bool)
    if isinstance(found.setting.evidence, PreferenceTests):
        tested[found.setting.evidence.topics] = True
    return tested


def _values_without(
    estimated: Estimate, left_out: IntArray, *, exact_docs: int, samples: int, seed: int
) -> FloatArray:
    """The PDP of each topic without the tests of each of some topics, [left out, topic]."""
    if left_out.size < FEWEST_TOPICS:
        return np.full((left_out.size, estimated.topics.size), np.nan)
    again = Resampler.of(estimated, exact_docs=exact_docs)
    tests = estimated.setting.evidence
    of_test = tests.topics if isinstance(tests, PreferenceTests) else np.empty(0, dtype=np.int64)
    # Entropies that are sampled share their samples, whose scatter would count as that of topics.
    return np.concatenate(
        [
            again.topics(
                (of_test != topic)[None].astype(np.float64),
                exact_docs=exact_docs,
                samples=samples,
                rng=np.random.default_rng(seed),
            )
            for topic in left_out
        ]
    )


def _interval(
    values: FloatArray,
    without: FloatArray,
    drawn: BoolArray,
    *,
    confidence: float,
    bounds: tuple[float, float],
) -> PopulationInterval:
    """The jackknife of the mean of the values that there are."""
    counted = np.flatnonzero(~np.isnan(values))
    left_out = np.flatnonzero(drawn)
    kept = counted[None, :] != left_out[:, None]
    means = np.where(kept, without[:, counted], 0.0).sum(axis=1) / np.maximum(kept.sum(axis=1), 1)
    value = values[counted].mean() if counted.size else np.nan
    found = jackknife_interval(value, means, confidence=confidence, bounds=bounds)
    if np.isnan(means).any() and not found.reason:
        topic = int(left_out[np.isnan(means)][0])
        reason = f"no interval over topics: without the tests of topic {topic} another has no PDP"
        found = replace(found, reason=reason)
    return found
