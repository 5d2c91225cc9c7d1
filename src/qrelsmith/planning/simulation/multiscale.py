"""A collection labelled by crowds on several scales, and by experts on two scales.

The sizes are those of Han et al. 2019: 18 topics, 4,269 docs, ten workers per doc, HITs of eight
docs, and scales of 2, 4 and 101 levels. An expert with 4 levels judges 18.9% of the docs, and an
expert with 2 levels judges 90.9%. The authors' data are not public, so the behaviour of people is
assumed. The crowds are chosen so that the cuts of their 101 levels agree about as well as in the
paper.

Everything about a topic depends only on the seed and the topic's number; everything about a crowd
also depends on its scale. An additional scale therefore does not change the crowds of other scales.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation.assessors import (
    AssessorDesign,
    Assessors,
    draw_assessors,
    perceive,
)
from qrelsmith.planning.simulation.design import at_least, check_range
from qrelsmith.planning.simulation.slices import slice_grades
from qrelsmith.planning.simulation.systems import Systems, rank_docs, system_scores


@dataclass(frozen=True, slots=True)
class MultiscaleDesign:
    """The design of a simulation of labels on several scales.

    Attributes
    ----------
    topics, docs : int
        The numbers of topics and of all docs; topics have equal numbers of docs, or one more.
    scales : tuple of int
        The numbers of levels of the crowds' scales; each scale has its own crowd.
    per_doc : int
        The number of workers who label each doc on each scale.
    hit_size : int
        Docs in a HIT, all of one topic; the remaining docs form a smaller HIT.
    crowd : AssessorDesign
        The workers of one scale; no worker gets two HITs of a topic.
    leniency : float
        How much more relevant docs look to a crowd than to experts: a doc of relevance r looks like
        r^(1 − leniency). At least 0 and less than 1.
    rounding : float
        The share of workers who give multiples of ten levels on scales of more than twenty levels.
    alpha, beta : (float, float)
        The ranges of a topic's α_q and β_q; a doc's relevance is Beta(α_q, β_q).
    expert_noise : float
        Standard deviation of the relevance that an expert perceives.
    four, two : float
        The shares of the docs judged by the expert with four levels and by the expert with two
        levels. The former judged the docs that the latter had found relevant, and then other docs.
    systems : Systems
        The systems, which rank the docs of a topic.
    run_depth : int
        The number of docs that a run returns.
    """

    topics: int = 18
    docs: int = 4269
    scales: tuple[int, ...] = (2, 4, 101)
    per_doc: int = 10
    hit_size: int = 8
    crowd: AssessorDesign = field(
        default_factory=lambda: AssessorDesign(
            count=500, noise=(0.15, 0.4), bias=0.05, leaning=0.13, inattention=(0.0, 0.05)
        )
    )
    leniency: float = 0.75
    rounding: float = 0.75
    alpha: tuple[float, float] = (0.05, 0.3)
    beta: tuple[float, float] = (0.8, 2.5)
    expert_noise: float = 0.1
    four: float = 0.1886
    two: float = 0.909
    systems: Systems = field(default_factory=lambda: Systems(count=129, noise=(0.1, 0.6)))
    run_depth: int = 100

    def __post_init__(self) -> None:
        for name in ("topics", "docs", "per_doc", "hit_size", "run_depth"):
            at_least(name, getattr(self, name), 1)
        for levels in self.scales:
            at_least("scales", levels, 2)
        if len(set(self.scales)) < len(self.scales):
            raise UsageError(f"scales={self.scales!r}; expected different scales")
        check_range("alpha", self.alpha, above=0.0)
        check_range("beta", self.beta, above=0.0)
        if not 0 <= self.leniency < 1:
            raise UsageError(f"leniency={self.leniency!r}; expected at least 0 and less than 1")
        at_least("expert_noise", self.expert_noise, 0.0)
        for name in ("rounding", "four", "two"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name}={getattr(self, name)!r}; expected a share from 0 to 1")
        if self.docs < self.topics:
            raise UsageError(f"docs={self.docs}; expected one or more for each topic")
        if self.hits_of_topic(0) > self.crowd.count:
            raise UsageError(
                f"a topic has {self.hits_of_topic(0)} HITs, but there are {self.crowd.count} "
                "workers; expected a worker for each HIT"
            )

    def size(self, topic: int) -> int:
        """Return the number of docs of a topic."""
        return self.docs // self.topics + (topic < self.docs % self.topics)

    def hits_of_topic(self, topic: int) -> int:
        """Return the number of HITs of a topic on each scale."""
        return self.per_doc * -(-self.size(topic) // self.hit_size)


@dataclass(frozen=True, eq=False, slots=True)
class CrowdLabels:
    """The labels of a crowd on one scale.

    Attributes
    ----------
    levels : int
        The scale is 0 … levels − 1.
    doc, worker, hit, position : ndarray of int, [label]
        The numbers of the doc, the worker and the HIT, and the place in the HIT from 1.
    grade : ndarray, [label]
        The label.
    """

    levels: int
    doc: IntArray
    worker: IntArray
    hit: IntArray
    position: IntArray
    grade: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class MultiscaleCollection:
    """A collection on several scales, and the truth behind it.

    Attributes
    ----------
    design : MultiscaleDesign
        The design of the simulation.
    topic : ndarray of int, [doc]
        The topic of each doc, ascending.
    truth : ndarray, [doc]
        The true relevance, in [0, 1].
    crowds : tuple of CrowdLabels
        The labels on each scale, in the order of the design.
    four, two : ndarray, [doc]
        The experts' labels: levels 0 … 3, and 0 or 1; nan if not judged.
    ranked : ndarray of int, [system, topic, rank]
        The runs: numbers of docs, best first; −1 past the end of a topic's docs.
    """

    design: MultiscaleDesign
    topic: IntArray
    truth: FloatArray
    crowds: tuple[CrowdLabels, ...]
    four: FloatArray
    two: FloatArray
    ranked: IntArray


def simulate_multiscale(design: MultiscaleDesign, *, seed: int) -> MultiscaleCollection:
    """Simulate a collection with labels on several scales.

    Parameters
    ----------
    design : MultiscaleDesign
        The design of the collection.

    References
    ----------
    Han et al. 2019, On transforming relevance scales, section 3.1, for the sizes.
    """
    topic = np.repeat(np.arange(design.topics), [design.size(t) for t in range(design.topics)])
    truth = np.concatenate([_truth(design, number, seed) for number in range(design.topics)])
    four, two = _experts(design, truth, seed)
    return MultiscaleCollection(
        design=design,
        topic=topic,
        truth=truth,
        crowds=tuple(_crowd(design, topic, truth, levels, seed) for levels in design.scales),
        four=four,
        two=two,
        ranked=_runs(design, topic, truth, seed),
    )


def _truth(design: MultiscaleDesign, topic: int, seed: int) -> FloatArray:
    rng = rng_for(seed, "multiscale", topic, "truth")
    shape = rng.uniform(*design.alpha), rng.uniform(*design.beta)
    return np.asarray(rng.beta(*shape, size=design.size(topic)))


def _crowd(
    design: MultiscaleDesign, topic: IntArray, truth: FloatArray, levels: int, seed: int
) -> CrowdLabels:
    """Return the labels of all HITs of a scale, topic by topic."""
    crowd_seed = int(rng_for(seed, "multiscale", "crowd", levels).integers(2**62))
    workers = draw_assessors(design.crowd, seed=crowd_seed)
    rounds = rng_for(crowd_seed, "rounding").random(design.crowd.count) < design.rounding
    judged = np.zeros(design.crowd.count, dtype=np.int64)
    docs: list[IntArray] = []
    who: list[int] = []
    grades: list[FloatArray] = []
    for number in range(design.topics):
        rng = rng_for(crowd_seed, "hits", number)
        chosen = iter(rng.permutation(design.crowd.count).tolist())
        own = np.flatnonzero(topic == number)
        for _ in range(design.per_doc):
            order = rng.permutation(own)
            for first in range(0, own.size, design.hit_size):
                hit = order[first : first + design.hit_size]
                worker = next(chosen)
                docs.append(hit)
                who.append(worker)
                grades.append(
                    _answers(design, truth[hit], workers, worker, int(judged[worker]), levels, rng)
                )
                if rounds[worker] and levels > 20:
                    grades[-1] = np.minimum(np.round(grades[-1] / 10) * 10, levels - 1.0)
                judged[worker] += hit.size
    sizes = [hit.size for hit in docs]
    return CrowdLabels(
        levels=levels,
        doc=np.concatenate(docs),
        worker=np.repeat(np.array(who), sizes),
        hit=np.repeat(np.arange(len(docs)), sizes),
        position=np.concatenate([np.arange(1, size + 1) for size in sizes]),
        grade=np.concatenate(grades),
    )


def _answers(
    design: MultiscaleDesign,
    truth: FloatArray,
    workers: Assessors,
    worker: int,
    before: int,
    levels: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the grades of a worker in one HIT."""
    seen = truth ** (1 - design.leniency)
    perceived, _ = perceive(seen, before=before, assessors=workers, who=worker, rng=rng)
    return slice_grades(perceived, levels)


