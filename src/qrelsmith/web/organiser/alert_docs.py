"""The docs to check first when an alert names an assessor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Avg, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Abs

from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.models import AnswerAspect, AnswerEvent, Assessor, AssignedDoc, Event
from qrelsmith.web.tables.judged import FIRST_ROUND

ALERTS = ("outlying-assessor", "hurried", "tail", "copied", "silent", "unopened", "codes")
_OF_DOCS = ("outlying-assessor", "copied")
_SHOWN = 50


def alert_aspects(assessor: Assessor, alert: str) -> Sequence[AnswerAspect]:
    """Return the aspects of answers behind an alert, as `alert_docs`.

    Outlying and copied labels are found among docs only.
    """
    if alert in _OF_DOCS:
        return ()
    first = AnswerEvent.objects.filter(item=OuterRef("pk"), revision=1).values("active_ms")[:1]
    own = judged_items().filter(assignment__assessor=assessor, assignment__round=FIRST_ROUND)
    own = own.select_related("assignment__topic").annotate(seconds=Subquery(first) / 1000.0)
    own = own.exclude(value=CONTRADICTS) if alert == "codes" else own
    return list(_telling(own, alert)[:_SHOWN])


def alert_docs(assessor: Assessor, alert: str) -> Sequence[AssignedDoc]:
    """Return the docs of the first round behind an alert, the clearest evidence first.

    Each has `seconds`, the time of its first judgment, or None if unknown.
    """
    first = Event.objects.filter(assigned=OuterRef("pk"), revision=1).values("active_ms")[:1]
    own = AssignedDoc.objects.filter(
        assignment__assessor=assessor, assignment__round=FIRST_ROUND, assignment__crowd_hit=None
    ).select_related("assignment__topic", "doc")
    own = own.annotate(seconds=Subquery(first) / 1000.0)
    return list(_telling(own, alert)[:_SHOWN])


def _telling(own: QuerySet[Any], alert: str) -> QuerySet[Any]:
    judged, waiting = own.filter(is_judged=True), own.filter(is_judged=False)
    if alert == "hurried":
        return judged.filter(seconds__isnull=False).order_by("seconds", "pk")
    if alert == "tail":
        return judged.order_by("-position", "pk")
    if alert == "codes":
        return judged.filter(value__lt=0).order_by("pk")
    if alert in ("silent", "unopened"):
        open_ = waiting.filter(assignment__is_open=True)
        return open_.order_by(F("assignment__opened_at").desc(nulls_last=True), "position", "pk")
    others = AssignedDoc.objects.filter(
        assignment__topic=OuterRef("assignment__topic"), doc=OuterRef("doc"),
        assignment__round=FIRST_ROUND, is_judged=True, value__gte=0,
    ).exclude(assignment=OuterRef("assignment"))  # fmt: skip
    mean = others.order_by().values("doc").annotate(mean=Avg("value")).values("mean")
    apart = judged.filter(value__gte=0).annotate(apart=Abs(F("value") - Subquery(mean)))
    found: QuerySet[Any] = apart.filter(apart__gt=0).order_by("-apart", "pk")
    return found
