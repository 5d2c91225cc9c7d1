"""The groups to which a campaign's topics are assigned: members, orderings and policies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from qrelsmith.answers.answer_files import read_answers
from qrelsmith.assigning.assignment import GroupPlan
from qrelsmith.base.errors import InputError, UnknownNameError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign, Group
from qrelsmith.collection.pools.policies import BALANCED
from qrelsmith.collection.pools.pool_sets import PoolSet
from qrelsmith.collection.topics import read_topics

GOLD = "gold"


def check_options(
    campaign: Campaign, groups: Collection[str], per_doc: int | None, hit_size: int | None
) -> None:
    """Raise an error if an option applies to no group, or if the groups are invalid."""
    if not campaign.groups:
        raise InputError(
            "the table [groups] is missing; expected groups of assessors", path=campaign.settings
        )
    for name in groups:
        if name not in campaign.groups:
            raise UnknownNameError("group", name, campaign.groups)
    dealt = [campaign.groups[name] for name in groups or campaign.groups]
    others = [group for group in dealt if group.role != GOLD]
    for option, value, key in (
        ("--per-doc", per_doc, "per_doc"),
        ("--hit-size", hit_size, "hit_size"),
    ):
        if value is not None and all(getattr(group, key) is not None for group in others):
            raise UsageError(
                f"{option} applies to groups without the role 'gold' and without {key} "
                f"in {campaign.settings}; expected at least one such group"
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


def creators_of(
    campaign: Campaign, pools: PoolSet | None, chosen: Collection[str] | None
) -> tuple[dict[str, str], list[str]]:
    """Return the creator of each topic to judge (empty if unknown), and notes."""
    listed = {}
    if campaign.topics is not None:
        listed = {topic.topic: topic.creator for topic in read_topics(campaign.topics)}
    elif pools is None and campaign.answers:
        listed = dict.fromkeys(read_answers(*campaign.answers).topics, "")
    if pools is None and not listed:
        raise InputError(
            "the campaign has no pools/, topics.* or answers.*; expected one of them",
            path=campaign.folder,
        )
    topics = sorted(listed) if pools is None else list(pools.topics)
    notes = []
    left = sorted(listed.keys() - set(topics))
    if left:
        notes.append(f"unassigned topics without a pool: {len(left)} (first: {left[0]})")
    if chosen is not None:
        unknown = [topic for topic in chosen if topic not in topics]
        if len(unknown) == len(chosen):
            raise UsageError(
                f"none of the {len(chosen)} topics of the topic set has docs to judge; expected "
                "at least one"
            )
        if unknown:
            notes.append(
                f"topics of the set that are not to be judged: {len(unknown)} (first: {unknown[0]})"
            )
        topics = [topic for topic in topics if topic in chosen]
    creators = {topic: listed.get(topic, "") for topic in topics}
    orphans = [topic for topic, who in creators.items() if not who]
    gold = any(group.role == GOLD for group in campaign.groups.values())
    if gold and 0 < len(orphans) < len(creators):
        notes.append(
            f"topics without a creator, which get no gold assessor: {len(orphans)}"
            f" (first: {orphans[0]})"
        )
    return creators, notes


def gold_members(campaign: Campaign, group: Group, creators: Mapping[str, str]) -> tuple[str, ...]:
    """Return the named members of a gold group, or all creators if none are named."""
    everyone = sorted({who for who in creators.values() if who})
    gold = [other for other in campaign.groups.values() if other.role == GOLD]
    if any(not other.assessors for other in gold):
        named = {who for other in gold for who in other.assessors}
        return group.assessors or tuple(who for who in everyone if who not in named)
    members = {who for other in gold for who in other.assessors}
    for topic, who in creators.items():
        if who and who not in members:
            raise UsageError(
                f"topic {quoted(topic)} was created by {quoted(who)}, who is not in a "
                f"group with the role 'gold' of {campaign.settings}"
            )
    return group.assessors


def completed_group(group: Group, per_doc: int | None, hit_size: int | None) -> Group:
    """Return the group, completed by options for settings that are missing in campaign.toml."""
    if group.role == GOLD:
        return group
    return replace(
        group,
        per_doc=per_doc if group.per_doc is None else group.per_doc,
        hit_size=hit_size if group.hit_size is None else group.hit_size,
    )


def comparing_groups(campaign: Campaign) -> frozenset[str]:
    """Return the groups that only compare pairs: the [preferences] groups, if other groups grade.

    A group with settings for the assignment of docs (per_doc, hit_size, ordering), or with the role
    gold, also grades.
    """
    preferring = campaign.preference_judging
    named = set(preferring.groups if preferring else ())
    grading = {
        name
        for name, group in campaign.groups.items()
        if name not in named
        or group.role == GOLD
        or group.per_doc is not None
        or group.hit_size is not None
        or group.ordering
    }
    return frozenset(named - grading) if grading else frozenset()


def policy_of(group: Group) -> str:
    """Return the group's ordering policy, or the default for its role."""
    if group.ordering:
        return group.ordering
    if group.hit_size is not None:
        return "randomised"
    return BALANCED if group.role == GOLD else "prioritised"


def check_orders(plan: GroupPlan, pools: PoolSet | None, campaign: Campaign) -> None:
    """Raise an error if the campaign's pool files do not support an ordering of the plan."""
    for ordering in plan.orderings:
        if pools is not None and not pools.can_show(ordering):
            raise UsageError(
                f"the group {quoted(plan.name)} needs {ordering} pools; expected a file in "
                f"{campaign.folder / 'pools'}. Create it with qrelsmith pool --ordering {ordering}"
            )
