"""The campaign's progress, remaining work and forecast."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from qrelsmith.answers.judged_aspects import EDIT
from qrelsmith.base.arrays import FloatArray
from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.io.times import TimeArray
from qrelsmith.judging_times.judging_pace import (
    Forecast,
    Pace,
    Rate,
    forecast_of_assessors,
    judging_rate,
    judging_seconds,
    pace_of,
)
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.answers.kind import judged_items, newest_answer_event
from qrelsmith.web.graded.judgments import judgments_of_aspects
from qrelsmith.web.models import AnswerEvent, Assignment
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.organiser.efficiency import efficiency_of
from qrelsmith.web.tables.event_table import EventTable, all_events
from qrelsmith.web.tables.judged import FIRST_ROUND, UNJUDGED_CODE, judgments_from


@dataclass(slots=True)
class ProgressPart:
    """The progress of an assessor, a group, a topic, a round or the whole campaign.

    Attributes
    ----------
    name, group : str
        Name of the part; the group, for an assessor.
    assignments, total, judged, left : int
        Numbers of assignments, of their docs or aspects, of those with a label, and of those
        without a label in open assignments.
    aspects_left : int
        The number of aspects of answers in `left`.
    pace : Pace
        The time per judgment, if measured.
    forecast : Forecast
        The hours for the remaining work.
    rate : Rate
        The recent number of docs judged per day.
    """

    name: str
    group: str = ""
    assignments: int = 0
    total: int = 0
    judged: int = 0
    left: int = 0
    aspects_left: int = 0
    pace: Pace = field(default_factory=Pace)
    forecast: Forecast = field(default_factory=Forecast)
    rate: Rate = field(default_factory=Rate)

    @property
    def done_on(self) -> datetime | None:
        """The finishing date at the recent rate; None if unknown."""
        days = self.rate.days_for(self.left)
        if math.isnan(days) or days > _MOST_DAYS:
            return None
        return timezone.now() + timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the campaign.

    Attributes
    ----------
    everything : Part
        The whole campaign.
    groups, assessors, topics, rounds : sequence of Part
        Its parts.
    clock : str
        The clock of judging times: `active` or `wall`.
    """

    everything: ProgressPart
    groups: Sequence[ProgressPart]
    assessors: Sequence[ProgressPart]
    topics: Sequence[ProgressPart]
    rounds: Sequence[ProgressPart]
    clock: str

    @property
    def done_on(self) -> datetime | None:
        """The latest finishing date of any group; None if the date of a group is unknown."""
        days = [part.done_on for part in self.groups if part.left]
        known = [day for day in days if day is not None]
        return max(known) if known and len(known) == len(days) else None


@dataclass(frozen=True)
class Measured:
    """The speed of judging, computed from the events.

    Attributes
    ----------
    docs, aspects : mapping of str to float array
        The intervals between the judgments of docs, and of aspects, of each assessor.
    clock : str
        `active` or `wall`.
    codes : mapping of str to (int, int)
        For each assessor, the number of labels that are codes for missing grades, and of all
        labels.
    """

    docs: Mapping[str, FloatArray]
    aspects: Mapping[str, FloatArray]
    clock: str
    codes: Mapping[str, tuple[int, int]]

    @cached_property
    def seconds(self) -> Mapping[str, FloatArray]:
        """The intervals between consecutive judgments of each assessor, of docs and of aspects."""
        parts = (self.docs, self.aspects)
        return {
            name: np.concatenate([part[name] for part in parts if name in part])
            for name in sorted({*self.docs, *self.aspects})
        }


_MOST_DAYS = 3650.0
_NO_SECONDS: FloatArray = np.empty(0)
NO_TIMES: TimeArray = np.empty(0, dtype="datetime64[us]")


def measure_speed() -> Computed[Measured]:
    """Return the times of first-round judgments."""

    def measure(events: EventTable) -> Measured:
        of_docs, of_aspects = judgments_from(events), judgments_of_aspects(FIRST_ROUND)
        if of_aspects is None:
            of_aspects = of_docs.select(np.zeros(len(of_docs), dtype=bool))
        found = [efficiency_of(each) for each in (of_docs, of_aspects)]
        docs, aspects = (judging_seconds(each, by="assessor") for each in found)
        codes = _codes(of_docs)
        for name, own in _codes(of_aspects).items():
            codes[name] = tuple(map(add, own, codes.get(name, (0, 0))))
        return Measured(docs, aspects, found[0 if len(of_docs) else 1].clock, codes)

    return computed("seconds", measure, newest_answer_event())


