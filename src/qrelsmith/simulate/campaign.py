"""A whole campaign that does not exist, to plan the one that will be paid for.

Topics, docs and systems are drawn, the systems' runs are pooled, assessors judge the pools in some
order, and what comes out is what a campaign's files hold, beside the truth. Numbers of topics,
depth, assessors a doc and grades can then be held against cost, agreement and the ranking of the
systems by the truth.

Everything of a topic follows from the seed and the topic's number: a campaign with more topics
begins with the same ones, and campaigns that differ in depth, assessors a doc or grades share their
topics, docs and runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from qrelsmith.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.errors import UsageError
from qrelsmith.pooling import ORDERINGS, Pool, order_docs, pool_rankings
from qrelsmith.rng import digest_key, rng_for
from qrelsmith.simulate.assessors import AssessorDesign, Assessors, draw_assessors, perceive
from qrelsmith.simulate.design import at_least, check_range, one_of
from qrelsmith.simulate.judging_time import JudgingTime, judging_seconds
from qrelsmith.simulate.slices import slice_grades
from qrelsmith.simulate.systems import Systems, rank_docs, system_scores


@dataclass(frozen=True, slots=True)
class CampaignDesign:
    """What is planned.

    Attributes
    ----------
    topics : int
        The number of topics.
    docs : int
        How many docs of a topic any system can find.
    alpha, beta : (float, float)
        The ranges of a topic's α_q and β_q; a doc's relevance is Beta(α_q, β_q). The defaults make
        most docs worthless, about 1 in 40 relevant to half or more.
    systems : Systems
        The systems.
    run_depth : int
        How many docs a run returns.
    depth : int
        The depth of the pools.
    ordering : str
        One of `ORDERINGS`; a randomised one is drawn for each assessor.
    assessors : AssessorDesign
        The assessors.
    per_doc : int
        How many of them judge each doc; one topic stays with the same ones.
    levels : int
        G, the number of grades; they are equal slices of relevance.
    time : JudgingTime
        How long it takes.
    """

    topics: int = 50
    docs: int = 500
    alpha: tuple[float, float] = (0.1, 0.5)
    beta: tuple[float, float] = (2.0, 5.0)
    systems: Systems = field(default_factory=Systems)
    run_depth: int = 100
    depth: int = 20
    ordering: str = "randomised"
    assessors: AssessorDesign = field(default_factory=AssessorDesign)
    per_doc: int = 2
    levels: int = 4
    time: JudgingTime = field(default_factory=JudgingTime)

    def __post_init__(self) -> None:
        for name in ("topics", "docs", "run_depth", "depth", "per_doc", "levels"):
            at_least(name, getattr(self, name), 1)
        check_range("alpha", self.alpha, above=0.0)
        check_range("beta", self.beta, above=0.0)
        one_of("ordering", self.ordering, ORDERINGS.names())
        if self.per_doc > self.assessors.count:
            raise UsageError(
                f"per_doc={self.per_doc}: there are only {self.assessors.count} assessors"
            )
        if self.depth > self.run_depth:
            raise UsageError(f"depth={self.depth}: the runs return only {self.run_depth} docs")


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedCampaign:
    """A campaign, and the truth behind it.

    Attributes
    ----------
    design : CampaignDesign
        What was planned.
    truth : ndarray, [topic, doc]
        The true relevance, in [0, 1].
    ranked : ndarray of int, [system, topic, rank]
        The runs: numbers of docs, best first.
    assessors : Assessors
        Those who judged.
    topic, doc, assessor : ndarray of int, [judgment]
        Who judged what; by topic, then assessor, then position.
    position : ndarray of int, [judgment]
        The place in what was shown to the assessor, from 1.
    grade, seconds : ndarray, [judgment]
        The answer, 0 … G − 1, and how long it took.
    inattentive : ndarray of bool, [judgment]
        Whether it was given without looking.
    """

    design: CampaignDesign
    truth: FloatArray
    ranked: IntArray
    assessors: Assessors
    topic: IntArray
    doc: IntArray
    assessor: IntArray
    position: IntArray
    grade: FloatArray
    seconds: FloatArray
    inattentive: BoolArray

    @property
    def hours(self) -> float:
        """How long all judgments together take."""
        return float(self.seconds.sum()) / 3600

    def units(self) -> tuple[IntArray, IntArray]:
        """Topic and doc of each judged pair, both [unit], in the order of `ratings`."""
        topic, doc = np.divmod(np.unique(self._pairs()), self.truth.shape[1])
        return topic, doc

    def ratings(self) -> FloatArray:
        """The grades as agreement and aggregation take them, [assessor, unit]; nan: not judged."""
        pairs, unit = np.unique(self._pairs(), return_inverse=True)
        ratings = np.full((self.design.assessors.count, pairs.size), np.nan)
        ratings[self.assessor, unit] = self.grade
        return ratings

    def qrels(self, grades: FloatArray) -> FloatArray:
        """One grade a unit laid out over all docs, [topic, doc]; nan: unjudged."""
        topic, doc = self.units()
        table = np.full(self.truth.shape, np.nan)
        table[topic, doc] = grades
        return table

    def true_grades(self) -> FloatArray:
        """The grades that the truth has on the campaign's scale, [topic, doc]."""
        return slice_grades(self.truth, self.design.levels)

    def _pairs(self) -> IntArray:
        return np.asarray(self.topic * self.truth.shape[1] + self.doc)


