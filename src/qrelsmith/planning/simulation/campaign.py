"""A whole simulated campaign, for planning a real campaign.

Topics, docs and systems are drawn, and the systems' runs are pooled. The topics are assigned to
assessors, who judge the pooled docs in the order shown. The result has the content of a campaign's
files, and the truth. A simulation shows how the pool depth and the numbers of topics, grades and
assessors per doc affect cost, agreement and the ranking of systems.

Everything about a topic depends only on the seed and the topic's number. A campaign with more
topics therefore begins with the same topics. Campaigns that differ in depth, assessors per doc or
grades share their topics, docs and runs. Pools, orders and assignments are created as by `pool` and
`assign`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.assigning.assignment import Assignment, assign_to_creators, assign_topics
from qrelsmith.assigning.dealing import deal
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.rng import digest_key, rng_for
from qrelsmith.collection.pools import Pool, order_docs, pool_rankings
from qrelsmith.planning.simulation.assessors import Assessors, draw_assessors, on_topic, perceive
from qrelsmith.planning.simulation.campaign_design import CampaignDesign, GroupDesign
from qrelsmith.planning.simulation.events import Events, join_events
from qrelsmith.planning.simulation.habits import session_log
from qrelsmith.planning.simulation.judging_time import JudgingTime, judging_seconds
from qrelsmith.planning.simulation.slices import slice_grades
from qrelsmith.planning.simulation.systems import rank_docs, system_scores


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedCampaign:
    """A campaign, and the truth behind it.

    Attributes
    ----------
    design : CampaignDesign
        The design of the campaign.
    seed : int
        The seed of the simulation.
    topics : tuple of str [topic]
        The names of the topics.
    creators : tuple of str [topic]
        The creator of each topic; empty if no group creates topics.
    truth : ndarray, [topic, doc]
        The true relevance, in [0, 1].
    ranked : ndarray of int, [system, topic, rank]
        The runs: numbers of docs, best first.
    pools : tuple of Pool [topic]
        The pools, with the names of their docs.
    found : tuple of tuple of int [topic]
        The docs that the creator of each topic found.
    assessors : tuple of str [assessor]
        The names of the assessors, group by group.
    assignments : tuple of Assignment
        The assessor, topic and order of each assignment, sorted.
    events : Events
        The log.
    """

    design: CampaignDesign
    seed: int
    topics: tuple[str, ...]
    creators: tuple[str, ...]
    truth: FloatArray
    ranked: IntArray
    pools: tuple[Pool, ...]
    found: tuple[tuple[int, ...], ...]
    assessors: tuple[str, ...]
    assignments: tuple[Assignment, ...]
    events: Events

    @property
    def hours(self) -> float:
        """The total hours of work, without breaks, because breaks are not paid."""
        return float(self.events.active.sum()) / 3600

    def units(self) -> tuple[IntArray, IntArray]:
        """Return the topic and doc of each judged pair, both [unit], in the order of `ratings`."""
        topic, doc = np.divmod(np.unique(self._pairs()), self.truth.shape[1])
        return topic, doc

    def ratings(self) -> FloatArray:
        """Return the current grades for agreement, [assessor, unit]; nan if not judged."""
        pairs, unit = np.unique(self._pairs(), return_inverse=True)
        ratings = np.full((len(self.assessors), pairs.size), np.nan)
        # The last of several answers counts.
        order = np.argsort(self.events.revision, kind="stable")
        ratings[self.events.assessor[order], unit[order]] = self.events.grade[order]
        return ratings

    def qrels(self, grades: FloatArray) -> FloatArray:
        """Return one grade per unit as an array over all docs, [topic, doc]; nan if unjudged."""
        topic, doc = self.units()
        table = np.full(self.truth.shape, np.nan)
        table[topic, doc] = grades
        return table

    def true_grades(self) -> FloatArray:
        """Return the true grades on the campaign's scale, [topic, doc]."""
        return slice_grades(self.truth, self.design.levels)

    def docno(self, topic: int, doc: int) -> str:
        """Return the name of a doc."""
        return _docno(self.topics[topic], doc)

    def _pairs(self) -> IntArray:
        return np.asarray(self.events.topic * self.truth.shape[1] + self.events.doc)


def simulate_campaign(design: CampaignDesign, *, seed: int) -> SimulatedCampaign:
    """Simulate a campaign.

    Parameters
    ----------
    design : CampaignDesign
        The design of the campaign.
    """
    topics = tuple(f"t{number:04d}" for number in range(1, design.topics + 1))
    creators = _creators(design, topics, seed)
    truth = np.empty((design.topics, design.docs))
    rank = min(design.run_depth, design.docs)
    ranked = np.empty((design.systems.count, design.topics, rank), dtype=np.int64)
    pools, found_docs = [], []
    for number, topic in enumerate(topics):
        truth[number], ranked[:, number] = _topic(design, number, seed)
        found_docs.append(_draw_found_docs(design, truth[number], number, seed))
        tops = ranked[:, number, : design.depth].tolist()
        rankings = [[_docno(topic, doc) for doc in run] for run in tops]
        names = [_docno(topic, doc) for doc in found_docs[-1]]
        pools.append(pool_rankings(rankings, depth=design.depth, found=names))
    assignments, events = _judge(design, topics, creators, truth, pools, seed)
    return SimulatedCampaign(
        design=design,
        seed=seed,
        topics=topics,
        creators=tuple(creators[topic] for topic in topics),
        truth=truth,
        ranked=ranked,
        pools=tuple(pools),
        found=tuple(found_docs),
        assessors=tuple(who for group in design.groups for who in group.members()),
        assignments=tuple(sorted(assignments)),
        events=events,
    )


