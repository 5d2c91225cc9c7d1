"""The rules of the scorecard."""

from __future__ import annotations

import math
from typing import cast

import pytest

from qrelsmith.audit.verdicts.bounds import RULES, VerdictRule
from qrelsmith.audit.verdicts.cells import JudgedFigure
from qrelsmith.audit.verdicts.finds_differences import verdict_on_both
from qrelsmith.audit.verdicts.ranks_top import verdicts_with_lifted
from qrelsmith.base.content import CellVerdict
from qrelsmith.base.errors import UsageError

RULE = VerdictRule("x", "brief", good=0.8, bad=0.6, source="here", says={})


@pytest.mark.parametrize(
    ("low", "high", "verdict", "remaining"),
    [
        (0.8, 0.9, "good", ("good",)),
        (0.79, 0.9, "undecided", ("good", "doubtful")),
        (0.6, 0.79, "doubtful", ("doubtful",)),
        (0.6, 0.8, "undecided", ("good", "doubtful")),
        (0.1, 0.79, "doubtful", ("doubtful", "bad")),
        (0.1, 0.59, "bad", ("bad",)),
        (0.1, 0.6, "doubtful", ("doubtful", "bad")),
        (0.1, 0.95, "undecided", ("good", "doubtful", "bad")),
        (0.7, 0.7, "doubtful", ("doubtful",)),
        (math.nan, math.nan, "undecided", ("good", "doubtful", "bad")),
    ],
)
def test_a_verdict_and_what_remains(
    low: float, high: float, verdict: str, remaining: tuple[str, ...]
) -> None:
    assert (RULE.verdict(low, high), RULE.remaining(low, high)) == (verdict, remaining)


def test_an_interval_upside_down_is_refused() -> None:
    with pytest.raises(UsageError, match="upside down"):
        RULE.verdict(0.9, 0.8)


@pytest.mark.parametrize("question", RULES)
def test_every_rule_has_ordered_bounds_a_source_and_words(question: str) -> None:
    rule = RULES[question]
    assert rule.bad < rule.good
    assert rule.source
    assert set(rule.says) == {"good", "doubtful", "bad", "undecided"}


@pytest.mark.parametrize(
    ("of_reference", "of_either", "remaining"),
    [
        ("good", "good", "good"),
        ("good", "good bad", "good doubtful"),
        ("good", "doubtful", "doubtful"),
        ("good", "bad", "doubtful"),
        ("good doubtful", "good", "good doubtful"),
        ("good doubtful bad", "good doubtful bad", "good doubtful bad"),
        ("good doubtful", "bad", "doubtful"),
        ("good doubtful bad", "bad", "doubtful bad"),
        ("doubtful", "bad", "doubtful"),
        ("bad", "good", "bad"),
    ],
)
def test_systems_lifted_to_the_top_rule_out_good_and_no_more(
    of_reference: str, of_either: str, remaining: str
) -> None:
    def verdicts(words: str) -> tuple[CellVerdict, ...]:
        return cast("tuple[CellVerdict, ...]", tuple(words.split()))

    found = verdicts_with_lifted(verdicts(of_reference), verdicts(of_either))
    assert found == verdicts(remaining)


@pytest.mark.parametrize(
    ("kept", "turned", "verdict"),
    [
        ((0.8, 0.9), (0.0, 0.05), "good"),
        ((0.8, 0.9), (0.0, 0.06), "undecided"),
        ((0.8, 0.9), (0.06, 0.2), "bad"),
        ((0.6, 0.79), (0.0, 0.2), "doubtful"),
        ((0.3, 0.49), (0.0, 0.0), "bad"),
        ((0.7, 0.9), (0.0, 0.0), "undecided"),
    ],
)
def test_differences_must_be_found_and_not_turned_round(
    kept: tuple[float, float], turned: tuple[float, float], verdict: str
) -> None:
    assert verdict_on_both(kept, turned) == verdict


@pytest.mark.parametrize(
    ("remaining", "more"), [(("good", "doubtful", "bad"), 10), (("doubtful", "bad"), 45)]
)
def test_more_topics_are_those_to_the_bound_that_is_open(
    remaining: tuple[CellVerdict, ...], more: int
) -> None:
    found = JudgedFigure("set", "ranks-top", "gold", 0.187, -0.556, 0.930, 20)
    cell = found.cell(verdict="undecided", remaining=remaining)
    assert cell.more_topics == more  # (.743 / .613)², (.743 / .413)² times 20, less 20
    assert cell.decide == f"about {more} more topics, if the figure stays as it is"