def simulate_campaign(design: CampaignDesign, *, seed: int) -> SimulatedCampaign:
    """Draw a campaign.

    Parameters
    ----------
    design : CampaignDesign
        What is planned.
    seed : int
        The seed.

    Returns
    -------
    SimulatedCampaign
    """
    assessors = draw_assessors(design.assessors, seed=seed)
    truth = np.empty((design.topics, design.docs))
    rank = min(design.run_depth, design.docs)
    ranked = np.empty((design.systems.count, design.topics, rank), dtype=np.int64)
    load = np.zeros(design.assessors.count, dtype=np.int64)
    judged = np.zeros(design.assessors.count, dtype=np.int64)
    parts: list[_Part] = []
    for topic in range(design.topics):
        truth[topic], ranked[:, topic] = _topic(design, topic, seed)
        names = [[f"{doc:09d}" for doc in run] for run in ranked[:, topic].tolist()]
        pool = pool_rankings(names, depth=design.depth)
        for who in _chosen(load, design.per_doc, topic, seed):
            parts.append(
                _judge(design, truth[topic], pool, assessors, topic, who, int(judged[who]), seed)
            )
            load[who] += 1
            judged[who] += len(pool)
    sizes = [part.doc.size for part in parts]
    return SimulatedCampaign(
        design=design,
        truth=truth,
        ranked=ranked,
        assessors=assessors,
        topic=np.repeat([part.topic for part in parts], sizes),
        doc=np.concatenate([part.doc for part in parts]),
        assessor=np.repeat([part.assessor for part in parts], sizes),
        position=np.concatenate([np.arange(1, size + 1) for size in sizes]),
        grade=np.concatenate([part.grade for part in parts]),
        seconds=np.concatenate([part.seconds for part in parts]),
        inattentive=np.concatenate([part.inattentive for part in parts]),
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Part:
    """What one assessor does on one topic; arrays by position."""

    topic: int
    assessor: int
    doc: IntArray
    grade: FloatArray
    seconds: FloatArray
    inattentive: BoolArray


def _topic(design: CampaignDesign, topic: int, seed: int) -> tuple[FloatArray, IntArray]:
    """True relevance [doc] and runs [system, rank] of one topic."""
    rng = rng_for(seed, "campaign", topic, "truth")
    truth = rng.beta(rng.uniform(*design.alpha), rng.uniform(*design.beta), size=design.docs)
    scores = system_scores(truth, design.systems, rng=rng_for(seed, "campaign", topic, "runs"))
    return truth, rank_docs(scores, depth=design.run_depth)


def _chosen(load: IntArray, count: int, topic: int, seed: int) -> list[int]:
    """The assessors of a topic: those with the fewest topics so far, at random among equals."""
    order = sorted(
        range(load.size),
        key=lambda who: (int(load[who]), digest_key(seed, "campaign", topic, "assign", who)),
    )
    return sorted(order[:count])


def _judge(
    design: CampaignDesign,
    truth: FloatArray,
    pool: Pool,
    assessors: Assessors,
    topic: int,
    who: int,
    before: int,
    seed: int,
) -> _Part:
    own = int.from_bytes(digest_key(seed, "campaign", topic, "order", who)[:4], "big")
    docs = np.array(order_docs(pool, design.ordering, topic=str(topic), seed=own), dtype=np.int64)
    rng = rng_for(seed, "campaign", topic, "judge", who)
    perceived, inattentive = perceive(
        truth[docs], before=before, assessors=assessors, who=who, rng=rng
    )
    return _Part(
        topic=topic,
        assessor=who,
        doc=docs,
        grade=slice_grades(perceived, design.levels),
        seconds=judging_seconds(inattentive, time=design.time, levels=design.levels, rng=rng),
        inattentive=inattentive,
    )
