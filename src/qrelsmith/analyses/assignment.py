"""Who judges what in a campaign: its topics, pools and groups made into assignments."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from qrelsmith.data.campaign import Campaign, Group
from qrelsmith.data.pool_sets import PoolSet, read_pool_set
from qrelsmith.data.topics import read_topics
from qrelsmith.errors import InputError, UnknownNameError, UsageError, quoted
from qrelsmith.pooling.assignment import (
    Assignment,
    GroupPlan,
    assign_hits,
    assign_to_creators,
    assign_topics,
)
from qrelsmith.pooling.policies import BALANCED
from qrelsmith.tables import Cell, Table

_GOLD = "gold"
_ALL = "all"


@dataclass(frozen=True)
class Assigned:
    """The assignments of a campaign.

    Attributes
    ----------
    assignments : tuple of Assignment
        Sorted.
    plans : tuple of GroupPlan
        The groups that were dealt to.
    sizes : mapping of str to int
        How many docs the pool of each topic has; empty where the campaign has no pools.
    notes : tuple of str
        What must be said.
    """

    assignments: tuple[Assignment, ...]
    plans: tuple[GroupPlan, ...]
    sizes: Mapping[str, int]
    notes: tuple[str, ...]

    def table(self) -> Table:
        """Columns: topic, assessor, group, ordering, seed; with HITs also hit and docs."""
        columns = ["topic", "assessor", "group", "ordering", "seed"]
        if any(one.hit for one in self.assignments):
            columns += ["hit", "docs"]
        rows = (
            [*(getattr(one, name) for name in columns[:6]), " ".join(one.docs)][: len(columns)]
            for one in self.assignments
        )
        return Table.of(columns, rows)

    def balance(self) -> Table:
        """How evenly the work is dealt; an assessor without work is there, too.

        Columns: group, assessor, ordering, topics, hits, docs (empty where there are no pools). The
        ordering `all` has an assessor's sums, the assessor `all` the group's.
        """
        rows: list[tuple[Cell, ...]] = []
        for plan in self.plans:
            mine = [one for one in self.assignments if one.group == plan.name]
            for who in sorted({*plan.assessors, *(one.assessor for one in mine)}):
                own = [one for one in mine if one.assessor == who]
                rows += self._counts(plan, who, own)
            rows += self._counts(plan, _ALL, mine)
        return Table.of(("group", "assessor", "ordering", "topics", "hits", "docs"), rows)

    def _counts(self, plan: GroupPlan, who: str, work: list[Assignment]) -> list[tuple[Cell, ...]]:
        rows: list[tuple[Cell, ...]] = []
        for ordering in (*plan.orderings, _ALL):
            chosen = [one for one in work if ordering in (one.ordering, _ALL)]
            docs = sum(len(one.docs) if one.hit else self.sizes.get(one.topic, 0) for one in chosen)
            topics = len({one.topic for one in chosen})
            hits = sum(bool(one.hit) for one in chosen)
            known = bool(self.sizes) or bool(hits)
            rows.append((plan.name, who, ordering, topics, hits, docs if known else None))
        return rows


def assigned(
    campaign: Campaign,
    *,
    seed: int,
    groups: Collection[str] = (),
    per_doc: int | None = None,
    hit_size: int | None = None,
    topics: Collection[str] | None = None,
) -> Assigned:
    """Deal the topics of a campaign to its groups.

    A group with the role gold gets each topic judged by its creator; every other group `per_doc`
    assessors for each topic, or, with a HIT size, for each HIT.

    Parameters
    ----------
    campaign : Campaign
        The campaign. Its topics are those that have a pool or, where it has no pools, all.
    seed : int
        The seed.
    groups : collection of str
        The groups that are dealt to; all if there are none.
    per_doc, hit_size : int, optional
        For the groups without the role gold that do not say it themselves.
    topics : collection of str, optional
        Only these topics.

    Raises
    ------
    UsageError
        If there is nothing to deal or nobody to deal to, an option has no group that it is for, a
        creator is in no gold group, an assessor in two groups, or an ordering or a HIT needs pools
        that are not there.
    """
    _check_options(campaign, groups, per_doc, hit_size)
    pools = read_pool_set(campaign.pools) if campaign.pools else None
    creators, notes = _creators(campaign, pools, topics)
    found: list[Assignment] = []
    plans: list[GroupPlan] = []
    for name in sorted(groups or campaign.groups):
        group = _completed(campaign.groups[name], per_doc, hit_size)
        if group.role == _GOLD:
            if group.hit_size is not None:
                raise UsageError(
                    f"the gold group {quoted(name)} has a hit_size; creators judge whole topics"
                )
            group = replace(group, assessors=_gold_members(campaign, group, creators))
        if not group.assessors and group.hit_size is None:
            why = "no topic names its creator" if group.role == _GOLD else "it has no assessors"
            notes.append(f"the group {quoted(name)} gets nothing: {why}")
            continue
        plan = GroupPlan(name, group.assessors, _policy(group), group.per_doc or 1)
        _check_orders(plan, pools, campaign)
        found += _dealt(plan, group, creators, pools, seed)
        plans.append(plan)
    if not found:
        raise UsageError(f"nothing to assign in {campaign.folder}: {'; '.join(notes)}")
    sizes = {} if pools is None else {topic: len(pools.docs(topic)) for topic in pools.topics}
    return Assigned(tuple(sorted(found)), tuple(plans), sizes, tuple(notes))


def _check_options(
    campaign: Campaign, groups: Collection[str], per_doc: int | None, hit_size: int | None
) -> None:
    if not campaign.groups:
        raise InputError("there are no [groups]; expected whom to deal to", path=campaign.settings)
    for name in groups:
        if name not in campaign.groups:
            raise UnknownNameError("group", name, campaign.groups)
    dealt = [campaign.groups[name] for name in groups or campaign.groups]
    others = [group for group in dealt if group.role != _GOLD]
    for option, value, key in (
        ("--per-doc", per_doc, "per_doc"),
        ("--hit-size", hit_size, "hit_size"),
    ):
        if value is not None and all(getattr(group, key) is not None for group in others):
            raise UsageError(
                f"{option} is for groups without the role gold that have no {key} in"
                f" {campaign.settings}; there is none"
            )
    groups_of: dict[str, str] = {}
    for name, group in campaign.groups.items():
        for who in dict.fromkeys(group.assessors):
            if groups_of.setdefault(who, name) != name:
                raise InputError(
                    f"{quoted(who)} is in the groups {quoted(groups_of[who])} and {quoted(name)};"
                    " expected one group",
                    path=campaign.settings,
                )


def _creators(
    campaign: Campaign, pools: PoolSet | None, chosen: Collection[str] | None
) -> tuple[dict[str, str], list[str]]:
    """The creator of each topic that is to be judged, empty where nobody is known; and notes."""
    listed = {}
    if campaign.topics is not None:
        listed = {topic.topic: topic.creator for topic in read_topics(campaign.topics)}
    if pools is None and not listed:
        raise InputError("there are neither pools/ nor topics.*", path=campaign.folder)
    topics = sorted(listed) if pools is None else list(pools.topics)
    notes = []
    left = sorted(listed.keys() - set(topics))
    if left:
        notes.append(f"topics without a pool, which nobody gets: {len(left)} (first: {left[0]})")
    if chosen is not None:
        unknown = [topic for topic in chosen if topic not in topics]
        if len(unknown) == len(chosen):
            raise UsageError(f"none of the {len(chosen)} topics of the set is to be judged")
        if unknown:
            notes.append(
                f"topics of the set that are not to be judged: {len(unknown)} (first: {unknown[0]})"
            )
        topics = [topic for topic in topics if topic in chosen]
    creators = {topic: listed.get(topic, "") for topic in topics}
    orphans = [topic for topic, who in creators.items() if not who]
    gold = any(group.role == _GOLD for group in campaign.groups.values())
    if gold and 0 < len(orphans) < len(creators):
        notes.append(
            f"topics without a creator, which no gold assessor gets: {len(orphans)}"
            f" (first: {orphans[0]})"
        )
    return creators, notes


def _gold_members(campaign: Campaign, group: Group, creators: Mapping[str, str]) -> tuple[str, ...]:
    """The members of a gold group: those that it names or, if it names none, all creators."""
    everyone = sorted({who for who in creators.values() if who})
    gold = [other for other in campaign.groups.values() if other.role == _GOLD]
    if any(not other.assessors for other in gold):
        named = {who for other in gold for who in other.assessors}
        return group.assessors or tuple(who for who in everyone if who not in named)
    members = {who for other in gold for who in other.assessors}
    for topic, who in creators.items():
        if who and who not in members:
            raise UsageError(
                f"topic {quoted(topic)} was created by {quoted(who)}, who is in no group with the"
                f" role gold of {campaign.settings}"
            )
    return group.assessors


def _completed(group: Group, per_doc: int | None, hit_size: int | None) -> Group:
    """The group with what the command line says where campaign.toml says nothing."""
    if group.role == _GOLD:
        return group
    return replace(
        group,
        per_doc=per_doc if group.per_doc is None else group.per_doc,
        hit_size=hit_size if group.hit_size is None else group.hit_size,
    )


def _policy(group: Group) -> str:
    """The group's ordering policy, or what stands for it where none is named."""
    if group.ordering:
        return group.ordering
    if group.hit_size is not None:
        return "randomised"
    return BALANCED if group.role == _GOLD else "prioritised"


