"""The rules behind the audit's plain words: every threshold stands here and nowhere else.

A rule looks at a figure with its 95 % interval. It says `good` or `bad` only when the whole
interval is beyond the threshold, `doubtful` when the whole interval lies between the two, and
otherwise that one cannot tell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from qrelsmith.base.content import Verdict
from qrelsmith.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """Two thresholds for a figure; higher is better.

    Attributes
    ----------
    name : str
        What the rule is called in the report.
    figure : str
        The figure that it looks at.
    good : float
        From here on the figure is good.
    bad : float
        Below this it is bad.
    source : str
        Where the thresholds come from.
    """

    name: str
    figure: str
    good: float
    bad: float
    source: str

    def verdict(self, low: float, high: float) -> Verdict:
        """The verdict of the rule on an interval; nan: there is none, so one cannot tell.

        >>> RANKING.verdict(0.91, 0.95).value, RANKING.verdict(0.85, 0.95).value
        ('good', 'cannot tell')
        """
        if math.isnan(low) or math.isnan(high):
            return Verdict.CANNOT_TELL
        if low > high:
            raise UsageError(f"the interval [{low}, {high}] of {self.figure} is upside down")
        if low >= self.good:
            return Verdict.GOOD
        if high < self.bad:
            return Verdict.BAD
        if low >= self.bad and high < self.good:
            return Verdict.DOUBTFUL
        return Verdict.CANNOT_TELL


AGREEMENT = VerdictRule(
    name="agreement",
    figure="Krippendorff's α (ordinal)",
    good=0.8,
    bad=0.667,
    source="Krippendorff 2004: rely on α ≥ .8, draw tentative conclusions from α ≥ .667",
)
RANKING = VerdictRule(
    name="ranking",
    figure="Kendall's τ",
    good=0.9,
    bad=0.8,
    source="Voorhees 2000: τ ≥ .9 is as good as the same ranking, below .8 changes are noticeable",
)
COVERAGE = VerdictRule(
    name="coverage",
    figure="share of a run's top docs that are judged",
    good=0.95,
    bad=0.8,
    source="this project's choice: with a fifth of the top unjudged, scores are mostly guesses",
)
CONFLICTS = VerdictRule(
    name="conflicts",
    figure="share of the system pairs differing under both label sets that point the same way",
    good=0.95,
    bad=0.8,
    source="this project's choice: at the 5 % level, one pair in twenty may be an accident",
)
TIMES = VerdictRule(
    name="times",
    figure="share of (assessor, topic) whose judgments all have sound times",
    good=0.95,
    bad=0.8,
    source="this project's choice: what is lost is seldom lost at random",
)
UNCONTESTED = VerdictRule(
    name="uncontested",
    figure="share of the docs called not relevant that the others do not seriously contest",
    good=0.98,
    bad=0.9,
    source="this project's choice: in ordering-gold-bronze 6 % were contested, and half of these"
    " were relevant after all",
)
CONSISTENCY = VerdictRule(
    name="consistency",
    figure="Kendall's τ between the rankings of random halves of the topics",
    good=0.8,
    bad=0.6,
    source="this project's choice: below .6 a fifth of the system pairs change places",
)
NEW_SYSTEMS = VerdictRule(
    name="new-systems",
    figure="Kendall's τ after a team's unique docs are left out",
    good=0.9,
    bad=0.8,
    source="Voorhees 2000, as for rankings",
)
PDP = VerdictRule(
    name="pdp",
    figure="how much lower the PDP is than that of the reference, as a share of ln K!",
    good=0.0,
    bad=-0.05,
    source="this project's choice: in the example of pdp, 3.5, a change from 7 grades to 4 loses"
    " 4 % of ln K!",
)
PREFERENCES = VerdictRule(
    name="preferences",
    figure="share of the preferences that the higher grade foretells",
    good=0.75,
    bad=0.6,
    source="this project's choice: half is what a coin foretells",
)

REDUCTION = VerdictRule(
    name="reduction",
    figure="Kendall's τ of the ranking under a coarser scale to that under the full one",
    good=0.9,
    bad=0.8,
    source="Voorhees 2000, as for the rule ranking",
)

COMPATIBILITY = VerdictRule(
    name="compatibility",
    figure="Kendall's τ between the rankings by compatibility and by the campaign's measure",
    good=0.9,
    bad=0.8,
    source="topk-preferences 3.4: τ > .9 where grades alone make the ideal; below .8 changes are"
    " noticeable (Voorhees 2000)",
)

# Every rule above, in that order.
RULES = tuple(rule for rule in list(globals().values()) if isinstance(rule, VerdictRule))

# Levels of significance, and how many random trials stand behind a p-value.
ALPHA = 0.05
TRIALS = 2000
# Bootstrap samples behind the intervals of PDP, and shuffles of labels beside Φ.
RESAMPLES = 500
SHUFFLES = 5
# Where Φ of shuffled labels leaves less than this up to 1, Φ cannot show agreement.
PHI_ROOM = 0.05
