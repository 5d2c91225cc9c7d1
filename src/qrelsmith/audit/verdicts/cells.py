"""Cells of the scorecard, made of a figure and its rule."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.audit.verdicts.bounds import RULES, VerdictRule
from qrelsmith.audit.wording import count, figure, name_list
from qrelsmith.base.content import CellVerdict, ScorecardCell
from qrelsmith.stats.population import FEWEST_TOPICS

# More topics than so many times those that there are is no advice.
_MOST_TIMES = 20


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """The figure of a cell, and whom it is of.

    Attributes
    ----------
    label_set, question, reference : str
        The set, the name of the question, and the label set with which it is compared.
    value, low, high : float
        The figure with its interval.
    topics : int
        On how many topics it was computed.
    over : str
        Whom the interval is for.
    """

    label_set: str
    question: str
    reference: str
    value: float
    low: float
    high: float
    topics: int
    over: str = "topics"

    @property
    def rule(self) -> VerdictRule:
        """The rule that judges it."""
        return RULES[self.question]

    @property
    def remaining(self) -> tuple[CellVerdict, ...]:
        """The verdicts that the interval leaves open; one if it decides."""
        verdict = self.rule.verdict(self.low, self.high)
        if verdict != "undecided":
            return (verdict,)
        return self.rule.remaining(self.low, self.high)

    def cell(
        self,
        *,
        also: str = "",
        verdict: CellVerdict | None = None,
        remaining: Sequence[CellVerdict] = (),
        says: str = "",
        decide: str | None = None,
        decided_by: JudgedFigure | None = None,
    ) -> ScorecardCell:
        """The cell.

        Parameters
        ----------
        also : str
            Further figures, for the sentence.
        verdict : str, optional
            The verdict; by default that of the rule.
        remaining : sequence of str
            The verdicts that an undecided one leaves open; by default those of the rule.
        says : str
            What the verdict says; by default what the rule says.
        decide : str, optional
            What would decide; by default about how many more topics.
        decided_by : JudgedFigure, optional
            The figure that more topics would decide; by default this one.
        """
        rule = self.rule
        judged = verdict or rule.verdict(self.low, self.high)
        says = says or rule.says[judged]
        says = says.format(set=self.label_set, reference=self.reference)
        interval = figure(self.value, self.low, self.high)
        parts = [
            (
                f"{says[0].upper()}{says[1:]}: {rule.symbol} is"
                f" {interval} on {count(self.topics, 'topic', 'topics')}"
                f" (good from {_bound(rule.good)}, bad below {_bound(rule.bad)})"
            )
        ]
        parts += [also] if also else []
        settle, more = "", 0
        if judged == "undecided":
            parts.append(f"it may be {_either(remaining or self.remaining)}")
            settle = decide or ""
            if decide is None:
                bound = rule.good if "good" in (remaining or self.remaining) else rule.bad
                settle, more = (decided_by or self)._more_topics(bound)
        over = "" if math.isnan(self.low) else self.over
        return ScorecardCell(
            self.label_set, self.question, judged, self.value, self.low, self.high, over,
            self.topics, f"{'; '.join(parts)}.", settle, more,
        )  # fmt: skip

    def _more_topics(self, bound: float) -> tuple[str, int]:
        """About how many more topics would decide, if the figure stayed as it is; 0: too many.

        An interval shrinks with the root of the number of topics; it decides once it does not hold
        the bound between the best verdict that is open and the next.
        """
        if self.topics < FEWEST_TOPICS or math.isnan(self.low):
            return f"{FEWEST_TOPICS} topics or more, for an interval", 0
        width = self.value - self.low if self.value >= bound else self.high - self.value
        distance = abs(self.value - bound)
        times = (width / distance) ** 2 if distance > 0 else math.inf
        if times > _MOST_TIMES:
            return f"more than {_MOST_TIMES} times as many topics: the figure is at the bound", 0
        more = max(math.ceil(self.topics * (times - 1)), 1)
        told = count(more, "more topic", "more topics")
        return f"about {told}, if the figure stays as it is", more


def no_cell(name: str, question: str, reason: str, *, topics: int = 0) -> ScorecardCell:
    """The cell of a question that has no value for a label set, and why."""
    return plain_cell(name, question, "none", math.nan, f"No verdict: {reason}", topics=topics)


def same_labels_cell(
    name: str, question: str, reference: str, *, value: float, topics: int
) -> ScorecardCell:
    """The cell of a comparison with labels that are the same, which needs no interval."""
    sentence = (
        f"On the {count(topics, 'topic', 'topics')} that both have, the labels are those of"
        f" {reference}"
    )
    return plain_cell(name, question, "good", value, sentence, topics=topics)


def plain_cell(
    name: str,
    question: str,
    verdict: CellVerdict,
    value: float,
    sentence: str,
    *,
    topics: int,
    decide: str = "",
) -> ScorecardCell:
    """The cell of a verdict without an interval, such as on what was found or not."""
    nan = math.nan
    return ScorecardCell(
        name, question, verdict, value, nan, nan, "", topics, f"{sentence}.", decide
    )


def _either(verdicts: Sequence[str]) -> str:
    return name_list(verdicts).replace(" and ", " or ")


def _bound(value: float) -> str:
    return re.sub(r"^0\.", ".", f"{value:g}")
