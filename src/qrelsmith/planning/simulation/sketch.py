"""A campaign in outline: pools, labels and runs as arrays, without names, orders and logs.

What `campaign` draws, as far as labels and rankings hang on it, drawn by quantiles: the same seed
with slightly other parameters gives slightly other relevance, scores and labels, so that parameters
can be fitted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scipy_parts import special
from qrelsmith.planning.simulation.assessors import Assessors, perceive
from qrelsmith.planning.simulation.campaign_design import CampaignDesign
from qrelsmith.planning.simulation.slices import slice_grades
from qrelsmith.planning.simulation.systems import rank_docs, system_scores


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Pools, labels and runs.

    Attributes
    ----------
    topic : int array [unit]
        The topic of each pooled doc, ascending.
    truth : float array [unit]
        Its true relevance.
    ratings : float array [assessor, unit]
        What everybody says of it: every assessor judges every doc.
    ranked : int array [system, topic, rank]
        The runs: units, best first; −1 for a doc outside the pool.
    """

    topic: IntArray
    truth: FloatArray
    ratings: FloatArray
    ranked: IntArray


def sketch_campaign(
    design: CampaignDesign, assessors: Assessors, *, ranks: int, seed: int, even: bool = False
) -> Sketch:
    """Draw a campaign in outline.

    Parameters
    ----------
    design : CampaignDesign
        Topics, docs, systems, depth and grades; its groups are not looked at.
    assessors : Assessors
        Who judges.
    ranks : int
        How deep the runs are wanted; the depth of the pools at least.
    even : bool
        Whether α_q and β_q are spread evenly over their ranges in place of drawn, so that the
        average over topics is less noisy.
    """
    truth = _relevance(design, seed, even=even)
    scores = system_scores(truth, design.systems, rng=rng_for(seed, "sketch", "runs"))
    ranked = rank_docs(scores, depth=max(ranks, design.depth))
    topics = np.arange(design.topics)
    pooled = np.zeros(truth.shape, dtype=bool)
    pooled[topics[:, None], ranked[..., : design.depth]] = True
    unit = np.where(pooled, np.cumsum(pooled).reshape(pooled.shape) - 1, -1)
    topic = np.nonzero(pooled)[0]
    relevance = truth[pooled]
    starts = np.searchsorted(topic, np.append(topics, design.topics))
    ratings = np.empty((assessors.noise.size, topic.size))
    for who in range(assessors.noise.size):
        rng = rng_for(seed, "sketch", "judge", who)
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            perceived, _ = perceive(
                relevance[begin:end], before=begin, assessors=assessors, who=who, rng=rng
            )
            ratings[who, begin:end] = perceived
    return Sketch(
        topic=topic,
        truth=relevance,
        ratings=slice_grades(ratings, design.levels),
        ranked=unit[topics[:, None], ranked],
    )


def _relevance(design: CampaignDesign, seed: int, *, even: bool) -> FloatArray:
    """Return true relevance [topic, doc], by quantiles."""
    rng = rng_for(seed, "sketch", "truth")
    drawn = rng.random((2, design.topics))
    if even:
        # The places of the drawn numbers among each other, in the middle of as many equal parts.
        drawn = (drawn.argsort(axis=1).argsort(axis=1) + 0.5) / design.topics
    low, high = np.array([design.alpha, design.beta]).T[..., None]
    alpha, beta = low + (high - low) * drawn
    quantile = rng.random((design.topics, design.docs))
    return np.asarray(special.betaincinv(alpha[:, None], beta[:, None], quantile))
