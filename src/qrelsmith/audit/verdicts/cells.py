"""Cells of the scorecard, created from a value and the rule for the verdict."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from qrelsmith.audit.verdicts.bounds import RULES, VerdictRule, word_of
from qrelsmith.audit.wording import count, figure
from qrelsmith.base.content import CLEAR, CellVerdict, ScorecardCell
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.population import FEWEST_TOPICS

# More topics than this multiple of the current number are not recommended.
_MOST_TIMES = 20


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """The value in a scorecard cell, with the cell's label set and question.

    Attributes
    ----------
    label_set, question, reference : str
        The set, the name of the question, and the label set with which it is compared.
    value, low, high : float
        The figure with its 95% interval.
    topics : int
        The number of topics used for the figure.
    over : str
        The population of the interval.
    unit : float
        The unit of the bounds.
    """

    label_set: str
    question: str
    reference: str
    value: float
    low: float
    high: float
    topics: int
    over: str = "topics"
    unit: float = 1.0

    @property
    def rule(self) -> VerdictRule:
        """The rule that gives the verdict."""
        return RULES[self.question]

    @property
    def probabilities(self) -> tuple[float, float]:
        """The probabilities that the true value is good, and that it is bad; nan if unknown."""
        if self.topics < 2 or math.isnan(self.low):
            return math.nan, math.nan
        # One end may be clipped to the largest possible value, so the longer side is used.
        half = max(self.value - self.low, self.high - self.value)
        se = half / float(special.stdtrit(self.topics - 1, 0.975))
        return self.rule.probabilities(self.value / self.unit, se / self.unit, size=self.topics)

    def cell(
        self,
        *,
        also: str = "",
        probabilities: tuple[float, float] | None = None,
        decide: str | None = None,
        decided_by: JudgedFigure | None = None,
    ) -> ScorecardCell:
        """Return the cell of the scorecard.

        Parameters
        ----------
        also : str
            Further figures to add to the sentence.
        probabilities : (float, float), optional
            The probabilities of good and bad; by default those of the figure.
        decide : str, optional
            What would decide an open cell; by default the number of further topics.
        decided_by : JudgedFigure, optional
            The figure that more topics would decide; by default this one.
        """
        p_good, p_bad = self.probabilities if probabilities is None else probabilities
        word: CellVerdict = "unclear" if math.isnan(p_good) else word_of(p_good, p_bad)
        sentence = (
            f"{self._statement(word)}: {self.rule.symbol} is"
            f" {figure(self.value, self.low, self.high)} on"
            f" {count(self.topics, 'topic', 'topics')} ({self.rule.bounds(bound, unit=self.unit)})"
        )
        details = []
        if word not in CLEAR and not math.isnan(p_good):
            symbol = self.rule.symbol.replace("the ", "The ", 1)
            details.append(
                f"{symbol} is in the good range with probability {p_good:.0%}, and in the bad range"
                f" with probability {p_bad:.0%}"
            )
        details += [also] if also else []
        settle, more = "", 0
        if word not in CLEAR:
            settle = decide or ""
            if decide is None:
                settle, more = (decided_by or self)._more_topics(word)
        return ScorecardCell(
            self.label_set, self.question, word, self.value, self.low, self.high,
            "" if math.isnan(self.low) else self.over, self.topics,
            f"{'. '.join([sentence, *details])}.",
            settle, more, p_good=p_good, p_bad=p_bad, unit=self.unit,
            detail=f"{'. '.join(details)}." if details else "",
        )  # fmt: skip

    def plain_cell(self, *, also: str = "") -> ScorecardCell:
        """Return the cell of a value without a distribution; the bounds determine the verdict."""
        word = self.rule.plain(self.value)
        sentence = (
            f"{self._statement(word)}: {self.rule.symbol} is {bound(round(self.value, 3))} on"
            f" {count(self.topics, 'topic', 'topics')} ({self.rule.bounds(bound)})"
        )
        return plain_cell(
            self.label_set, self.question, word, self.value,
            f"{sentence}. {also}" if also else sentence, topics=self.topics, detail=also,
        )  # fmt: skip

    def _statement(self, word: CellVerdict) -> str:
        """Return the statement of a verdict, as the beginning of a sentence."""
        firm: CellVerdict = word.removeprefix("probably ")  # type: ignore[assignment]
        if firm not in self.rule.says:
            return word.capitalize()
        says = self.rule.says[firm].format(set=self.label_set, reference=self.reference)
        return f"Probably, {says}" if firm != word else f"{says[0].upper()}{says[1:]}"

    def _more_topics(self, word: CellVerdict) -> tuple[str, int]:
        """Estimate how many more topics decide the verdict at the same value (0: too many).

        An interval shrinks with the square root of the number of topics. The verdict is decided as
        soon as the shrinking interval no longer contains the bound.
        """
        if self.topics < FEWEST_TOPICS or math.isnan(self.low):
            return f"at least {FEWEST_TOPICS} topics, to compute an interval", 0
        good, bad = self.rule.good * self.unit, self.rule.bad * self.unit
        is_good, is_bad = (self.rule.plain(self.value / self.unit) == w for w in ("good", "bad"))
        if is_good or is_bad:
            bound = good if is_good else bad
        else:
            bound = {"fair or better": good, "probably good": good}.get(word, bad)
            if word == "unclear":
                bound = min(good, bad, key=lambda at: abs(self.value - at))
        half = self.value - self.low if self.value >= bound else self.high - self.value
        distance = abs(self.value - bound)
        times = (half / distance) ** 2 if distance > 0 else math.inf
        if times > _MOST_TIMES:
            return f"more than {_MOST_TIMES} times as many topics", 0
        more = max(math.ceil(round(self.topics * (times - 1), 6)), 1)
        return f"about {count(more, 'more topic', 'more topics')}", more


def no_cell(name: str, question: str, reason: str, *, topics: int = 0) -> ScorecardCell:
    """Return the cell of a question that has no value for a label set, with the reason."""
    return plain_cell(name, question, "none", math.nan, f"No verdict: {reason}", topics=topics)


def same_labels_cell(
    name: str, question: str, reference: str, *, value: float, topics: int
) -> ScorecardCell:
    """Return the cell of a comparison of identical labels, which needs no interval."""
    sentence = (
        f"On {count(topics, 'common topic', 'common topics')}, the labels equal those of"
        f" {reference}"
    )
    return plain_cell(
        name, question, "good", value, sentence, topics=topics, probabilities=(1.0, 0.0)
    )


def plain_cell(
    name: str,
    question: str,
    verdict: CellVerdict,
    value: float,
    sentence: str,
    *,
    topics: int,
    decide: str = "",
    probabilities: tuple[float, float] = (math.nan, math.nan),
    detail: str = "",
) -> ScorecardCell:
    """Return the cell of a verdict without an interval, such as whether a problem was found."""
    nan = math.nan
    return ScorecardCell(
        name, question, verdict, value, nan, nan, "", topics, f"{sentence}.", decide,
        p_good=probabilities[0], p_bad=probabilities[1], detail=f"{detail}." if detail else "",
    )  # fmt: skip


def bound(value: float) -> str:
    """Format a bound without the zero before the decimal point."""
    return re.sub(r"^0\.", ".", f"{value:.3g}")
