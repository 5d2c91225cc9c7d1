"""The bounds of the scorecard's verdicts: all of them stand here and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from qrelsmith.base.content import CellVerdict
from qrelsmith.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """Two bounds of a figure; higher is better.

    Attributes
    ----------
    symbol : str
        What the figure is called in a sentence.
    brief : str
        What it is called above a column.
    good : float
        From here on the figure is good.
    bad : float
        Below this it is bad.
    source : str
        Where the bounds come from.
    says : mapping of str to str
        What each verdict says, with `{set}` and `{reference}`.
    """

    symbol: str
    brief: str
    good: float
    bad: float
    source: str
    says: Mapping[CellVerdict, str]

    def verdict(self, low: float, high: float) -> CellVerdict:
        """The verdict on an interval; nan: there is none, so that nothing is decided.

        >>> RANKS_ALL.verdict(0.91, 0.95), RANKS_ALL.verdict(0.75, 0.85)
        ('good', 'doubtful')
        """
        if math.isnan(low) or math.isnan(high):
            return "undecided"
        if low > high:
            raise UsageError(f"the interval [{low}, {high}] of {self.symbol} is upside down")
        if low >= self.good:
            return "good"
        if high < self.bad:
            return "bad"
        return "doubtful" if high < self.good else "undecided"

    def remaining(self, low: float, high: float) -> tuple[CellVerdict, ...]:
        """The verdicts that an interval which decides nothing leaves open.

        >>> RANKS_ALL.remaining(0.85, 0.95)
        ('good', 'doubtful')
        """
        if math.isnan(low) or math.isnan(high):
            return "good", "doubtful", "bad"
        names: tuple[CellVerdict, ...] = ("good",) if high >= self.good else ()
        names += ("doubtful",) if low < self.good and high >= self.bad else ()
        return names + (("bad",) if low < self.bad else ())


OUR_CHOICE = "our choice"
VOORHEES = "Voorhees 2000: at τ ≥ .9 rankings count as the same, below .8 changes are noticeable"

COMPLETE = VerdictRule(
    "the judged share of the top 10 in the worst run",
    "share judged in the worst run",
    good=0.95,
    bad=0.8,
    source=f"{OUR_CHOICE}: with a fifth of the top unjudged, scores are mostly guesses",
    says={
        "good": "nearly all of what the runs return at the top is judged",
        "doubtful": "some of what the runs return at the top is not judged",
        "bad": "much of what at least one run returns at the top is not judged",
        "undecided": "how much of the top of the worst run is judged is not decided",
    },
)
AGREES = VerdictRule(
    "α",
    "Krippendorff's α",
    good=0.8,
    bad=0.667,
    source="Krippendorff 2004: rely on α ≥ .8, draw tentative conclusions from α ≥ .667",
    says={
        "good": "grades mean what they mean to {reference}",
        "doubtful": "grades agree with those of {reference} for tentative conclusions at most",
        "bad": "grades do not mean what they mean to {reference}",
        "undecided": "whether grades mean what they mean to {reference} is not decided",
    },
)
RANKS_ALL = VerdictRule(
    "τ",
    "Kendall's τ",
    good=0.9,
    bad=0.8,
    source=VOORHEES,
    says={
        "good": "systems rank as under {reference}",
        "doubtful": "systems do not quite rank as under {reference}: some change places",
        "bad": "systems rank differently than under {reference}",
        "undecided": "whether systems rank as under {reference} is not decided",
    },
)
RANKS_TOP = VerdictRule(
    "the agreement at the top",
    "order of the best third kept",
    good=0.8,
    bad=0.6,
    source=OUR_CHOICE,
    says={
        "good": "the best systems of {reference} keep their order",
        "doubtful": "the best systems of {reference} do not quite keep their order",
        "bad": "the best systems of {reference} do not keep their order",
        "undecided": "whether the best systems of {reference} keep their order is not decided",
    },
)
# What is said where systems from below the best third rule out a good verdict on the top, or may.
LIFTED = "systems that {reference} ranks lower come among the best"
PERHAPS_LIFTED = "whether systems that {reference} ranks lower come among the best is not decided"
# What is said where the better half of the best third is turned round, and this rules out good.
TURNED = "the very best systems of {reference} do not keep their order"
FINDS_DIFFERENCES = VerdictRule(
    "the share of the differences that are found",
    "share found",
    good=0.8,
    bad=0.5,
    source=OUR_CHOICE,
    says={
        "good": "most differences that {reference} finds are found, and hardly any is turned round",
        "doubtful": "many differences that {reference} finds are missed",
        "bad": "differences that {reference} finds are mostly missed, or turned round",
        "undecided": "whether the differences that {reference} finds are found is not decided",
    },
)
# Of a set's own differences, the share whose means the reference has the other way: up to this, and
# how many pairs the reference must tell apart.
MOST_TURNED = 0.05
FEWEST_PAIRS = 10
# A favour that could not be seen leaves open whether a team is favoured if by it a run of any team
# would gain more places than this share of the runs.
MOST_UNSEEN = 0.02
FAIR_TO_NEW = VerdictRule(
    "τ without a team's own docs, in the worst case,",
    "τ of the worst team",
    good=0.9,
    bad=0.8,
    source=VOORHEES,
    says={
        "good": "a team that brought no docs would be ranked as if it had",
        "doubtful": "a team that brought no docs would be ranked somewhat lower than it should be",
        "bad": "a team that brought no docs would be ranked unfairly",
        "undecided": "whether a team that brought no docs would be ranked fairly is not decided",
    },
)
UNCONTESTED = VerdictRule(
    "the share of its zeros that independent judges do not call highly relevant",
    "share not contested",
    good=0.98,
    bad=0.9,
    source=f"{OUR_CHOICE}: in ordering-gold-bronze 6 % were contested, and half of these were"
    " relevant after all",
    says={
        "good": "independent judges hardly ever contest what {set} calls not relevant",
        "doubtful": "independent judges contest some of what {set} calls not relevant",
        "bad": "independent judges contest much of what {set} calls not relevant",
        "undecided": "whether independent judges contest what {set} calls not relevant is not"
        " decided",
    },
)
# From which κ on, given the reference's grade, two label sets have one vote.
SAME_VOTE = 0.4
# The share of the reference's zeros that a label set must have judged to have a vote on them.
LEAST_JUDGED = 0.5
# Every rule by the question that it is of.
RULES: Mapping[str, VerdictRule] = {
    "complete": COMPLETE,
    "agrees": AGREES,
    "ranks-all": RANKS_ALL,
    "ranks-top": RANKS_TOP,
    "finds-differences": FINDS_DIFFERENCES,
    "fair-to-new": FAIR_TO_NEW,
    "uncontested": UNCONTESTED,
}