def _experts(
    design: MultiscaleDesign, truth: FloatArray, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Return the grades [doc] of the experts with four and two levels; nan for a doc not judged."""
    four_of, two_of = (rng_for(seed, "multiscale", "expert", levels) for levels in (4, 2))
    noise = design.expert_noise
    levels = slice_grades(truth + noise * four_of.standard_normal(truth.size), 4)
    # The expert with two levels calls marginally relevant docs relevant.
    relevant = slice_grades(truth + noise * two_of.standard_normal(truth.size), 4) > 0
    judged = np.zeros(truth.size, dtype=np.bool_)
    judged[two_of.permutation(truth.size)[: round(design.two * truth.size)]] = True
    order = np.lexsort((four_of.random(truth.size), ~relevant, ~judged))
    rejudged = np.zeros(truth.size, dtype=np.bool_)
    rejudged[order[: round(design.four * truth.size)]] = True
    return (
        np.where(rejudged, levels, np.nan),
        np.where(judged, relevant.astype(np.float64), np.nan),
    )


def _runs(design: MultiscaleDesign, topic: IntArray, truth: FloatArray, seed: int) -> IntArray:
    """Return the runs, [system, topic, rank]."""
    depth = min(design.run_depth, design.size(0))
    ranked = np.full((design.systems.count, design.topics, depth), -1, dtype=np.int64)
    for number in range(design.topics):
        own = np.flatnonzero(topic == number)
        rng = rng_for(seed, "multiscale", number, "runs")
        found = own[rank_docs(system_scores(truth[own], design.systems, rng=rng), depth=depth)]
        ranked[:, number, : found.shape[1]] = found
    return ranked
