"""The bounds of the scorecard's verdicts, weak priors, and the words for probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from qrelsmith.base.content import CellVerdict
from qrelsmith.base.scipy_parts import special

# A verdict is certain from the probability SURE, and probable from LIKELY. The alternative is
# ruled out up to UNLIKELY.
SURE, LIKELY, UNLIKELY = 0.975, 0.8, 0.2


def word_of(p_good: float, p_bad: float) -> CellVerdict:
    """Return the verdict for the probabilities that the true value is good, and that it is bad.

    >>> [word_of(*p) for p in ((0.98, 0.0), (0.1, 0.1), (0.4, 0.1), (0.4, 0.4))]
    ['good', 'fair', 'fair or better', 'unclear']
    """
    for surely, probably, p in (("good", "probably good", p_good), ("bad", "probably bad", p_bad)):
        if p >= LIKELY:
            return surely if p >= SURE else probably  # type: ignore[return-value]
    not_good, not_bad = p_good <= UNLIKELY, p_bad <= UNLIKELY
    if not_good and not_bad:
        return "fair"
    return "fair or better" if not_bad else "fair or worse" if not_good else "unclear"


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """Two bounds of a figure.

    Attributes
    ----------
    symbol : str
        The name of the figure in a sentence.
    brief : str
        The name of the figure as a column header.
    good : float
        The figure is good from this bound on.
    bad : float
        The figure is bad beyond this bound.
    source : str
        The source of the bounds.
    says : mapping of str to str
        The sentences of the verdicts good, fair and bad, with `{set}` and `{reference}`.
    prior : (float, float), optional
        Mean and standard deviation of the weak prior.
    lower_is_better : bool
        Whether low values are good. If so, the figure is good up to `good`, and bad above `bad`.
    """

    symbol: str
    brief: str
    good: float
    bad: float
    source: str
    says: Mapping[CellVerdict, str]
    prior: tuple[float, float] | None = None
    lower_is_better: bool = False

    def bounds(self, text: Callable[[float], str], *, unit: float = 1.0) -> str:
        """Return the bounds in words, with numbers formatted by `text`.

        >>> RANKS_ALL.bounds("{:g}".format)
        'good if at least 0.9, bad if below 0.8'
        """
        good, bad = ("at most", "above") if self.lower_is_better else ("at least", "below")
        return f"good if {good} {text(self.good * unit)}, bad if {bad} {text(self.bad * unit)}"

    def plain(self, value: float) -> CellVerdict:
        """Return the verdict for a value whose distribution is unknown.

        >>> [RANKS_ALL.plain(tau) for tau in (0.9, 0.85, 0.7)]
        ['good', 'fair', 'bad']
        """
        sign = -1 if self.lower_is_better else 1
        if sign * value >= sign * self.good:
            return "good"
        return "bad" if sign * value < sign * self.bad else "fair"

    def probabilities(self, value: float, se: float, *, size: int) -> tuple[float, float]:
        """Return the probabilities that the true value is good, and that it is bad.

        Parameters
        ----------
        value, se : float
            The figure and its standard error; nan if undefined.
        size : int
            Number of topics.

        Notes
        -----
        Each probability is computed twice from Student's t with size − 1 degrees of freedom: around
        the value, and around the value shrunk to the prior's mean with the combined variance. The
        smaller probability is used, because near a bound the value alone errs too often.
        """
        if math.isnan(se) or math.isnan(value):
            return math.nan, math.nan
        if se == 0:
            word = self.plain(value)
            return float(word == "good"), float(word == "bad")
        centres = [(value, se)]
        if self.prior is not None:
            mean, spread = self.prior
            weight = spread**2 / (spread**2 + se**2)
            centres.append((weight * value + (1 - weight) * mean, se * math.sqrt(weight)))
        sign = -1 if self.lower_is_better else 1
        good, bad = (
            min(
                float(special.stdtr(size - 1, side * sign * (centre - bound) / scale))
                for centre, scale in centres
            )
            for side, bound in ((1, self.good), (-1, self.bad))
        )
        return good, bad


OUR_CHOICE = "our choice"
VOORHEES = "Voorhees 2000: rankings count as equal if τ ≥ .9, and change noticeably if τ < .8"

PICKS_THE_BEST = VerdictRule(
    "the loss",
    "loss",
    good=0.05,
    bad=0.1,
    source=f"{OUR_CHOICE}, as a share of the reference's best mean score",
    says={
        "good": "little is lost by choosing the best system with {set}",
        "fair": "some effectiveness is lost by choosing the best system with {set}",
        "bad": "much is lost by choosing the best system with {set}",
    },
    prior=(0.06, 0.08),
    lower_is_better=True,
)
COMPLETE = VerdictRule(
    "the judged share of the top 10 in the worst run",
    "judged share",
    good=0.95,
    bad=0.8,
    source=f"{OUR_CHOICE}: if a fifth of the top docs is unjudged, scores are mostly guesses",
    says={
        "good": "nearly all top docs of the runs are judged",
        "fair": "some top docs of the runs are not judged",
        "bad": "many top docs of at least one run are not judged",
    },
)
AGREES = VerdictRule(
    "α",
    "α",
    good=0.8,
    bad=0.667,
    source="Krippendorff 2004: rely on α ≥ .8, draw tentative conclusions from α ≥ .667",
    says={
        "good": "the grades agree with those of {reference}",
        "fair": "the grades agree with those of {reference} well enough for tentative conclusions",
        "bad": "the grades do not agree with those of {reference}",
    },
    prior=(0.7, 0.2),
)
RANKS_ALL = VerdictRule(
    "τ",
    "τ",
    good=0.9,
    bad=0.8,
    source=VOORHEES,
    says={
        "good": "systems are ranked as under {reference}",
        "fair": "systems are ranked nearly as under {reference}",
        "bad": "systems are not ranked as under {reference}",
    },
    prior=(0.75, 0.2),
)
RANKS_TOP = VerdictRule(
    "the agreement at the top",
    "top agreement",
    good=0.8,
    bad=0.6,
    source=OUR_CHOICE,
    says={
        "good": "the best systems of {reference} keep their order",
        "fair": "the best systems of {reference} nearly keep their order",
        "bad": "the best systems of {reference} do not keep their order",
    },
    prior=(0.75, 0.2),
)
FINDS_DIFFERENCES = VerdictRule(
    "the share found",
    "share found",
    good=0.8,
    bad=0.5,
    source=OUR_CHOICE,
    says={
        "good": "{set} finds most differences that {reference} finds, and reverses few",
        "fair": "{set} misses many differences that {reference} finds",
        "bad": "{set} misses most differences that {reference} finds, or reverses some",
    },
)
# Highest share of a set's significant differences that the reference reverses, and the smallest
# number of pairs that the reference must separate.
MOST_TURNED = 0.05
FEWEST_PAIRS = 10
# An undetected bias toward a team matters if it lifts a run by more places than this share of the
# runs.
MOST_UNSEEN = 0.02
FAIR_TO_NEW = VerdictRule(
    "the lowest τ with one team left out",
    "lowest τ",
    good=0.9,
    bad=0.8,
    source=VOORHEES,
    says={
        "good": "a new team's run would get the rank that it would have if its docs were pooled",
        "fair": "a new team's run would be ranked somewhat too low",
        "bad": "a new team's run would be ranked much too low",
    },
    prior=(0.75, 0.2),
)
UNCONTESTED = VerdictRule(
    "the share of undisputed non-relevant labels",
    "share undisputed",
    good=0.98,
    bad=0.9,
    source=f"{OUR_CHOICE}: in Sakai et al. (2023), 6% were disputed, and half of these were"
    " relevant after all",
    says={
        "good": "independent judges dispute few non-relevant labels of {set}",
        "fair": "independent judges dispute some non-relevant labels of {set}",
        "bad": "independent judges dispute many non-relevant labels of {set}",
    },
    prior=(0.95, 0.05),
)
# Two label sets share one vote if their κ, given the reference's grade, is at least this.
SAME_VOTE = 0.4
# Share of the reference's zeros that a label set must have judged to vote on them.
LEAST_JUDGED = 0.5
# The rule of each question.
RULES: Mapping[str, VerdictRule] = {
    "picks-the-best": PICKS_THE_BEST,
    "complete": COMPLETE,
    "agrees": AGREES,
    "ranks-all": RANKS_ALL,
    "ranks-top": RANKS_TOP,
    "finds-differences": FINDS_DIFFERENCES,
    "fair-to-new": FAIR_TO_NEW,
    "uncontested": UNCONTESTED,
}
