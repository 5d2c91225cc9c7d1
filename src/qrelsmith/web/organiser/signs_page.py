"""The organiser's page of quality alerts: figures, tests, and the docs to check first."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set
from qrelsmith.collection.qrels import stem
from qrelsmith.damages.damage_rows import DamageRow, Damages
from qrelsmith.damages.group_damages import group_damages
from qrelsmith.judgments.references import gold_set
from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.accounts.assessors import model_groups
from qrelsmith.web.models import Assessor
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.project import current_instance
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import judgments_from

KINDS = ("outlying-assessor", "hurried", "tail", "copied")
"""The data problems that concern single people and can be detected during judging"""


@page(ORGANISERS)
def signs_page(request: HttpRequest) -> HttpResponse:
    """Show the quality alerts on the judgments so far."""
    result = signs(is_wanted_now="now" in request.GET)
    context = {
        "computed": result,
        "tests": len(result.value.examined) if result.value else 0,
        "signs": [(row, _assessors(row)) for row in result.value.found if row.assessor]
        if result.value
        else [],
        "reference": result.value.reference if result.value else "",
        "level": result.value.level if result.value else 0.0,
    }
    return render(request, "organiser/signs.html", context)


def _assessors(row: DamageRow) -> list[Assessor]:
    """Return the assessors that a finding names: one, or two if they share the finding."""
    names = row.assessor.split(" ") if row.damage == "copied" else [row.assessor]
    return list(Assessor.objects.filter(name__in=names).order_by("name"))


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
