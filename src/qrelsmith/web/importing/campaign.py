"""A campaign's folder into the database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qrelsmith.data.campaign import Campaign
from qrelsmith.data.documents import read_documents
from qrelsmith.data.topics import Topic, read_topics
from qrelsmith.web.importing.assignments import import_assignments
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.importing.docs import import_docs
from qrelsmith.web.importing.pool_files import (
    PlannedAssignment,
    PoolSet,
    read_assignments,
    read_pool_set,
)
from qrelsmith.web.importing.topics import import_topics
from qrelsmith.web.scale import record_scale


def import_campaign(
    campaign: Campaign, *, advance: Callable[[int], None] = lambda _: None
) -> list[Counts]:
    """Bring the database to what the campaign's folder says.

    Raises
    ------
    InputError
        If a file is not as it should be; what was recorded before it stays, and the next import
        goes on from there.
    """
    record_scale(campaign)
    counts = []
    topics: tuple[Topic, ...] = ()
    if campaign.topics is not None:
        topics = read_topics(campaign.topics)
        counts.append(import_topics(topics))
    if campaign.documents is not None:
        counts.append(import_docs(read_documents(campaign.documents), advance=advance))
    pools = read_pool_set(campaign.pools) if campaign.pools else None
    counts.append(import_assignments(_planned(campaign, topics, pools), pools))
    return counts


def _planned(
    campaign: Campaign, topics: tuple[Topic, ...], pools: PoolSet | None
) -> tuple[PlannedAssignment, ...]:
    """The assignments of the folder's table; without one, every known assessor has every topic.

    Assessors of a group with the role gold have the topics that they created.
    """
    table: Path = campaign.folder / "assignments.csv"
    if table.exists():
        return read_assignments(table)
    if pools is None:
        return ()
    ordering = next(iter(pools.orders))
    creators = {topic.topic: topic.creator for topic in topics}
    return tuple(
        PlannedAssignment(topic, assessor, name, group.ordering or ordering, 0)
        for name, group in sorted(campaign.groups.items())
        for assessor in group.assessors
        for topic in pools.topics
        if group.role != "gold" or creators.get(topic) == assessor
    )
