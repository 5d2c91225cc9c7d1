"""The rules of the scorecard: bounds, probabilities and verdicts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from qrelsmith.audit.verdicts.bounds import RULES, VerdictRule, word_of
from qrelsmith.audit.verdicts.cells import JudgedFigure

RULE = VerdictRule("x", "brief", good=0.8, bad=0.6, source="here", says={})
LOSS = VerdictRule("x", "brief", good=0.05, bad=0.1, source="", says={}, lower_is_better=True)


@pytest.mark.parametrize(
    ("p_good", "p_bad", "word"),
    [
        (0.975, 0.0, "good"),
        (0.974, 0.0, "probably good"),
        (0.8, 0.1, "probably good"),
        (0.0, 0.975, "bad"),
        (0.1, 0.8, "probably bad"),
        (0.5, 0.2, "fair or better"),
        (0.2, 0.5, "fair or worse"),
        (0.2, 0.2, "fair"),
        (0.21, 0.21, "unclear"),
    ],
)
def test_verdicts_follow_the_probabilities(p_good: float, p_bad: float, word: str) -> None:
    assert word_of(p_good, p_bad) == word


@pytest.mark.parametrize(
    ("rule", "words"), [(RULE, ("good", "fair", "bad")), (LOSS, ("bad", "bad", "bad"))]
)
def test_without_a_distribution_verdicts_follow_the_bounds(
    rule: VerdictRule, words: tuple[str, ...]
) -> None:
    assert tuple(map(rule.plain, (0.8, 0.79, 0.59))) == words
    assert LOSS.plain(0.05) == "good"


def test_probabilities_are_from_student_t_shrunk_towards_the_prior() -> None:
    good, bad = RULE.probabilities(0.85, 0.1, size=10)
    assert good == pytest.approx(stats.t(9).cdf(0.5))
    assert bad == pytest.approx(stats.t(9).cdf(-2.5))
    pulled = VerdictRule("x", "", good=0.8, bad=0.6, source="", says={}, prior=(0.75, 0.1))
    # Variances are equal: halfway to .75, and the standard deviation shrinks by the factor √2.
    assert pulled.probabilities(0.85, 0.1, size=10) == pytest.approx(
        (stats.t(9).cdf(0.0), min(bad, stats.t(9).cdf(-0.2 / (0.1 / math.sqrt(2)))))
    )
    assert LOSS.probabilities(0.0, 0.05, size=10)[0] == pytest.approx(stats.t(9).cdf(1))
    assert RULE.probabilities(0.8, 0.0, size=10) == (1.0, 0.0)
    assert np.isnan(RULE.probabilities(0.8, math.nan, size=10)).all()


@pytest.mark.parametrize("question", RULES)
def test_every_rule_has_ordered_bounds_a_source_and_labels(question: str) -> None:
    rule = RULES[question]
    assert (rule.bad < rule.good) != rule.lower_is_better
    assert rule.source
    assert set(rule.says) == {"good", "fair", "bad"}


@pytest.mark.parametrize(
    ("value", "low", "high", "word", "more"),
    [
        (0.187, -0.556, 0.930, "fair or worse", 45),  # (.743 / .413)² times 20, less 20, to bad
        (0.84, 0.70, 1.00, "fair or better", 225),  # (.14 / .04)²
        (0.98, 0.96, 1.00, "good", 0),
    ],
)
def test_the_number_of_additional_topics_reaches_the_open_bound(
    value: float, low: float, high: float, word: str, more: int
) -> None:
    cell = JudgedFigure("set", "ranks-top", "gold", value, low, high, 20).cell()
    assert (cell.verdict, cell.more_topics) == (word, more)
    assert cell.decide == (f"about {more} more topics" if more else "")


def test_a_figure_without_an_interval_is_unclear() -> None:
    cell = JudgedFigure("set", "ranks-all", "gold", 0.9, math.nan, math.nan, 5).cell()
    assert (cell.verdict, cell.decide) == ("unclear", "at least 8 topics, to compute an interval")
    assert math.isnan(cell.p_good)