def group_assessors(group: GroupDesign, *, seed: int) -> Assessors:
    """Draw the assessors of a group, given the campaign's seed."""
    own = int.from_bytes(digest_key(seed, "campaign", "group", group.name)[:8], "big")
    return draw_assessors(group.assessors, seed=own)


def assessors_on_topic(assessors: Assessors, seed: int, *keys: str) -> Assessors:
    """Return assessors with the effects of one topic; `keys` are group, topic and assessor."""
    return on_topic(assessors, rng=rng_for(seed, "campaign", "on topic", *keys))


def _topic_pace(time: JudgingTime, seed: int, *keys: str) -> float:
    """Draw the factor by which all times in a session are multiplied."""
    rng = rng_for(seed, "campaign", "pace", *keys)
    return float(np.exp(time.topic_spread * rng.standard_normal()))


def _docno(topic: str, doc: int) -> str:
    """Return a doc's name; names sort in the order of the docs' numbers."""
    return f"{topic}-d{doc:06d}"


def _creators(design: CampaignDesign, topics: tuple[str, ...], seed: int) -> dict[str, str]:
    """Return the creator of each topic, empty if no group creates topics."""
    everyone = [who for group in design.groups if group.creators for who in group.members()]
    if not everyone:
        return dict.fromkeys(topics, "")
    dealt = deal(topics, everyone, each=1, seed=seed, keys=("campaign", "creators"))
    return {topic: who for topic, (who,) in zip(topics, dealt, strict=True)}


def _topic(design: CampaignDesign, number: int, seed: int) -> tuple[FloatArray, IntArray]:
    """Draw the true relevance [doc] and the runs [system, rank] of one topic."""
    rng = rng_for(seed, "campaign", number, "truth")
    truth = rng.beta(rng.uniform(*design.alpha), rng.uniform(*design.beta), size=design.docs)
    scores = system_scores(truth, design.systems, rng=rng_for(seed, "campaign", number, "runs"))
    return truth, rank_docs(scores, depth=design.run_depth)


def _draw_found_docs(
    design: CampaignDesign, truth: FloatArray, number: int, seed: int
) -> tuple[int, ...]:
    """Draw docs that a creator finds, from the docs above the lowest grade."""
    relevant = np.flatnonzero(slice_grades(truth, design.levels) > 0)
    mixed = rng_for(seed, "campaign", number, "found").permutation(relevant)
    return tuple(sorted(mixed[: design.found].tolist()))


def _judge(
    design: CampaignDesign,
    topics: tuple[str, ...],
    creators: Mapping[str, str],
    truth: FloatArray,
    pools: list[Pool],
    seed: int,
) -> tuple[list[Assignment], Events]:
    """Return the assignments and judgments of every group."""
    place = {topic: number for number, topic in enumerate(topics)}
    assignments: list[Assignment] = []
    sessions: list[Events] = []
    first = 0
    for group in design.groups:
        assessors = group_assessors(group, seed=seed)
        number = {name: who for who, name in enumerate(group.members())}
        before = dict.fromkeys(group.members(), 0)
        for work in sorted(_assign(group, topics, creators, seed)):
            topic = place[work.topic]
            pool = pools[topic]
            session = _Session(design, group, assessors, number[work.assessor], work, seed)
            sessions.append(session.judge(truth[topic], pool, topic, first, before[work.assessor]))
            before[work.assessor] += len(pool)
            assignments.append(work)
        first += group.assessors.count
    return assignments, join_events(sessions)


def _assign(
    group: GroupDesign, topics: tuple[str, ...], creators: Mapping[str, str], seed: int
) -> list[Assignment]:
    plan = group.plan()
    if group.creators:
        own = {topic: who if who in plan.assessors else "" for topic, who in creators.items()}
        return assign_to_creators(own, plan, seed=seed)
    return assign_topics(topics, plan, seed=seed)


@dataclass(frozen=True, eq=False, slots=True)
class _Session:
    """The work of one assessor on one topic."""

    design: CampaignDesign
    group: GroupDesign
    assessors: Assessors
    who: int
    work: Assignment
    seed: int

    def judge(self, truth: FloatArray, pool: Pool, topic: int, first: int, before: int) -> Events:
        """Return the events; `before`: earlier judgments, `first`: number of the first assessor."""
        work, levels = self.work, self.design.levels
        shown = order_docs(pool, work.ordering, topic=work.topic, seed=work.seed)
        docs = np.array([int(name.rpartition("-d")[2]) for name in shown], dtype=np.int64)
        keys = (self.group.name, work.topic, work.assessor)
        rng = rng_for(self.seed, "campaign", "judge", *keys)
        assessors = assessors_on_topic(self.assessors, self.seed, *keys)
        perceived, inattentive = perceive(
            truth[docs], before=before, assessors=assessors, who=self.who, rng=rng
        )
        time = self.group.time
        pace = time.paces(assessors.noise.size)[self.who] * _topic_pace(time, self.seed, *keys)
        seconds = pace * judging_seconds(inattentive, time=time, levels=levels, rng=rng)
        log = session_log(
            seconds, self.group.habits, rng=rng_for(self.seed, "campaign", "log", *keys)
        )
        # A second look is careful: its noise is that of a mean of two, and it is never inattentive.
        careful = (
            truth[docs]
            + assessors.bias[self.who]
            + assessors.noise[self.who] / np.sqrt(2) * rng.standard_normal(docs.size)
        )
        again = log.revision > 1
        return Events(
            topic=np.full(log.place.size, topic),
            doc=docs[log.place],
            assessor=np.full(log.place.size, first + self.who),
            position=log.place + 1,
            revision=log.revision,
            grade=slice_grades(np.where(again, careful[log.place], perceived[log.place]), levels),
            shown=log.shown,
            judged=log.judged,
            idle=log.idle,
            inattentive=inattentive[log.place] & ~again,
        )
