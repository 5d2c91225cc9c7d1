from __future__ import annotations

import math

from qrelsmith.agreement.disagreement.disagreements import (
    NOT_RELEVANT,
    RELEVANT,
    cross_counts,
    disagreement_counts,
    orderings_compared,
)
from qrelsmith.agreement.disagreement.gold_bronze import gold_and_bronze
from qrelsmith.judgments.judgment_files import Judgments


def test_judgments_with_the_counts_of_table_8_give_table_8(first_round: Judgments) -> None:
    labels = gold_and_bronze(first_round, "Gold")
    found = {
        (row.gold_says, row.ordering, row.gold, row.bronze): (row.docs, row.of)
        for row in disagreement_counts(labels, relevant=1, high=2)
    }
    pri, rnd = "prioritised", "randomised"
    assert found == {
        (RELEVANT, pri, 2, "2 of 2 not relevant"): (10, 1592),
        (RELEVANT, pri, 2, "1 of 2 not relevant"): (78, 1592),
        (RELEVANT, pri, 1, "2 of 2 not relevant"): (76, 1592),
        (RELEVANT, pri, 1, "1 of 2 not relevant"): (219, 1592),
        (RELEVANT, pri, None, "any"): (383, 1592),
        (RELEVANT, rnd, 2, "2 of 2 not relevant"): (22, 1587),
        (RELEVANT, rnd, 2, "1 of 2 not relevant"): (106, 1587),
        (RELEVANT, rnd, 1, "2 of 2 not relevant"): (127, 1587),
        (RELEVANT, rnd, 1, "1 of 2 not relevant"): (358, 1587),
        (RELEVANT, rnd, None, "any"): (613, 1587),
        (NOT_RELEVANT, pri, 0, "2 of 2 highly relevant"): (51, 3537),
        (NOT_RELEVANT, pri, 0, "1 of 2 highly relevant"): (167, 3537),
        (NOT_RELEVANT, pri, 0, "0 of 2 highly relevant"): (221, 3537),
        (NOT_RELEVANT, pri, None, "any"): (439, 3537),
        (NOT_RELEVANT, rnd, 0, "2 of 2 highly relevant"): (50, 3617),
        (NOT_RELEVANT, rnd, 0, "1 of 2 highly relevant"): (184, 3617),
        (NOT_RELEVANT, rnd, 0, "0 of 2 highly relevant"): (222, 3617),
        (NOT_RELEVANT, rnd, None, "any"): (456, 3617),
    }


def test_only_part_one_differs_between_the_orderings(first_round: Judgments) -> None:
    labels = gold_and_bronze(first_round, "Gold")
    one, two = orderings_compared(labels, relevant=1)
    assert (one.gold_says, one.hits, one.totals) == (RELEVANT, (383, 613), (1592, 1587))
    assert one.test.p < 2.2e-16
    assert (two.gold_says, two.hits, two.totals) == (NOT_RELEVANT, (439, 456), (3537, 3617))
    assert two.test.p > 0.05


def test_every_combination_of_grades_is_counted(first_round: Judgments) -> None:
    labels = gold_and_bronze(first_round, "Gold", ["BronzeW", "BronzeT"])
    counts = {(o, gold, bronze): docs for o, gold, bronze, docs in cross_counts(labels)}
    assert counts["prioritised", 0, (2, 1)] == 167
    assert counts["randomised", 1, (2, 0)] == 358
    assert sum(counts.values()) == 1592 + 1587 + 3537 + 3617


def test_one_ordering_without_disagreements_has_no_test() -> None:
    data = Judgments.from_columns(
        {"topic": ["1", "1"], "doc": ["a", "a"], "assessor": ["g", "w"], "grade": [1, 1]}
    )
    labels = gold_and_bronze(data, "g")
    rows = list(disagreement_counts(labels, relevant=1, high=1))
    assert [(row.gold_says, row.docs, row.of) for row in rows] == [
        (RELEVANT, 0, 1),
        (NOT_RELEVANT, 0, 0),
    ]
    assert list(orderings_compared(labels, relevant=1)) == []


def test_no_p_value_if_all_docs_are_disputed_under_both_orderings() -> None:
    data = Judgments.from_columns(
        {
            "topic": ["1", "1", "2", "2"],
            "doc": ["a", "a", "a", "a"],
            "assessor": ["g", "w", "g", "w"],
            "grade": [1, 0, 1, 0],
            "group": ["gold", "w", "gold", "w"],
            "ordering": ["pri", "pri", "rnd", "pri"],
        }
    )
    (only,) = orderings_compared(gold_and_bronze(data, "gold"), relevant=1)
    assert (only.hits, only.totals) == ((1, 1), (1, 1))
    assert math.isnan(only.test.p)
