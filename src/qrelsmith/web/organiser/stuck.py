"""Assessors for the organiser to follow up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from django.db.models import Count, F, Max, Min, Q, Sum
from django.utils import timezone

from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.models import Account, AnswerAssignment, AnswerEvent, Assignment
from qrelsmith.web.tables.event_table import all_events

DEFAULT_HOURS = 24
# Too many codes: at least this number, and more than this share of the labels.
MANY_CODES, CODES_SHARE = 5, 0.1


@dataclass(frozen=True, slots=True)
class Stuck:
    """An assessor who may be stuck, with the reason.

    Attributes
    ----------
    number : int
        The assessor's id.
    assessor, group : str
        Name and group of the assessor.
    why : str
        `silent`: opened a topic, but judged nothing for some hours. `unopened`: opened no topic.
        `codes`: marked many docs as impossible to judge.
    left : int
        Number of docs still to be judged.
    since : datetime or None
        Time of the last action; for `unopened`, when the oldest topic was assigned.
    codes, labels : int
        Number of labels that are codes, and of all labels.
    has_account : bool
        Whether a person can log in as this assessor.
    """

    number: int
    assessor: str
    group: str
    why: str
    left: int
    since: datetime | None
    codes: int
    labels: int
    has_account: bool


def stuck(
    codes: Mapping[str, tuple[int, int]],
    *,
    hours: int = DEFAULT_HOURS,
    last: Mapping[str, datetime] | None = None,
) -> list[Stuck]:
    """Return the assessors who may be stuck, in the order of their names.

    Parameters
    ----------
    codes : mapping of str to (int, int)
        For each assessor, the number of labels that are codes, and of all labels.
    hours : int
        Hours of inactivity.
    last : mapping of str to datetime, optional
        Time of each assessor's last action; by default from the events.
    """
    before = timezone.now() - timedelta(hours=hours)
    accounts = Account.objects.filter(is_active=True, forgotten_at=None)
    people = set(accounts.values_list("assessor__name", flat=True))
    last = last_judged() if last is None else last
    waiting = Q(is_open=True, judged__lt=F("total"))
    works: dict[tuple[str, int, str], list[tuple[Any, ...]]] = {}
    for table in (Assignment, AnswerAssignment):
        rows = table.objects.values_list("assessor__name", "assessor", "assessor__group").annotate(
            opened=Max("opened_at"), assigned=Min("created_at", filter=waiting)
        )
        for *whose, opened, assigned in map(tuple, rows.order_by()):
            works.setdefault(tuple(whose), []).append((opened, assigned))
    left = _unjudged_counts()
    problems = []
    for (name, number, group), own in sorted(works.items()):
        unfinished = left.get(name, 0) > 0
        opened, waits = ([row[place] for row in own if row[place]] for place in (0, 1))
        assigned = min(waits, default=timezone.now())
        done = max([*opened, *([last[name]] if name in last else [])], default=None)
        wrong, labels = codes.get(name, (0, 0))
        reasons = {
            "silent": unfinished and done is not None and done < before,
            "unopened": unfinished and done is None and assigned < before,
            "codes": wrong >= MANY_CODES and wrong > CODES_SHARE * labels,
        }
        problems += [
            Stuck(number, name, group, why, left.get(name, 0), done or assigned, wrong, labels,
                  name in people)
            for why, holds in reasons.items()
            if holds
        ]  # fmt: skip
    return problems


def _unjudged_counts() -> dict[str, int]:
    """Count each assessor's unjudged docs and aspects in open assignments."""
    docs = Assignment.objects.filter(is_open=True).values_list("assessor__name").order_by()
    aspects = judged_items().filter(assignment__is_open=True, is_judged=False).order_by()
    left = Counter(dict(docs.annotate(left=Sum("total") - Sum("judged"))))
    left.update(dict(aspects.values_list("assignment__assessor__name").annotate(Count("id"))))
    return left


def last_judged() -> dict[str, datetime]:
    """Return the time of each assessor's last action."""
    events = all_events()
    names = dict(Assignment.objects.values_list("id", "assessor__name"))
    used, of = np.unique(events.assignment, return_inverse=True)
    newest = np.zeros(used.size, dtype=np.int64)
    np.maximum.at(newest, of, events.accepted_at.astype(np.int64))
    last: dict[str, datetime] = {}
    for key, moment in zip(used.tolist(), newest.tolist(), strict=True):
        at = datetime.fromtimestamp(moment / 1e6, UTC)
        last[names[key]] = max(at, last.get(names[key], at))
    of_answers = AnswerEvent.objects.values_list("assessor__name").annotate(Max("accepted_at"))
    for name, at in of_answers.order_by():
        last[name] = max(at, last.get(name, at))
    return last
