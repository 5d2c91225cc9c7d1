"""Random draws for a bootstrap of PDP: topics, weights of preference tests, rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.resampling import resample_counts
from qrelsmith.stats.topic_draws import topic_samples


@dataclass(frozen=True, slots=True)
class Draws:
    """The source of draws; the same object gives the same draws in every call.

    Compared settings therefore share their topics, and the weights of their common tests.

    Attributes
    ----------
    topics : callable
        f(resamples, topics) → float array [resample, topic]: the number of times that each topic
        counts.
    tests : callable
        f() → a generator for the weights of preference tests.
    rankings : callable
        f() → a generator for rankings, for sampled entropies.
    """

    topics: Callable[[int, int], FloatArray]
    tests: Callable[[], np.random.Generator]
    rankings: Callable[[], np.random.Generator]

    @classmethod
    def of_topics(cls, names: Sequence[str], *, seed: int) -> Draws:
        """Return draws that depend only on the seed and the names of the topics.

        Parameters
        ----------
        names : sequence of str
            The topics, in the order of the arrays.
        """
        ordered = sorted(names)

        def topics(resamples: int, count: int) -> FloatArray:
            if count < 2 or not resamples:
                return np.ones((resamples, count))
            return topic_samples(names, seed=seed, draws=resamples)

        return cls(
            topics=topics,
            tests=lambda: rng_for(seed, "preference tests", *ordered),
            rankings=lambda: rng_for(seed, "rankings", *ordered),
        )

    @classmethod
    def of(cls, rng: np.random.Generator) -> Draws:
        """Return draws for topics without names, such as simulated topics."""
        first, second, third = (int(seed) for seed in rng.integers(1 << 62, size=3))

        def topics(resamples: int, count: int) -> FloatArray:
            drawn = resample_counts(np.random.default_rng(first), resamples, count)
            return drawn.astype(np.float64)

        return cls(
            topics=topics,
            tests=lambda: np.random.default_rng(second),
            rankings=lambda: np.random.default_rng(third),
        )
