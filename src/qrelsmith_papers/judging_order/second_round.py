"""The docs in serious disagreement, judged again by Gold (Section 8, Tables 14 and 15)."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.agreement.disagreement.rejudging import (
    ALL,
    NewLabels,
    Rejudged,
    rejudged_labels,
    round_docs,
    serious,
)
from qrelsmith.agreement.disagreement.rules import SERIOUS, Rule
from qrelsmith.base.errors import UndefinedError
from qrelsmith_papers.judging_order.simulated import Simulated

NOTHING = "docs in serious disagreement; the simulated campaign has none"
_ORDERING = "prioritised"


@dataclass(frozen=True, eq=False)
class SecondRound:
    """The list, and what was said of it.

    Attributes
    ----------
    listed : GoldBronze
        The docs that the rule names, of the topics that Gold was shown prioritised.
    found : Rejudged
        The distribution of the second labels.
    """

    listed: GoldBronze
    found: Rejudged

    def total(self) -> NewLabels:
        """All second labels."""
        return next(row for row in self.found.rows if (row.assessor, row.topic) == (ALL, ALL))

    def share_relevant(self) -> float:
        """The share of the docs that are relevant after all."""
        total = self.total()
        return sum(n for level, n in total.counts.items() if level > 0) / total.rejudged


def second_round_of(simulated: Simulated) -> SecondRound | None:
    """List the serious disagreements and let Gold judge them again; None if there are none."""
    collection = simulated.collection
    listed = serious(
        collection.gold_and_bronze.of_orderings([_ORDERING]),
        [Rule.parse(SERIOUS)],
        relevant=collection.relevant,
        high=collection.scale.top,
    )
    try:
        _, docs = round_docs(listed)
    except UndefinedError:
        return None
    return SecondRound(listed, rejudged_labels(listed, simulated.judged_again(docs)))
