"""Rounds after the first: opening, listing, and results.

A round has separate assignments. The labels of the first round never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError
from django.db.models import Max
from django.utils.translation import gettext

from qrelsmith.agreement.disagreement.rejudging import (
    LabelChange,
    Rejudged,
    label_changes,
    later_labels,
)
from qrelsmith.base.items import item_key
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.own_consistency import OwnConsistency, own_consistency
from qrelsmith.web.answers.copies import copy_items
from qrelsmith.web.answers.kind import judged_items, newest_answer_event, run_of
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.graded.judgments import judgments_of_round
from qrelsmith.web.models import (
    AnswerAspect,
    AnswerAssignment,
    Assessor,
    AssignedDoc,
    Assignment,
    RejudgingRound,
)
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.organiser.first_looks import FirstLook, earliest, in_order
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import FIRST_ROUND, judgments_from

_TABLES = (Assignment, AnswerAssignment)


@dataclass(frozen=True, slots=True)
class Wish:
    """A request for a round.

    Attributes
    ----------
    reason : str
        One of `RejudgingRound.Reason`.
    rule, reference : str
        The rule that selected the docs, and the reference group.
    shows_labels : bool
        Whether assessors see the labels of the first round.
    assessor : Assessor or None
        The assessor of all docs. If None, each first-round assessor judges their own docs.
    after : int
        The newest round that the organiser has seen, so that a second click opens no second round.
    """

    reason: str
    rule: str
    reference: str
    shows_labels: bool
    assessor: Assessor | None
    after: int


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round with its progress.

    Attributes
    ----------
    round : RejudgingRound
        The round, with its reason and display options.
    assessors, topics, total, judged : int
        Numbers of assessors and topics, of docs, and of docs with a label.
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
        Changes of labels by assessors who also judged the doc in the first round.
    consistency : sequence of OwnConsistency
        How often each of these assessors gave the same label again.
    """

    rejudged: Rejudged
    changes: Sequence[LabelChange]
    consistency: Sequence[OwnConsistency]


def newest_round() -> int:
    """Return the number of the newest round."""
    found = [each.objects.aggregate(Max("round"))["round__max"] for each in _TABLES]
    return max(FIRST_ROUND, *(newest or 0 for newest in found))


def open_round(
    looks: Iterable[FirstLook], wish: Wish, aspects: Iterable[AnswerAspect] = ()
) -> RejudgingRound:
    """Open a round: one assignment per assessor and topic, with docs in first-round order.

    Parameters
    ----------
    looks : iterable of FirstLook
        The docs to judge again.
    wish : Wish
        The request.
    aspects : iterable of AnswerAspect
        The aspects of answers, in the new order; their assessors judge them again.

    Raises
    ------
    RefusedError
        If there is nothing to judge, or another round was opened in the meantime. Nothing is
        changed then.
    """
    docs = in_order(looks) if wish.assessor is None else in_order(earliest(list(looks)))
    shares: dict[tuple[int, int], list[FirstLook]] = {}
    answers: dict[tuple[int, int], list[AnswerAspect]] = {}
    for aspect in aspects:
        whose = aspect.assignment.assessor_id, aspect.assignment.topic_id
        answers.setdefault(whose, []).append(aspect)
    if not docs and not answers:
        raise RefusedError("nothing", gettext("There is nothing to judge again."))
    for look in docs:
        assessor = look.assessor if wish.assessor is None else wish.assessor.pk
        shares.setdefault((assessor, look.topic), []).append(look)
    try:
        with writing():
            number = newest_round() + 1
            if number != wish.after + 1:
                raise RefusedError(
                    "stale", gettext("Another round was opened in the meantime. Reload the page.")
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
            for (assessor, topic), items in answers.items():
                copy_items(items, assessor=assessor, topic=topic, round_=number)
    except IntegrityError:
        raise RefusedError(
            "stale", gettext("Another round was opened in the meantime. Reload the page.")
        ) from None
    return opened


def rounds() -> list[RoundState]:
    """Return all rounds after the first, the newest first."""
    columns = ("round", "assessor", "topic", "total", "judged")
    rows: dict[int, list[tuple[Any, ...]]] = {}
    for table in _TABLES:
        for number, *row in table.objects.filter(round__gt=FIRST_ROUND).values_list(*columns):
            rows.setdefault(number, []).append(tuple(row))
    states = []
    for each in RejudgingRound.objects.order_by("-number"):
        assessors, topics, total, judged = zip(*rows.get(each.number, ((0,) * 4,)), strict=True)
        people, about = len({*assessors} - {0}), len({*topics} - {0})
        states.append(RoundState(each, people, about, sum(total), sum(judged)))
    return states


def docs_of_round(number: int) -> list[tuple[str, str]]:
    """Return the topic and the doc or aspect of each item judged again in a round, sorted."""
    docs = AssignedDoc.objects.filter(assignment__round=number)
    aspects = judged_items().filter(assignment__round=number).select_related("assignment__topic")
    items = {
        (each.assignment.topic.name, item_key(run_of(each), each.aspect))
        for each in aspects.iterator(chunk_size=2000)
    }
    return sorted(items.union(docs.values_list("assignment__topic__name", "doc__name")))


def rejudged_in(reason: str) -> dict[tuple[str, str], int]:
    """Return, for each rejudged doc of a topic, the newest round that has the given reason."""
    numbers = RejudgingRound.objects.filter(reason=reason).values_list("number", flat=True)
    docs = AssignedDoc.objects.filter(assignment__round__in=list(numbers))
    rows = docs.order_by("assignment__round").values_list(
        "assignment__topic__name", "doc__name", "assignment__round"
    )
    return {(topic, doc): number for topic, doc, number in rows}


def outcome(number: int) -> Computed[RoundOutcome]:
    """Return the results of a round so far."""

    def judgments(events: EventTable, round_: int) -> Judgments:
        own = judgments_of_round(round_) if has_answers(number) else None
        return own or judgments_from(events, round_)

    def compute(events: EventTable) -> RoundOutcome:
        first, second = (judgments(events, each) for each in (FIRST_ROUND, number))
        return RoundOutcome(
            later_labels(docs_of_round(number), second),
            label_changes(first, second),
            own_consistency(first, second),
        )

    return computed("round", compute, number, newest_answer_event())


def has_answers(number: int) -> bool:
    """Return whether aspects of answers are judged in a round."""
    return AnswerAssignment.objects.filter(round=number).exists()


def _assign(number: int, assessor: int, topic: int, share: Sequence[FirstLook]) -> None:
    """Record an assignment; it keeps the ordering and seed if its docs share one of each."""
    orders = {(look.ordering, look.seed) for look in share}
    ordering, seed = orders.pop() if len(orders) == 1 else ("", None)
    assignment = Assignment(
        assessor_id=assessor, topic_id=topic, round=number, ordering=ordering, seed=seed
    )
    record_assignment(assignment, list(dict.fromkeys(look.doc for look in share)))
