"""The docs in serious disagreement, judged again by Gold (Section 8, Tables 14 and 15)."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.agreement.disagreement.rejudging import (
    NewLabels,
    Rejudged,
    rejudged_labels,
    round_docs,
    serious,
)
from qrelsmith.agreement.disagreement.rules import SERIOUS, Rule
from qrelsmith.base.errors import UndefinedError
from qrelsmith.judgments.own_consistency import ALL
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.www4 import RealLabels, www4

NOTHING = "docs in serious disagreement; the campaign has none"
_ORDERING = "prioritised"


@dataclass(frozen=True, eq=False)
class SecondRound:
    """The list, and what was said of it.

    Attributes
    ----------
    collection : JudgedCollection
        Where.
    listed : GoldBronze
        The docs that the rule names, of the topics that Gold was shown prioritised.
    found : Rejudged
        The distribution of the second labels.
    """

    collection: JudgedCollection
    listed: GoldBronze
    found: Rejudged

    def total(self) -> NewLabels:
        """All second labels."""
        return next(row for row in self.found.rows if (row.assessor, row.topic) == (ALL, ALL))

    def share_relevant(self) -> float:
        """The share of the docs that are relevant after all."""
        total = self.total()
        return sum(n for level, n in total.counts.items() if level > 0) / total.rejudged


def kind_of_second(inputs: StudyInputs) -> ClaimKind:
    """The kind of what is computed from second labels."""
    return ClaimKind.SIMULATED if _real(inputs) is None else ClaimKind.RECOMPUTED


def second_round_of(inputs: StudyInputs) -> SecondRound | None:
    """The serious disagreements and what Gold said of them again; None if there are none.

    Gold's own second labels where they are there, else those of a simulated second look.
    """
    real = _real(inputs)
    if real is not None and real.second is not None:
        listed = _serious_docs(real.collection)
        return SecondRound(real.collection, listed, rejudged_labels(listed, real.second))
    simulated = simulated_campaign(inputs)
    listed = _serious_docs(simulated.collection)
    try:
        _, docs = round_docs(listed)
    except UndefinedError:
        return None
    again = rejudged_labels(listed, simulated.judged_again(docs))
    return SecondRound(simulated.collection, listed, again)


def _real(inputs: StudyInputs) -> RealLabels | None:
    real = www4(inputs)
    return real if real is not None and real.is_whole and real.second is not None else None


def _serious_docs(collection: JudgedCollection) -> GoldBronze:
    return serious(
        collection.gold_and_bronze.of_orderings([_ORDERING]),
        [Rule.parse(SERIOUS)],
        relevant=collection.relevant,
        high=collection.scale.top,
    )
