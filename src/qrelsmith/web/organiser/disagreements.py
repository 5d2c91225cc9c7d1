"""Docs about which the reference and the other groups disagree now."""

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
    """A question about open disagreements.

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
    rule: str = SERIOUS_EITHER_WAY
    ordering: str = ""


def voices() -> list[str]:
    """Return the groups, and the assessors in none, who have judged anything in the first round."""
    judges = Assessor.objects.filter(assignments__round=FIRST_ROUND, assignments__judged__gt=0)
    names = judges.values_list("group", "name")
    return sorted({group or name for group, name in names})


def default_question() -> OpenDisagreement | None:
    """Return the group with the role gold, or the first, and the others; None if there is one."""
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