def progress() -> Progress:
    """Return the current progress of the campaign."""
    speed = measure_speed().value
    assessors = _parts("assessor__name", "assessor__group")
    group_of = {part.name: part.group for part in assessors}
    docs = {part.name: part.left - part.aspects_left for part in assessors}
    aspects = {part.name: part.aspects_left for part in assessors}
    hours = [
        forecast_of_assessors(left, seconds, group_of)
        for left, seconds in ((docs, speed.docs), (aspects, speed.aspects))
    ]
    times = first_judged()
    for part in assessors:
        part.pace = pace_of(speed.seconds.get(part.name, _NO_SECONDS))
        part.forecast = hours[0][part.name] + hours[1][part.name]
        part.rate = _rate(times, [part.name])
    groups = [
        _sum(name, [part for part in assessors if part.group == name], speed.seconds, times)
        for name in sorted(set(group_of.values()))
    ]
    return Progress(
        everything=_sum("", assessors, speed.seconds, times),
        groups=groups,
        assessors=assessors,
        topics=_parts("topic__name"),
        rounds=_parts("round"),
        clock=speed.clock,
    )


def _parts(*fields: str) -> list[ProgressPart]:
    """Return sums over assignments by one or two fields; a second field is the group."""
    waiting = Sum(F("total") - F("judged"), filter=Q(is_open=True))
    docs = Assignment.objects.values_list(*fields).annotate(
        Count("id"), Sum("total"), Sum("judged"), waiting=Coalesce(waiting, 0)
    )
    parts: dict[tuple[Any, ...], ProgressPart] = {}
    for *key, assignments, total, judged, left in map(tuple, docs.order_by()):
        name, *group = key
        parts[tuple(key)] = ProgressPart(
            str(name), "".join(group), assignments, total, judged, left
        )
    for *key, assignments, total, judged, left in _answers(fields):
        name, *group = key
        part = parts.setdefault(tuple(key), ProgressPart(str(name), "".join(group)))
        part.assignments += assignments
        part.total += total
        part.judged += judged
        part.left += left
        part.aspects_left = left
    return [parts[key] for key in sorted(parts, key=lambda key: key[::-1])]


def _answers(fields: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    """Count assignments of answers, and all, judged and remaining aspects, by the given fields."""
    rows = judged_items().values_list(*(f"assignment__{field}" for field in fields))
    is_left = Q(is_judged=False, assignment__is_open=True)
    counted = rows.annotate(
        Count("assignment", distinct=True),
        Count("id"),
        judged=Count("id", filter=Q(is_judged=True)),
        left=Count("id", filter=is_left),
    )
    return map(tuple, counted.order_by())


def _sum(
    name: str,
    parts: Sequence[ProgressPart],
    seconds: Mapping[str, FloatArray],
    times: Mapping[str, TimeArray],
) -> ProgressPart:
    names = [part.name for part in parts]
    own = [seconds[each] for each in names if each in seconds]
    return ProgressPart(
        name=name,
        assignments=sum(part.assignments for part in parts),
        total=sum(part.total for part in parts),
        judged=sum(part.judged for part in parts),
        left=sum(part.left for part in parts),
        aspects_left=sum(part.aspects_left for part in parts),
        pace=pace_of(np.concatenate(own) if own else _NO_SECONDS),
        forecast=reduce(add, (part.forecast for part in parts), Forecast()),
        rate=_rate(times, names),
    )


def first_judged() -> dict[str, TimeArray]:
    """Return the times of each assessor's first judgments of docs, in any round, and of answers."""
    events = all_events()
    events = events.select(events.revision == 1)
    names = dict(Assignment.objects.values_list("id", "assessor__name"))
    used, of = np.unique(events.assignment, return_inverse=True)
    assessors, place = np.unique([names[key] for key in used.tolist()], return_inverse=True)
    order = np.argsort(place[of], kind="stable")
    ends = np.cumsum(np.bincount(place[of], minlength=assessors.size))[:-1]
    moments = np.split(events.accepted_at[order], ends)
    times = dict(zip(assessors.tolist(), moments, strict=True)) if assessors.size else {}
    answers = AnswerEvent.objects.filter(revision=1).exclude(item__family=EDIT)
    of_answers: dict[str, list[datetime]] = {}
    for name, at in answers.values_list("assessor__name", "accepted_at"):
        of_answers.setdefault(name, []).append(at.replace(tzinfo=None))
    for name, own in of_answers.items():
        judged = [times.get(name, NO_TIMES), np.array(own, dtype=NO_TIMES.dtype)]
        times[name] = np.sort(np.concatenate(judged))
    return times


def _codes(judgments: Judgments) -> dict[str, tuple[int, int]]:
    now = judgments.current()
    is_code = now.grade < UNJUDGED_CODE
    if now.aspect is not None:
        is_code &= now.grade != CONTRADICTS
    labels, codes = (
        np.bincount(now.assessor[kept], minlength=len(now.assessors)).tolist()
        for kept in (now.grade != UNJUDGED_CODE, is_code)
    )
    return dict(zip(now.assessors, zip(codes, labels, strict=True), strict=True))


def _rate(times: Mapping[str, TimeArray], assessors: Iterable[str]) -> Rate:
    own = [times[name] for name in assessors if name in times]
    now = np.datetime64(timezone.now().replace(tzinfo=None), "us")
    return judging_rate(np.concatenate(own), now) if own else Rate()
