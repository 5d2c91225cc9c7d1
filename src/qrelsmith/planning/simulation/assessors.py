"""Assessors with noise, bias, drift, position effects and inattention.

The assessors of Chu et al. 2021 have only noise and, as we read the paper, bias. The other effects
and all sizes are assumptions for planning, not findings. Set the sizes from a pilot study.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation.design import at_least, check_count, check_range


@dataclass(frozen=True, slots=True)
class AssessorDesign:
    """The spread of the assessors of a campaign; relevance is on [0, 1].

    Attributes
    ----------
    count : int
        The number of assessors.
    noise : (float, float)
        The range of an assessor's standard deviation on one doc, uniform.
    bias : float
        Standard deviation over assessors of the bias that each adds to every doc.
    leaning : float
        The bias that all assessors add to every doc; above 0, the group is liberal.
    topic_bias : float
        Standard deviation over topics of the bias that an assessor adds to the docs of one topic.
    topic_noise : float
        Standard deviation over topics of the logarithm of the factor of an assessor's noise.
    drift : float
        Standard deviation over assessors of the change in bias per 100 judgments.
    opening : float
        The bias on the first doc of a topic, which the assessor does not know yet.
    settling : float
        The number of docs of the topic after which the opening effect has fallen to 1/e.
    contrast : float
        The share of the difference from the mean of the topic's earlier docs that is added. Above
        0, a doc after good docs looks worse; below 0, it looks more like the good docs.
    inattention : (float, float)
        The range of an assessor's probability of answering without reading, uniform; the relevance
        of such an answer is uniform on [0, 1].
    """

    count: int = 10
    noise: tuple[float, float] = (0.05, 0.2)
    bias: float = 0.05
    leaning: float = 0.0
    topic_bias: float = 0.0
    topic_noise: float = 0.0
    drift: float = 0.0
    opening: float = 0.0
    settling: float = 5.0
    contrast: float = 0.0
    inattention: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        check_count("count", self.count)
        check_range("noise", self.noise, least=0.0)
        for name in ("bias", "drift", "topic_bias", "topic_noise"):
            at_least(name, getattr(self, name), 0.0)
        for name in ("leaning", "opening", "contrast"):
            at_least(name, getattr(self, name), -np.finfo(np.float64).max)
        at_least("settling", self.settling, 1e-9)
        check_range("inattention", self.inattention, least=0.0)
        if self.inattention[1] > 1:
            raise UsageError(f"inattention={self.inattention!r}; expected probabilities")


@dataclass(frozen=True, eq=False, slots=True)
class Assessors:
    """The assessors of a campaign.

    Attributes
    ----------
    design : AssessorDesign
        The design, with the effects that are the same for all assessors.
    noise, bias, drift, inattention : ndarray, [assessor]
        Standard deviation on one doc; bias on every doc, and its change per 100 judgments;
        probability of answering without reading.
    """

    design: AssessorDesign
    noise: FloatArray
    bias: FloatArray
    drift: FloatArray
    inattention: FloatArray


def draw_assessors(design: AssessorDesign, *, seed: int) -> Assessors:
    """Draw the assessors of a campaign; additional assessors do not change the first assessors."""
    rngs = [rng_for(seed, "assessor", number) for number in range(design.count)]
    drawn = np.array([[*rng.random(2), *rng.standard_normal(2)] for rng in rngs])
    low, high = design.noise
    least, most = design.inattention
    return Assessors(
        design=design,
        noise=low + (high - low) * drawn[:, 0],
        inattention=least + (most - least) * drawn[:, 1],
        bias=design.leaning + design.bias * drawn[:, 2],
        drift=design.drift * drawn[:, 3],
    )


def on_topic(assessors: Assessors, *, rng: np.random.Generator) -> Assessors:
    """Return the assessors on one topic: bias and noise include the effect of the topic."""
    design = assessors.design
    shift, width = rng.standard_normal((2, assessors.noise.size))
    return replace(
        assessors,
        bias=assessors.bias + design.topic_bias * shift,
        noise=assessors.noise * np.exp(design.topic_noise * width),
    )


def perceive(
    truth: ArrayLike, *, before: int, assessors: Assessors, who: int, rng: np.random.Generator
) -> tuple[FloatArray, BoolArray]:
    """Return one assessor's perceived relevance of each doc of a topic, in the order shown.

    perceived_i = r_i + b + d·(n + i)/100 + o·e^(−i/τ) + c·(r_i − mean_{j<i} r_j) + s·ε_i for i = 0,
    1, …. With the probability of inattention, the perceived relevance is U(0, 1) instead.

    Parameters
    ----------
    truth : array_like, [position]
        r, the true relevance of the docs in the order shown.
    before : int
        n, the number of docs that the assessor judged before this topic.
    assessors : Assessors
        s (noise), b (bias), d (drift), inattention; o (opening), τ (settling), c (contrast).
    who : int
        The number of the assessor.
    rng : Generator
        The random numbers.

    Returns
    -------
    perceived : ndarray, [position]
        Not clipped to [0, 1].
    inattentive : ndarray of bool, [position]
        Whether the assessor answered without reading.
    """
    relevance = float_array(truth, name="truth", ndim=1)
    at_least("before", before, 0)
    design = assessors.design
    if not 0 <= who < assessors.noise.size:
        raise ShapeError(f"the assessor is {who}; expected 0 to {assessors.noise.size - 1}")
    place = np.arange(relevance.size)
    seen = np.cumsum(relevance) - relevance
    usual = np.where(place > 0, seen / np.maximum(place, 1), relevance)
    noise = rng.standard_normal(relevance.size)
    guess = rng.random(relevance.size)
    inattentive = rng.random(relevance.size) < assessors.inattention[who]
    perceived = (
        relevance
        + assessors.bias[who]
        + assessors.drift[who] * (before + place) / 100
        + design.opening * np.exp(-place / design.settling)
        + design.contrast * (relevance - usual)
        + assessors.noise[who] * noise
    )
    return np.where(inattentive, guess, perceived), inattentive
