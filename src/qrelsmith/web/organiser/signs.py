"""Quality alerts on the judgments so far: assessors to follow up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set
from qrelsmith.collection.qrels import stem
from qrelsmith.damages.damage_rows import Damages
from qrelsmith.damages.group_damages import group_damages
from qrelsmith.judgments.references import gold_set
from qrelsmith.web.accounts.assessors import model_groups
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.project import current_instance
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import judgments_from

KINDS = ("outlying-assessor", "hurried", "tail", "copied")
"""The data problems that concern single people and can be detected during judging"""


def signs(*, is_wanted_now: bool = False) -> Computed[Damages | None]:
    """Return the current data problems of single assessors in the first round."""
    return computed("signs", signs_of, is_wanted_now=is_wanted_now)


def signs_of(events: EventTable) -> Damages | None:
    """Return the data problems of single assessors in the given events."""
    campaign = current_instance().campaign
    judgments = judgments_from(events)
    groups = dict.fromkeys(judgments.by_group(), "")
    return group_damages(
        judgments,
        KINDS,
        reference=gold_set(campaign, groups, {stem(path): path for path in campaign.qrels}),
        models=model_groups(),
        pools=_pools(tuple(campaign.pools)),
        lowest=None if campaign.scale is None else campaign.scale.levels[0],
    )


@cache
def _pools(paths: tuple[Path, ...]) -> PoolSet | None:
    """Return the pools, which do not change while the server runs."""
    return read_pool_set(paths) if paths else None
