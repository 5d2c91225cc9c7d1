"""The organiser's page of progress: finished work, remaining work, assessors to follow up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse

from qrelsmith.web.accounts.access import WATCHERS, page
from qrelsmith.web.models import Assignment
from qrelsmith.web.organiser.figures import current_figures, figures, show_figures
from qrelsmith.web.organiser.history import Moment, judged_so_far, progress_picture
from qrelsmith.web.organiser.progress import Progress, measure_speed, progress
from qrelsmith.web.organiser.stuck import CODES_SHARE, DEFAULT_HOURS, MANY_CODES, last_judged, stuck
from qrelsmith.web.site.parameters import query_whole
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import FIRST_ROUND

_MOST_HOURS = 24 * 366


@dataclass(frozen=True, slots=True)
class ProgressFigures:
    """The figures of the page.

    Attributes
    ----------
    progress : Progress
        The progress of every part of the campaign.
    codes : mapping of str to (int, int)
        For each assessor, the number of labels that are codes, and of all labels.
    last : mapping of str to datetime
        The time of each assessor's last action.
    past : sequence of Moment
        The docs judged over time.
    """

    progress: Progress
    codes: Mapping[str, tuple[int, int]]
    last: Mapping[str, datetime]
    past: Sequence[Moment] = ()


@figures("progress", ProgressFigures, follows_events=False)
def _figures(events: EventTable) -> ProgressFigures:
    return ProgressFigures(progress(), measure_speed().value.codes, last_judged(), judged_so_far())


@page(WATCHERS)
def progress_page(request: HttpRequest) -> HttpResponse:
    """Show the progress of every part of the campaign, and assessors to follow up."""
    hours = query_whole(request.GET, "hours", default=DEFAULT_HOURS, most=_MOST_HOURS)
    result = current_figures("progress")
    context = result and {
        "progress": result.value.progress,
        "picture": progress_picture(result.value.past, result.value.progress),
        "balance": balance(),
        "stuck": stuck(result.value.codes, hours=hours, last=result.value.last),
        "hours": hours,
        "many_codes": MANY_CODES,
        "codes_share": CODES_SHARE,
    }
    return show_figures(request, "organiser/progress.html", result, context or {})


@dataclass(slots=True)
class Share:
    """The work assigned to an assessor.

    Attributes
    ----------
    assessor, group : str
        Name and group of the assessor.
    topics, docs : int
        Number of topics (each HIT counts as one), and of their docs.
    by_ordering : list of (int, int)
        Topics and docs in each ordering, in the order of `Balance.orderings`.
    """

    assessor: str
    group: str
    topics: int = 0
    docs: int = 0
    by_ordering: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Balance:
    """The assignments of the first round.

    Attributes
    ----------
    orderings : sequence of str
        The orderings in use, sorted.
    shares : sequence of Share
        The share of every assessor, by group and name.
    most_docs : int
        The largest number of docs of an assessor.
    """

    orderings: Sequence[str]
    shares: Sequence[Share]
    most_docs: int


def balance() -> Balance:
    """Count the assigned topics and docs of the first round."""
    rows = (
        Assignment.objects.filter(round=FIRST_ROUND)
        .values_list("assessor__group", "assessor__name", "ordering")
        .annotate(Count("id"), Sum("total"))
        .order_by("assessor__group", "assessor__name", "ordering")
    )
    counts: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
    for group, name, ordering, topics, docs in map(tuple, rows):
        counts.setdefault((group, name), {})[ordering] = (topics, docs)
    orderings = sorted({ordering for found in counts.values() for ordering in found})
    shares = []
    for (group, name), found in counts.items():
        parts = [found.get(ordering, (0, 0)) for ordering in orderings]
        topics, docs = (sum(column) for column in zip(*parts, strict=True))
        shares.append(Share(name, group, topics, docs, parts))
    return Balance(orderings, shares, max((share.docs for share in shares), default=0))
