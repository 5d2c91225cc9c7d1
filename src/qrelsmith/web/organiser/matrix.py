"""The matrix of assessors and topics: progress, pace and agreement.

The counts, which need only a few queries, are returned first. Results computed from the events are
returned later. Crowd workers are not included, because their HITs have separate pages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Any

import numpy as np
from django.db.models import Count, F, Q, QuerySet, Sum

from qrelsmith.agreement.shares_alike import others_alike
from qrelsmith.base.arrays import AnyArray, IntArray
from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.judging_times.judging_pace import pace_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.answers.kind import judged_items, newest_answer_event
from qrelsmith.web.graded.judgments import judgments_of_aspects
from qrelsmith.web.models import (
    Account,
    AnswerAspect,
    AnswerAssignment,
    AnswerEvent,
    Assessor,
    Assignment,
    Event,
    PairTask,
    TopicVersion,
)
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.organiser.progress import measure_speed
from qrelsmith.web.organiser.stuck import DEFAULT_HOURS, stuck
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import FIRST_ROUND, UNJUDGED_CODE, judgments_from

Work = Assignment | AnswerAssignment
Counts = dict[Any, tuple[int, int]]
_CELL = ("assessor", "topic", "total", "judged", "is_open")
_NONE = (0, 0)


@dataclass(frozen=True, slots=True)
class Alike:
    """Agreement of first-round labels with other labels of the same docs or aspects.

    Attributes
    ----------
    assessors, topics : mapping of str to (int, int)
        Number of agreeing pairs of labels, and of all pairs, by assessor and by topic.
    cells : mapping of (str, str) to (int, int)
        The same numbers by assessor and topic.
    """

    assessors: Mapping[str, tuple[int, int]]
    topics: Mapping[str, tuple[int, int]]
    cells: Mapping[tuple[str, str], tuple[int, int]]


def work() -> QuerySet[Assignment]:
    """Return the assignments of docs in the matrix."""
    return Assignment.objects.filter(crowd_hit=None, assessor__crowd_worker=None)


def work_of(**wanted: Any) -> list[Work]:
    """Return some assignments in the matrix, of docs and of answers, with topic and assessor."""
    return [
        each
        for found in (work(), AnswerAssignment.objects.filter(hit=""))
        for each in found.filter(**wanted).select_related("assessor", "topic").order_by("pk")
    ]


def matrix_sums() -> dict[str, int]:
    """Return the numbers of assigned and of judged docs and aspects in the matrix."""
    docs = work().aggregate(total=Sum("total", default=0), judged=Sum("judged", default=0))
    aspects = judged_items()
    return {
        "total": docs["total"] + aspects.count(),
        "judged": docs["judged"] + aspects.filter(is_judged=True).count(),
    }


def matrix_counts() -> dict[str, Any]:
    """Return assessors, topics and cells with their counts, for the page's script.

    A cell is `[assessor, topic, docs, judged docs, open assignments of docs, other items, judged
    other items, assignments of answers, open assignments of answers]`. Other items are pairs and
    aspects of answers.
    """
    titles = TopicVersion.objects.filter(version=F("topic__version"))
    people = set(Account.objects.exclude(assessor=None).values_list("assessor", flat=True))
    return {
        "newest": _newest(),
        "assessors": [
            [key, name, group, key in people]
            for key, name, group in Assessor.objects.filter(crowd_worker=None)
            .order_by("group", "name")
            .values_list("id", "name", "group")
        ],
        "topics": list(
            map(list, titles.order_by("topic__name").values_list("topic", "topic__name", "title"))
        ),
        "cells": [[*key, *cell] for key, cell in _cells().items()],
    }


def matrix_changes(docs: int, answers: int) -> dict[str, Any]:
    """Return the cells with events of docs or answers after the given events, and the new sums."""
    newer = (
        Event.objects.filter(pk__gt=docs, assignment__crowd_hit=None),
        AnswerEvent.objects.filter(pk__gt=answers, assignment__hit=""),
    )
    names = ("assignment__assessor", "assignment__topic")
    touched = {key for events in newer for key in events.values_list(*names).distinct()}
    cells = _cells({assessor for assessor, _ in touched}).items() if touched else ()
    return {
        "newest": _newest(),
        "sums": matrix_sums() if touched else {},
        "cells": [[*key, *cell] for key, cell in cells if key in touched],
    }


def _newest() -> list[int]:
    """Return the numbers of the newest events of docs and of answers."""
    last = Event.objects.order_by("-id").values_list("id", flat=True).first()
    return [last or 0, newest_answer_event()]


def _cells(assessors: Collection[int] | None = None) -> dict[tuple[int, int], list[int]]:
    """Return the counts of the cells, optionally of some assessors only."""
    cells: dict[tuple[int, int], list[int]] = {}
    own = {} if assessors is None else {"assessor__in": assessors}
    rows = work().filter(**own).values_list(*_CELL).iterator(5000)
    for assessor, topic, total, judged, is_open in rows:
        cell = cells.setdefault((assessor, topic), [0] * 7)
        cell[0] += total
        cell[1] += judged
        cell[2] += is_open
    aspects = _aspects(judged_items().filter(**{f"assignment__{k}": v for k, v in own.items()}))
    for assessor, topic, items, done in chain(_pairs().filter(**own), aspects):
        cell = cells.setdefault((assessor, topic), [0] * 7)
        cell[3] += items
        cell[4] += done
    of_answers = AnswerAssignment.objects.filter(hit="", **own)
    for assessor, topic, is_open in of_answers.values_list("assessor", "topic", "is_open"):
        cell = cells.setdefault((assessor, topic), [0] * 7)
        cell[5] += 1
        cell[6] += is_open
    return cells


def matrix_figures(*, hours: int = DEFAULT_HOURS) -> dict[str, Any]:
    """Return pace, agreement and flags by name, for the page's script."""
    speed, shares = measure_speed().value, alike().value
    flags: dict[str, list[str]] = {}
    for each in stuck(speed.codes, hours=hours):
        flags.setdefault(each.assessor, []).append(each.why)
    pace = {name: pace_of(seconds) for name, seconds in speed.seconds.items()}
    return {
        "pace": {name: round(each.median, 2) for name, each in pace.items() if each.count},
        "alike": dict(shares.assessors),
        "topics": dict(shares.topics),
        "cells": [[*names, *counts] for names, counts in shares.cells.items()],
        "flags": flags,
    }


