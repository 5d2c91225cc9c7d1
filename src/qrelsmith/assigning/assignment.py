"""Assignments of topics to assessors, and the display order of docs.

Assignments are reproducible, because they depend only on the seed and the names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from qrelsmith.assigning.dealing import alternate, deal
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.rng import Key, digest_key, shuffle
from qrelsmith.collection.pools.policies import check_policy, orderings_of


@dataclass(frozen=True, slots=True, order=True)
class Assignment:
    """The assignment of one topic's docs to one assessor.

    Attributes
    ----------
    assessor : str
        The assessor; empty if the work is open to anyone (in HITs only).
    group : str
        The assessor's group.
    ordering : str
        One of `ORDERINGS`; it is not shown to the assessor.
    seed : int
        The seed of the order, for this assignment only; it does not reveal other seeds.
    hit : str
        The HIT; empty if the assessor judges the topic's whole pool.
    docs : tuple of str
        The docs of a HIT or of a later round, in display order; empty for the whole pool.
    round : int
        1 for the first round; later rounds have docs to judge again (`repeats_of`).
    """

    topic: str
    assessor: str
    group: str
    ordering: str
    seed: int
    hit: str = ""
    docs: tuple[str, ...] = ()
    round: int = 1


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """The plan for assigning work to a group.

    Attributes
    ----------
    assessors : tuple of str
        The members; may be empty if the group works in HITs.
    policy : str
        One of `policies()`.
    per_doc : int
        Number of assessors per doc.
    """

    name: str
    assessors: tuple[str, ...]
    policy: str
    per_doc: int = 1

    def __post_init__(self) -> None:
        check_policy(self.policy)
        if len(set(self.assessors)) < len(self.assessors):
            raise UsageError(
                f"the group {quoted(self.name)} lists an assessor twice; expected each name once"
            )
        if self.per_doc < 1 or (self.assessors and self.per_doc > len(self.assessors)):
            raise UsageError(
                f"per_doc={self.per_doc} in the group {quoted(self.name)}, which has "
                f"{len(self.assessors)} assessors; expected at most that number"
            )

    @property
    def orderings(self) -> tuple[str, ...]:
        """The orderings used for the group's members."""
        return orderings_of(self.policy)


def assign_to_creators(
    creators: Mapping[str, str], plan: GroupPlan, *, seed: int
) -> list[Assignment]:
    """Assign each topic to the assessor who created it; topics without a creator are left out.

    Parameters
    ----------
    creators : mapping of str to str
        The creator of each topic; empty if unknown.
    plan : GroupPlan
        The plan of the group.
    seed : int
        The seed of the campaign.

    Returns
    -------
    list of Assignment
        Sorted.

    Raises
    ------
    UsageError
        If a creator is not a member of the group, or the plan has several judgments per doc.
    """
    if plan.per_doc != 1:
        raise UsageError(
            f"per_doc={plan.per_doc} in the group {quoted(plan.name)}; expected 1, "
            "because a topic has one creator"
        )
    for topic, who in creators.items():
        if who and who not in plan.assessors:
            raise UsageError(
                f"topic {quoted(topic)} was created by {quoted(who)}, who is not in the group"
                f" {quoted(plan.name)} ({', '.join(plan.assessors)})"
            )
    judges = {topic: (who,) for topic, who in creators.items() if who}
    return _with_orders({topic: TopicWork(topic) for topic in judges}, judges, plan, seed)


def assign_topics(topics: Sequence[str], plan: GroupPlan, *, seed: int) -> list[Assignment]:
    """Assign each topic to `per_doc` assessors of a group, balanced and at random.

    Numbers of topics differ by at most 1 between assessors. An assessor judges all docs of an
    assigned topic.

    Parameters
    ----------
    topics : sequence of str
        The topics; adding topics at the end does not change the earlier assignments.
    plan : GroupPlan
        The plan of the group.
    seed : int
        The seed of the campaign.

    Returns
    -------
    list of Assignment
        Sorted.
    """
    judges = deal(topics, plan.assessors, each=plan.per_doc, seed=seed, keys=("assign", plan.name))
    work = {topic: TopicWork(topic) for topic in topics}
    return _with_orders(work, dict(zip(topics, judges, strict=True)), plan, seed)


def assign_hits(
    pools: Mapping[str, Sequence[str]], plan: GroupPlan, *, size: int, seed: int
) -> list[Assignment]:
    """Divide the docs of each topic into HITs, and assign every HIT to `per_doc` assessors.

    A topic's docs are shuffled and divided into the fewest possible HITs of nearly equal size. The
    HITs of a topic are the same for every group, so that groups can be compared.

    Parameters
    ----------
    pools : mapping of str to sequence of str
        The docs of each topic.
    plan : GroupPlan
        The plan of the group; without members, every HIT is open to anyone, `per_doc` times.
    size : int
        Maximum number of docs in a HIT.
    seed : int
        The seed of the campaign.

    Returns
    -------
    list of Assignment
        Sorted; `docs` are in the order of the HIT, not yet in display order.
    """
    work = {
        hit.hit: hit
        for topic, docs in pools.items()
        for hit in cut_hits(topic, docs, size=size, seed=seed)
    }
    if plan.assessors:
        keys = ("assign", plan.name)
        dealt = deal(list(work), plan.assessors, each=plan.per_doc, seed=seed, keys=keys)
        return _with_orders(work, dict(zip(work, dealt, strict=True)), plan, seed)
    # Open HITs of the same docs are numbered, so that each has a different order and seed.
    places = tuple(str(number) for number in range(1, plan.per_doc + 1))
    made = _with_orders(work, dict.fromkeys(work, places), plan, seed)
    return sorted(replace(one, assessor="") for one in made)


@dataclass(frozen=True, slots=True)
class TopicWork:
    """A unit of assignment: a topic's whole pool, or one HIT of the topic."""

    topic: str
    hit: str = ""
    docs: tuple[str, ...] = ()
    round: int = 1


def cut_hits(topic: str, docs: Sequence[str], *, size: int, seed: int) -> list[TopicWork]:
    """Divide a topic's shuffled docs into the fewest possible HITs of at most `size` docs."""
    if size < 1:
        raise UsageError(f"the HIT size is {size}; expected 1 or more")
    mixed = shuffle(docs, seed=seed, keys=("hits", topic))
    count = -(-len(mixed) // size)
    ends = [len(mixed) * number // count for number in range(count + 1)] if count else [0]
    width = len(str(count))
    return [
        TopicWork(topic, f"{topic}/{number:0{width}d}", tuple(mixed[start:end]))
        for number, (start, end) in enumerate(pairwise(ends), start=1)
    ]


def _with_orders(
    work: Mapping[str, TopicWork], judges: Mapping[str, tuple[str, ...]], plan: GroupPlan, seed: int
) -> list[Assignment]:
    """Return the assignments of work to assessors, each with its ordering and seed."""
    hands: dict[str, list[str]] = {}
    for item, assessors in judges.items():
        for who in assessors:
            hands.setdefault(who, []).append(item)
    keys: tuple[Key, ...] = ("order", plan.name)
    orderings = alternate(hands, plan.orderings, seed=seed, keys=keys)
    return sorted(
        Assignment(
            topic=work[item].topic,
            assessor=who,
            group=plan.name,
            ordering=ordering,
            # 32 bits: an exact integer in every program that reads the file.
            seed=int.from_bytes(digest_key(seed, *keys, item, who)[:4], "big"),
            hit=work[item].hit,
            docs=work[item].docs,
        )
        for (who, item), ordering in orderings.items()
    )
