"""Docs on which the reference and the other groups currently disagree."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.agreement.disagreement.disagree import disagree
from qrelsmith.agreement.disagreement.disagreement_result import Disagreements
from qrelsmith.agreement.disagreement.rules import SERIOUS_EITHER_WAY, Rule
from qrelsmith.web.models import Assessor
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.organiser.efficiency import RELEVANT, highly_relevant
from qrelsmith.web.project import current_instance
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import FIRST_ROUND, judgments_from


@dataclass(frozen=True, slots=True)
class OpenDisagreement:
    """A query for open disagreements.

    Attributes
    ----------
    reference : str
        The group with which the other groups are compared.
    others : tuple of str
        The other groups to include.
    rule : str
        The rule for serious disagreements.
    ordering : str
        Only docs shown to the reference in this ordering; empty for all.
    """

    reference: str
    others: tuple[str, ...]
    rule: str = SERIOUS_EITHER_WAY
    ordering: str = ""


def voices() -> list[str]:
    """Return all groups, and assessors without a group, that have first-round judgments."""
    judges = Assessor.objects.filter(assignments__round=FIRST_ROUND, assignments__judged__gt=0)
    names = judges.values_list("group", "name")
    return sorted({group or name for group, name in names})


def default_question() -> OpenDisagreement | None:
    """Return a query with the gold or first group as reference; None if there is only one group."""
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
    """Return the disagreements of the reference and the other groups in the first round.

    Raises
    ------
    UsageError
        If the rule is invalid, or the group or ordering does not exist.
    UndefinedError
        If no doc was judged by all groups.
    """
    Rule.parse(question.rule)

    def compute(events: EventTable) -> Disagreements:
        judgments = judgments_from(events)
        return disagree(
            judgments,
            gold=question.reference,
            bronze=question.others,
            rules=[question.rule],
            orderings=[question.ordering] if question.ordering else (),
            relevant=RELEVANT,
            high=highly_relevant(judgments),
        )

    options = (question.reference, question.others, question.rule, question.ordering)
    return computed("disagreements", compute, *options, is_wanted_now=is_wanted_now)
