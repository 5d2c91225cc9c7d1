"""Discriminative power: share of system pairs that a measure or qrels can distinguish."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.stats.pairwise import PairwiseResult


@dataclass(frozen=True, slots=True)
class DiscriminativePower:
    """Discriminative power by a paired test of all pairs of systems.

    Attributes
    ----------
    test : str
        The test's name.
    alpha : float
        The level.
    pairs, significant : int
        The number of pairs of systems, and the number of pairs with p < alpha.
    power : float
        significant / pairs; nan without pairs.
    delta : float
        The required Δ (Sakai 2006): the largest difference that any pair needs to be significant.
        nan if there are no pairs.
    smallest : float
        The smallest significant absolute difference; nan if no difference is significant.
    trials : int or None
        Number of random trials; None for a test without trials.
    """

    test: str
    alpha: float
    pairs: int
    significant: int
    power: float
    delta: float
    smallest: float
    trials: int | None = None


def discriminative_power(result: PairwiseResult) -> DiscriminativePower:
    """Return the share of significantly different pairs, and the required size of a difference.

    Parameters
    ----------
    result : PairwiseResult
        Any paired test; its alpha is the level.

    Returns
    -------
    DiscriminativePower
        Contains two required differences: above `delta`, every pair of these systems would be
        significant; `smallest` is the smallest difference that was significant.

    Notes
    -----
    Sakai 2006, "Evaluating evaluation metrics based on the bootstrap", estimates the difference per
    pair from its bootstrap samples and takes the maximum over pairs. The same is done here for
    every test with the difference at which the pair's own test reaches alpha; in both Tukey tests
    that is one value for all pairs.
    """
    significant = result.significant
    pairs, count = len(result.p), int(np.count_nonzero(significant))
    return DiscriminativePower(
        test=result.test,
        alpha=result.alpha,
        pairs=pairs,
        significant=count,
        power=count / pairs if pairs else float("nan"),
        delta=float(result.critical.max()) if pairs else float("nan"),
        smallest=float(np.abs(result.difference[significant]).min()) if count else float("nan"),
        trials=result.trials,
    )
