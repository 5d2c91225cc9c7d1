"""Synthetic annotations as in Chu et al. 2021, section 4.1, one batch of topics at a time.

Each batch has its own seeds, which depend only on its number and on the quantity drawn. Any batch
can therefore be drawn alone, in any order, in any process. The random numbers do not depend on the
number of grades, because the perceived relevance is sliced afterwards. Another interpretation of ε1
changes only ε1, and additional assessors do not change the first assessors. Settings are therefore
compared on common random numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation.design import Design
from qrelsmith.planning.simulation.slices import slice_grades


@dataclass(frozen=True, eq=False, slots=True)
class SyntheticBatch:
    """Topics with the same assessors.

    Attributes
    ----------
    number : int
        The number of the batch, from 0.
    topics : range
        The numbers of its topics.
    sigma : float
        σ, the error of its assessors; nan for random annotation.
    truth : ndarray, [topic, doc]
        The true relevance, in [0, 1].
    perceived : ndarray, [assessor, topic, doc]
        What each assessor perceives, not clipped to [0, 1].
    """

    number: int
    topics: range
    sigma: float
    truth: FloatArray
    perceived: FloatArray

    def grades(self, levels: int) -> FloatArray:
        """Return the assessors' grades on a scale of 0 … levels − 1, [assessor, topic, doc]."""
        return slice_grades(self.perceived, levels)

    def ratings(self, levels: int) -> FloatArray:
        """Return the grades for agreement and aggregation, [assessor, unit], topic by topic."""
        return self.grades(levels).reshape(self.perceived.shape[0], -1)


def simulate_batch(design: Design, number: int, *, seed: int) -> SyntheticBatch:
    """Simulate one batch of topics.

    r ~ Beta(α_q, β_q); perceived = r + σ ε1 + σ e^w ε2, or U(0, 1) for random annotation.

    Parameters
    ----------
    design : Design
        The parameters.
    number : int
        The batch, from 0 to design.batches − 1.
    seed : int
        The seed of the whole design.

    Raises
    ------
    UsageError
        If there is no such batch.

    References
    ----------
    Chu et al. 2021, Evaluating relevance judgments with pairwise discriminative power,
    section 4.1, Eq. 15.
    """
    topics = design.topics_of(number)
    truth = _truth(design, topics, number, seed)
    shape = (design.assessors, *truth.shape)
    if design.judging == "random":
        perceived = rng_for(seed, "simulate", number, "random").random(shape)
        return SyntheticBatch(number, topics, np.nan, truth, perceived)
    sigma = _sigma(design, number, seed)
    first = rng_for(seed, "simulate", number, "bias", design.bias)
    width = {"assessor": (1, 1), "assessor-topic": (len(topics), 1), "annotation": truth.shape}
    shift = first.standard_normal((design.assessors, *width[design.bias]))
    own = rng_for(seed, "simulate", number, "noise").standard_normal(shape)
    w = rng_for(seed, "simulate", number, "w").uniform(*design.w, size=shape)
    return SyntheticBatch(number, topics, sigma, truth, truth + sigma * (shift + np.exp(w) * own))


def batches(design: Design, *, seed: int) -> Iterator[SyntheticBatch]:
    """Yield all batches in order; only one batch is in memory at a time."""
    return (simulate_batch(design, number, seed=seed) for number in range(design.batches))


def batch_sigmas(design: Design, *, seed: int) -> FloatArray:
    """Return σ of every batch, [batch], without simulating the batches."""
    return np.array([_sigma(design, number, seed) for number in range(design.batches)])


def nearest_batches(
    design: Design, sigmas: tuple[float, ...] = (0.05, 0.15, 0.25), *, seed: int
) -> IntArray:
    """Return, for each of the given values, the number of the batch with the nearest σ, [σ].

    Figure 6 of the paper uses the batches nearest to 0.05, 0.15 and 0.25 for high, medium and low
    quality. If two batches are equally near, the first batch is returned. One batch may be
    nearest to several values.
    """
    wanted = float_array(sigmas, name="sigmas", ndim=1)
    distance = np.abs(batch_sigmas(design, seed=seed) - wanted[:, None])
    return np.asarray(distance.argmin(axis=1), dtype=np.int64)


def _sigma(design: Design, number: int, seed: int) -> float:
    return float(rng_for(seed, "simulate", number, "sigma").uniform(*design.sigma))


def _truth(design: Design, topics: range, number: int, seed: int) -> FloatArray:
    """Return the true relevance, [topic, doc]."""
    rng = rng_for(seed, "simulate", number, "truth")
    alpha, beta = rng.uniform(*design.shape, size=(2, len(topics), 1))
    return np.asarray(rng.beta(alpha, beta, size=(len(topics), design.docs)))
