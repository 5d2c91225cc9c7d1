"""Docs about which the reference and the other groups disagree now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.analyses.disagreement_rules import SERIOUS, Rule
from qrelsmith.analyses.disagreements import (
    DisagreementCount,
    OrderingsCompared,
    disagreement_counts,
    orderings_compared,
)
from qrelsmith.analyses.gold_bronze import GoldBronze, gold_and_bronze
from qrelsmith.analyses.rejudging import serious
from qrelsmith.web.models import Assessor
from qrelsmith.web.organising.computed import Computed, computed
from qrelsmith.web.organising.efficiency import RELEVANT, highly_relevant
from qrelsmith.web.organising.event_table import EventTable
from qrelsmith.web.organising.judged import FIRST_ROUND, judgments_from
from qrelsmith.web.project import current_instance


@dataclass(frozen=True, slots=True)
class OpenDisagreement:
    """What is asked.

    Attributes
    ----------
    reference : str
        The group that the others are compared with.
    others : tuple of str
        The other groups that count.
    rule : str
        Which disagreements are serious.
    ordering : str
        Only docs that the reference was shown in this ordering; empty: all.
    """

    reference: str
    others: tuple[str, ...]
    rule: str = SERIOUS
    ordering: str = ""


@dataclass(frozen=True, slots=True)
class Disagreements:
    """The answer.

    Attributes
    ----------
    labels : GoldBronze
        The docs that the reference and all others judged, the serious ones in the original order.
    counts, tests : sequence
        Table 8 of ordering-gold-bronze, and the orderings compared.
    docs, unmatched : int
        How many docs all judged, and how many of the reference's not all others did.
    relevant, high : float
        The grades from which on a doc is relevant, and highly relevant.
    """

    labels: GoldBronze
    counts: Sequence[DisagreementCount]
    tests: Sequence[OrderingsCompared]
    docs: int
    unmatched: int
    relevant: float
    high: float


def voices() -> list[str]:
    """The groups, and the assessors in none, who have judged anything in the first round."""
    judges = Assessor.objects.filter(assignments__round=FIRST_ROUND, assignments__judged__gt=0)
    names = judges.values_list("group", "name")
    return sorted({group or name for group, name in names})


def default_question() -> OpenDisagreement | None:
    """The group with the role gold, or the first one, against all others; None if there is one."""
    names = voices()
    groups = current_instance().campaign.groups
    gold = [name for name in names if name in groups and groups[name].role == "gold"]
    if len(names) < 2:
        return None
    reference = (gold or names)[0]
    return OpenDisagreement(reference, tuple(name for name in names if name != reference))


def disagreements(
    question: OpenDisagreement, *, is_wanted_now: bool = False
) -> Computed[Disagreements]:
    """Where the reference and the others disagree in the first round.

    Raises
    ------
    UsageError
        If the rule cannot be read, or there is no such group or ordering.
    UndefinedError
        If no doc was judged by all of them.
    """
    rule = Rule.parse(question.rule)
    labels = computed(
        "gold-and-bronze", lambda events: _labels(events, question), question.reference,
        question.others, is_wanted_now=is_wanted_now,
    )  # fmt: skip
    found, high = labels.value
    if question.ordering:
        found = found.of_orderings([question.ordering])
    listed = serious(found, [rule], relevant=RELEVANT, high=high)
    return labels.then(
        Disagreements(
            labels=listed,
            counts=list(disagreement_counts(found, relevant=RELEVANT, high=high)),
            tests=list(orderings_compared(found, relevant=RELEVANT)),
            docs=len(found.docs),
            unmatched=found.unmatched,
            relevant=RELEVANT,
            high=high,
        ),
    )


def _labels(events: EventTable, question: OpenDisagreement) -> tuple[GoldBronze, float]:
    judgments = judgments_from(events)
    labels = gold_and_bronze(judgments, question.reference, question.others)
    return labels, highly_relevant(judgments)