def alike() -> Computed[Alike]:
    """Return the current agreement of first-round labels."""

    def compute(events: EventTable) -> Alike:
        found = (judgments_from(events), judgments_of_aspects(FIRST_ROUND))
        counts = [_alike_counts(each.current()) for each in found if each is not None]
        return Alike(*(reduce(_add_counts, each) for each in zip(*counts, strict=True)))

    return computed("alike", compute, newest_answer_event())


def _alike_counts(now: Judgments) -> tuple[Counts, Counts, Counts]:
    """Return the numbers of agreeing and compared labels by assessor, by topic and by both."""
    is_label = now.grade > UNJUDGED_CODE
    if now.aspect is not None:
        is_label |= now.grade == CONTRADICTS
    now = now.select(is_label)
    same, of = others_alike(now.topic * max(len(now.docs), 1) + now.doc, now.grade)
    cells = _sums(now.assessor * max(len(now.topics), 1) + now.topic, same, of)
    return (
        {now.assessors[key]: each for key, each in _sums(now.assessor, same, of).items()},
        {now.topics[key]: each for key, each in _sums(now.topic, same, of).items()},
        {
            (now.assessors[key // len(now.topics)], now.topics[key % len(now.topics)]): each
            for key, each in cells.items()
        },
    )


def _add_counts(first: Counts, second: Counts) -> Counts:
    both = {**first, **second}
    pairs = {key: (first.get(key, _NONE), second.get(key, _NONE)) for key in both}
    return {key: (a + c, b + d) for key, ((a, b), (c, d)) in pairs.items()}


def _sums(keys: AnyArray, same: IntArray, of: IntArray) -> dict[int, tuple[int, int]]:
    """Return the numbers of agreeing and compared labels, by key."""
    used, place = np.unique(keys, return_inverse=True)
    alike, all_ = (np.bincount(place, weights=each, minlength=used.size) for each in (same, of))
    return {
        key: (int(a), int(b))
        for key, a, b in zip(used.tolist(), alike.tolist(), all_.tolist(), strict=True)
        if b
    }


def _pairs() -> QuerySet[PairTask, tuple[int, int, int, int]]:
    """Return the pairs assigned to assessors, by topic."""
    held = PairTask.objects.filter(withdrawn=False, assessor__isnull=False, hit="")
    counted = held.values_list("assessor", "contest__topic").annotate(
        Count("id"), answered=Count("id", filter=Q(is_judged=True))
    )
    return counted.order_by()


def _aspects(items: QuerySet[AnswerAspect]) -> QuerySet[AnswerAspect, tuple[int, int, int, int]]:
    """Return the numbers of aspects and of judged aspects by assessor and topic."""
    counted = items.values_list("assignment__assessor", "assignment__topic")
    return counted.annotate(Count("id"), done=Count("id", filter=Q(is_judged=True))).order_by()
