"""Preference judging for the organiser: preference tasks, open pairs, attention checks, repeats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from qrelsmith.stats.proportions import wilson_interval
from qrelsmith.web.models import Contest, PairTask

# A pair assigned this long ago is marked as old.
LONG_AGO = timedelta(hours=1)
# Sign of the outcome if the better doc of an attention check was chosen; a tie is wrong.
_SIGNS = {"left": -1, "right": 1}


@dataclass(frozen=True, slots=True)
class ContestState:
    """The progress of a topic's preference task.

    Attributes
    ----------
    topic, assessor : str
        The topic, and the assessor of all its pairs; empty if anyone may judge them.
    state : str
        `done`, `closed` or `open`.
    candidates, round : int
        Number of competing docs, and the newest round of pairs.
    judged, total : int
        Number of answered pairs, and of all pairs in use.
    waiting, held : int
        Numbers of unassigned pairs, and of pairs assigned but not answered.
    oldest : datetime or None
        When the oldest of the assigned pairs was assigned.
    method, k : str, int
        The method for finding the best docs, and their number.
    """

    topic: str
    assessor: str
    state: str
    candidates: int
    round: int
    judged: int
    total: int
    waiting: int
    held: int
    oldest: datetime | None
    method: str
    k: int


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A pair without an answer.

    Attributes
    ----------
    topic, left, right, assessor : str
        The pair, and its assessor; empty if unassigned.
    number, round, slot : int
        Its number in the task, its round, and its place among several answers to the same pair.
    purpose : str
        `search`, `challenge` or `swapped`.
    since : datetime or None
        When it was assigned.
    is_old : bool
        Whether it was assigned long ago.
    """

    topic: str
    left: str
    right: str
    assessor: str
    number: int
    round: int
    slot: int
    purpose: str
    since: datetime | None
    is_old: bool


@dataclass(frozen=True, slots=True)
class Attention:
    """An assessor's results in attention checks and repeats.

    Attributes
    ----------
    assessor, group : str
        Name and group of the assessor.
    pairs : int
        Number of answered pairs, other than checks and repeats.
    challenges, missed : int
        Number of attention checks answered, and answered wrongly; a tie is wrong.
    low, high : float
        95% interval of the share answered wrongly (Wilson); nan without a check.
    repeats, turned : int
        Number of pairs answered again with swapped sides, and number of those with a different
        answer.
    """

    assessor: str
    group: str
    pairs: int
    challenges: int
    missed: int
    repeats: int
    turned: int
    low: float = math.nan
    high: float = math.nan

    @property
    def share_missed(self) -> float:
        """The share of attention checks answered wrongly."""
        return self.missed / self.challenges if self.challenges else math.nan

    @property
    def share_turned(self) -> float:
        """The share of repeats with a different answer."""
        return self.turned / self.repeats if self.repeats else math.nan


def has_preferences() -> bool:
    """Return whether this app judges preferences and has a preference task."""
    return Contest.objects.exists()


def contest_states() -> list[ContestState]:
    """Return the state of all preference tasks, by topic."""
    pairs = Q(pairs__withdrawn=False)
    unanswered = pairs & Q(pairs__is_judged=False)
    held = unanswered & Q(pairs__assessor__isnull=False)
    contests = (
        Contest.objects.select_related("topic", "assessor")
        .annotate(
            newest=Max("pairs__round", filter=pairs),
            unanswered=Count("pairs", filter=unanswered),
            held=Count("pairs", filter=held),
            oldest=Min("pairs__claimed_at", filter=held),
        )
        .order_by("topic__name")
    )
    return [
        ContestState(
            topic=contest.topic.name,
            assessor=contest.assessor.name if contest.assessor else "",
            state="done" if contest.is_done else "open" if contest.is_open else "closed",
            candidates=len(contest.candidates),
            round=contest.newest or 0,
            judged=contest.judged,
            total=contest.total,
            waiting=contest.unanswered - contest.held,
            held=contest.held,
            oldest=contest.oldest,
            method=str(contest.setting.get("method", "")),
            # Sampled pairs do not search for the best docs.
            k=0 if contest.setting.get("pairs") else int(contest.setting.get("k", 0)),
        )
        for contest in contests
    ]  # fmt: skip


def open_pairs(most: int) -> tuple[Sequence[OpenPair], int]:
    """Return unanswered pairs, the oldest assignments first, and the number of further pairs.

    Parameters
    ----------
    most : int
        The largest number of pairs to return.
    """
    tasks = PairTask.objects.filter(withdrawn=False, is_judged=False)
    rows = tasks.select_related("contest__topic", "left", "right", "assessor").order_by(
        "claimed_at", "contest__topic__name", "number"
    )
    held, free = (rows.filter(assessor__isnull=is_free)[:most] for is_free in (False, True))
    before = timezone.now() - LONG_AGO
    cells = [
        OpenPair(
            topic=task.contest.topic.name,
            left=task.left.name,
            right=task.right.name,
            assessor=task.assessor.name if task.assessor else "",
            number=task.number,
            round=task.round,
            slot=task.slot,
            purpose=task.purpose,
            since=task.claimed_at,
            is_old=task.claimed_at is not None and task.claimed_at < before,
        )
        for task in (*held, *free)
    ][:most]
    return cells, max(tasks.count() - len(cells), 0)


def attention() -> list[Attention]:
    """Return every assessor's results in attention checks and repeats, by group and name."""
    columns = (
        "assessor__group", "assessor__name", "contest", "round", "left", "right", "purpose",
        "better", "outcome",
    )  # fmt: skip
    answered = PairTask.objects.filter(is_judged=True, assessor__isnull=False)
    rows: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for group, name, *row in answered.values_list(*columns):
        rows.setdefault((group, name), []).append(tuple(row))
    return [_attention(group, name, rows[group, name]) for group, name in sorted(rows)]


def _attention(group: str, name: str, rows: Sequence[tuple[Any, ...]]) -> Attention:
    search, challenges, repeats = (
        [row for row in rows if row[4] == purpose] for purpose in ("search", "challenge", "swapped")
    )
    missed = sum(outcome * _SIGNS[better] <= 0 for *_, better, outcome in challenges)
    before = {row[:4]: row[-1] for row in search}
    pairs = [
        (before.get((contest, round_, right, left)), outcome)
        for contest, round_, left, right, *_, outcome in repeats
    ]
    defined = [(-first, outcome) for first, outcome in pairs if first is not None]
    low, high = wilson_interval(missed, len(challenges))
    return Attention(
        assessor=name,
        group=group,
        pairs=len(search),
        challenges=len(challenges),
        missed=missed,
        repeats=len(defined),
        turned=sum(_sign(first) != _sign(outcome) for first, outcome in defined),
        low=low,
        high=high,
    )


def _sign(outcome: int) -> int:
    return (outcome > 0) - (outcome < 0)
