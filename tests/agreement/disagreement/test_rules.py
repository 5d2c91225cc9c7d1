from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.agreement.disagreement.rules import SERIOUS, SERIOUS_EITHER_WAY, Rule, RuleCondition
from qrelsmith.base.errors import UsageError

# Bronze grades of five docs.
BRONZE = np.array([[2, 2], [2, 1], [1, 1], [2, 0], [0, 0]], dtype=float)


def holds(text: str, gold: float = 0) -> list[int]:
    found = Rule.parse(text).holds(np.full(5, float(gold)), BRONZE, relevant=1, high=2)
    return np.flatnonzero(found).tolist()


def test_the_default_rule_selects_the_docs_that_the_paper_judged_again() -> None:
    # Gold's grade is L0; the Bronze assessors' are (L2, L2) or (L2, L1).
    assert holds(SERIOUS) == [0, 1]
    assert holds(SERIOUS, gold=1) == []


def test_the_rule_also_applies_if_gold_has_the_higher_grade() -> None:
    assert holds(SERIOUS_EITHER_WAY) == [0, 1]
    assert holds(SERIOUS_EITHER_WAY, gold=1) == []
    # No other assessor has the grade highly relevant, and one has not relevant.
    assert holds(SERIOUS_EITHER_WAY, gold=2) == [4]


@pytest.mark.parametrize(
    ("text", "docs"),
    [
        ("all < relevant", [4]),
        ("any < 1", [3, 4]),
        ("any==high", [0, 1, 3]),
        ("all != 0 and any <= 1", [1, 2]),
        ("  all>=1   and   all>1.5 ", [0]),
        ("gold > 0", []),
        ("gold >= 0", [0, 1, 2, 3, 4]),
        ("any < 1 and any > 1 or all > 1", [0, 3]),
    ],
)
def test_conditions_are_parsed(text: str, docs: list[int]) -> None:
    assert holds(text) == docs


def test_a_rule_is_data() -> None:
    assert Rule.parse("gold < relevant and any >= 2").alternatives[0] == (
        RuleCondition("gold", "<", "relevant"),
        RuleCondition("any", ">=", 2.0),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the condition '' cannot be read"),
        ("gold", "the condition 'gold' cannot be read; expected 'gold', 'all' or 'any'"),
        ("silver > 1", "the condition 'silver > 1' cannot be read"),
        ("gold > 1 and", "the condition '' cannot be read"),
        ("gold > 1 or", "the condition '' cannot be read"),
        ("gold > nosuch", "the grade 'nosuch' in the condition 'gold > nosuch' cannot be read"),
        ("gold > nan", "the grade 'nan'"),
        ("gold > __import__('os').getcwd()", "cannot be read"),
        ("gold => 1", "cannot be read"),
        ("1 < gold", "cannot be read"),
    ],
)
def test_malformed_rules_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Rule.parse(text)
    assert message in str(caught.value)


def test_a_rule_without_docs_selects_nothing() -> None:
    assert Rule.parse(SERIOUS).holds(np.empty(0), np.empty((0, 2)), relevant=1, high=2).size == 0
