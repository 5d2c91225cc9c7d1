"""Rounds after the first: opened, listed, and what they brought.

A round is assignments of its own. The labels of the first round are never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError
from django.db.models import Count, Max, Sum
from django.utils.translation import gettext

from qrelsmith.agreement.disagreement.rejudging import (
    LabelChange,
    Rejudged,
    label_changes,
    later_labels,
)
from qrelsmith.judgments.own_consistency import OwnConsistency, own_consistency
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, RejudgingRound
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.organiser.first_looks import FirstLook, earliest, in_order
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import FIRST_ROUND, judgments_from


@dataclass(frozen=True, slots=True)
class Wish:
    """A round that is to be opened.

    Attributes
    ----------
    reason : str
        One of `RejudgingRound.Reason`.
    rule, reference : str
        What named the docs, and the group it was about.
    shows_labels : bool
        Whether assessors see the labels of the first round.
    assessor : Assessor or None
        Who judges all docs; None: each of those who judged them in the first round, their own.
    after : int
        The newest round that the organiser has seen: a second click opens no second round.
    """

    reason: str
    rule: str
    reference: str
    shows_labels: bool
    assessor: Assessor | None
    after: int


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round, and how far it is.

    Attributes
    ----------
    round : RejudgingRound
        Why, and what its assessors see.
    assessors, topics, total, judged : int
        How many they are, and how many docs, and how many of these have a label.
    """

    round: RejudgingRound
    assessors: int
    topics: int
    total: int
    judged: int


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """The result of a round.

    Attributes
    ----------
    rejudged : Rejudged
        The new labels by assessor and topic.
    changes : sequence of LabelChange
        What became of the labels of those who judged a doc in the first round, too.
    consistency : sequence of OwnConsistency
        How often each of them said the same again.
    """

    rejudged: Rejudged
    changes: Sequence[LabelChange]
    consistency: Sequence[OwnConsistency]


def newest_round() -> int:
    """Return the number of the newest round."""
    found = Assignment.objects.aggregate(newest=Max("round"))["newest"]
    return max(found or 0, FIRST_ROUND)


def open_round(looks: Iterable[FirstLook], wish: Wish) -> RejudgingRound:
    """Open a round: an assignment for each assessor and topic, docs in the order of the first one.

    Raises
    ------
    RefusedError
        If there is nothing to judge, or another round was opened meanwhile; nothing has changed.
    """
    docs = in_order(looks) if wish.assessor is None else in_order(earliest(list(looks)))
    if not docs:
        raise RefusedError("nothing", gettext("No docs to judge again."))
    shares: dict[tuple[int, int], list[FirstLook]] = {}
    for look in docs:
        assessor = look.assessor if wish.assessor is None else wish.assessor.pk
        shares.setdefault((assessor, look.topic), []).append(look)
    try:
        with writing():
            number = newest_round() + 1
            if number != wish.after + 1:
                raise RefusedError(
                    "stale", gettext("Another round was opened meanwhile; reload the page.")
                )
            opened = RejudgingRound.objects.create(
                number=number,
                reason=wish.reason,
                rule=wish.rule,
                reference=wish.reference,
                shows_labels=wish.shows_labels,
            )
            for (assessor, topic), share in shares.items():
                _assign(number, assessor, topic, share)
    except IntegrityError:
        raise RefusedError(
            "stale", gettext("Another round was opened meanwhile; reload the page.")
        ) from None
    return opened


def rounds() -> list[RoundState]:
    """All rounds after the first, the newest first."""
    rows = (
        Assignment.objects.filter(round__gt=FIRST_ROUND)
        .values_list("round")
        .annotate(
            Count("assessor", distinct=True),
            Count("topic", distinct=True),
            Sum("total"),
            Sum("judged"),
        )
    )
    counts = {row[0]: row[1:] for row in map(tuple, rows)}
    return [
        RoundState(each, *counts.get(each.number, (0, 0, 0, 0)))
        for each in RejudgingRound.objects.order_by("-number")
    ]


def docs_of_round(number: int) -> list[tuple[str, str]]:
    """Topic and doc of everything that a round judges again, sorted."""
    docs = AssignedDoc.objects.filter(assignment__round=number)
    return sorted(set(docs.values_list("assignment__topic__name", "doc__name")))


def rejudged_in(reason: str) -> dict[tuple[str, str], int]:
    """Return the newest round in which each doc of a topic is judged again for a reason."""
    numbers = RejudgingRound.objects.filter(reason=reason).values_list("number", flat=True)
    docs = AssignedDoc.objects.filter(assignment__round__in=list(numbers))
    rows = docs.order_by("assignment__round").values_list(
        "assignment__topic__name", "doc__name", "assignment__round"
    )
    return {(topic, doc): number for topic, doc, number in rows}


def outcome(number: int) -> Computed[RoundOutcome]:
    """Return the result of a round so far."""

    def compute(events: EventTable) -> RoundOutcome:
        second = judgments_from(events, number)
        first = judgments_from(events)
        return RoundOutcome(
            later_labels(docs_of_round(number), second),
            label_changes(first, second),
            own_consistency(first, second),
        )

    return computed("round", compute, number)


def _assign(number: int, assessor: int, topic: int, share: Sequence[FirstLook]) -> None:
    """Record an assignment; its ordering and seed are those of the first round, if they are one."""
    orders = {(look.ordering, look.seed) for look in share}
    ordering, seed = orders.pop() if len(orders) == 1 else ("", None)
    assignment = Assignment(
        assessor_id=assessor, topic_id=topic, round=number, ordering=ordering, seed=seed
    )
    record_assignment(assignment, list(dict.fromkeys(look.doc for look in share)))
