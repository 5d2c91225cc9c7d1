from __future__ import annotations

import math

import pytest

from qrelsmith.audit.rules import RULES, VerdictRule
from qrelsmith.audit.wording import figure, findings_by_verdict, thresholds
from qrelsmith.base.content import Verdict
from qrelsmith.base.errors import UsageError

RULE = VerdictRule(name="r", figure="f", good=0.8, bad=0.6, source="here")


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.8, 0.9, Verdict.GOOD),
        (0.79, 0.9, Verdict.CANNOT_TELL),
        (0.6, 0.79, Verdict.DOUBTFUL),
        (0.6, 0.8, Verdict.CANNOT_TELL),
        (0.59, 0.61, Verdict.CANNOT_TELL),
        (0.1, 0.59, Verdict.BAD),
        (0.1, 0.6, Verdict.CANNOT_TELL),
        (0.1, 0.95, Verdict.CANNOT_TELL),
        (0.7, 0.7, Verdict.DOUBTFUL),
        (math.nan, 0.9, Verdict.CANNOT_TELL),
        (0.9, math.nan, Verdict.CANNOT_TELL),
    ],
)
def test_a_verdict_needs_the_whole_interval(low: float, high: float, verdict: Verdict) -> None:
    assert RULE.verdict(low, high) is verdict


def test_an_interval_upside_down_is_refused() -> None:
    with pytest.raises(UsageError, match="upside down"):
        RULE.verdict(0.9, 0.8)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_ordered_thresholds_and_a_source(rule: VerdictRule) -> None:
    assert rule.bad < rule.good
    assert rule.source


def test_figures_have_three_decimals_and_their_interval() -> None:
    assert figure(0.9254, 0.8951, 1.0) == ".925 [.895, 1.000]"
    assert figure(-0.5, math.nan, math.nan) == "-.500 [no interval]"
    assert figure(math.nan, 0.1, 0.2) == "not defined"


def test_thresholds_are_written_without_a_leading_zero() -> None:
    words = thresholds(VerdictRule(name="r", figure="f", good=0.0, bad=-0.05, source="here"), "x")
    assert words[Verdict.DOUBTFUL] == "x is from -.05 to 0"
    words = thresholds(VerdictRule(name="r", figure="f", good=10.5, bad=0.5, source="here"), "x")
    assert words[Verdict.DOUBTFUL] == "x is from .5 to 10.5"


def test_findings_gather_names_by_verdict_and_give_figure_interval_and_threshold() -> None:
    sentences = dict.fromkeys(Verdict, "Labels are so")
    found = findings_by_verdict(
        RULE,
        {"a": (0.9, 0.85, 0.95), "b": (0.3, 0.2, 0.4), "c": (0.88, 0.81, 0.92)},
        sentences,
        symbol="x",
        section="s",
    )
    assert [(one.verdict, one.sentence) for one in found] == [
        (
            Verdict.GOOD,
            "Labels are so (x is at least .8): a .900 [.850, .950] and c .880 [.810, .920].",
        ),
        (Verdict.BAD, "Labels are so (x is below .6): b .300 [.200, .400]."),
    ]