def _check_orders(plan: GroupPlan, pools: PoolSet | None, campaign: Campaign) -> None:
    """Raise at an ordering in which the campaign's pool files cannot be shown."""
    for ordering in plan.orderings:
        if pools is not None and not pools.can_show(ordering):
            raise UsageError(
                f"the group {quoted(plan.name)} is shown {ordering} pools; expected a file in"
                f" {campaign.folder / 'pools'} made with qrelsmith pool --ordering {ordering}"
            )


def _dealt(
    plan: GroupPlan,
    group: Group,
    creators: Mapping[str, str],
    pools: PoolSet | None,
    seed: int,
) -> list[Assignment]:
    if group.hit_size is not None:
        if pools is None:
            raise UsageError(f"the group {quoted(plan.name)} works in HITs, which need pools/")
        docs = {topic: pools.docs(topic) for topic in creators}
        hits = assign_hits(docs, plan, size=group.hit_size, seed=seed)
        return [replace(one, docs=_in_order(one, pools)) for one in hits]
    if group.role == _GOLD:
        own = {topic: who if who in plan.assessors else "" for topic, who in creators.items()}
        return assign_to_creators(own, plan, seed=seed)
    return assign_topics(list(creators), plan, seed=seed)


def _in_order(hit: Assignment, pools: PoolSet) -> tuple[str, ...]:
    """The docs of a HIT as they are shown: a HIT is a pool of its own, with the pool's ranks."""
    return pools.shown(hit.topic, ordering=hit.ordering, seed=hit.seed, among=frozenset(hit.docs))
