"""A campaign in outline: pools, labels and runs as arrays, without names, orders and logs.

A sketch has the parts of `campaign` on which labels and rankings depend. A sketch is drawn by
quantiles: with the same seed, slightly different parameters give slightly different relevance,
scores and labels. Parameters can therefore be fitted.
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
        The true relevance of each pooled doc.
    ratings : float array [assessor, unit]
        The grades; every assessor judges every doc.
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
        Topics, docs, systems, depth and grades; the groups are ignored.
    assessors : Assessors
        The assessors.
    ranks : int
        The depth of the runs, at least the depth of the pools.
    even : bool
        Whether α_q and β_q are spread evenly over their ranges instead of drawn, so that the
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
    """Draw true relevance by quantiles [topic, doc]."""
    rng = rng_for(seed, "sketch", "truth")
    drawn = rng.random((2, design.topics))
    if even:
        # The ranks of the drawn numbers, as the midpoints of equal slices of [0, 1].
        drawn = (drawn.argsort(axis=1).argsort(axis=1) + 0.5) / design.topics
    low, high = np.array([design.alpha, design.beta]).T[..., None]
    alpha, beta = low + (high - low) * drawn
    quantile = rng.random((design.topics, design.docs))
    return np.asarray(special.betaincinv(alpha[:, None], beta[:, None], quantile))
