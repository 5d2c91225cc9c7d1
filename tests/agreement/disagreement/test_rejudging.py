from __future__ import annotations

import math

import pytest

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze, gold_and_bronze
from qrelsmith.agreement.disagreement.rejudging import (
    LabelChange,
    label_changes,
    later_labels,
    rejudged_labels,
    round_docs,
    serious,
)
from qrelsmith.agreement.disagreement.rules import SERIOUS, Rule
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.judgments.judgment_files import Judgments

RULES = [Rule.parse(SERIOUS)]
# Table 14: docs judged again by each assessor, and the shares of L0, L1, L2 in percent.
TABLE_14 = {
    "G1": (15, 86.7, 13.3, 0.0), "G2": (34, 20.6, 67.6, 11.8), "G3": (93, 69.9, 17.2, 12.9),
    "G4": (26, 34.6, 46.2, 19.2), "G5": (4, 0.0, 25.0, 75.0), "G6": (15, 80.0, 13.3, 6.7),
    "G7": (31, 32.3, 38.7, 29.0), "all": (218, 53.2, 31.2, 15.6),
}  # fmt: skip


@pytest.fixture(scope="module")
def listed(first_round: Judgments) -> GoldBronze:
    labels = gold_and_bronze(first_round, "Gold").of_orderings(["prioritised"])
    return serious(labels, RULES, relevant=1, high=2)


@pytest.fixture(scope="module")
def second_round(listed: GoldBronze, table_15) -> Judgments:
    labels = {
        (who, topic): [0] * none + [1] * some + [2] * much
        for who, topic, none, some, much in table_15
    }
    rows = []
    for (topic, doc), who in zip(listed.docs, listed.assessors, strict=True):
        rows.append((topic, doc, who, labels[who, topic].pop()))
    assert not any(labels.values())
    names = ("topic", "doc", "assessor", "grade")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def test_the_default_rule_lists_the_218_docs_of_23_topics(listed: GoldBronze, table_15) -> None:
    assert len(listed.docs) == 218
    ordering, docs = round_docs(listed)
    assert ordering == "prioritised"
    assert {topic: len(found) for topic, found in docs.items()} == {
        topic: sum(counts) for _, topic, *counts in table_15
    }
    # The docs were shown in descending order of their names, and are shown so again.
    assert all(list(found) == sorted(found, reverse=True) for found in docs.values())


def test_tables_14_and_15_follow_from_the_second_round(listed, second_round, table_15) -> None:
    found = rejudged_labels(listed, second_round)
    assert (found.waiting, found.strangers) == (0, 0)
    by_topic = {
        (row.assessor, row.topic): tuple(row.counts.values())
        for row in found.rows
        if row.topic != "all"
    }
    assert by_topic == {(who, topic): tuple(counts) for who, topic, *counts in table_15}
    by_assessor = {row.assessor: row for row in found.rows if row.topic == "all"}
    assert by_assessor["all"].counts == {0: 116, 1: 68, 2: 34}
    for who, (count, *shares) in TABLE_14.items():
        row = by_assessor[who]
        assert row.rejudged == count
        percent = [100 * docs / row.rejudged for docs in row.counts.values()]
        assert percent == pytest.approx(shares, abs=0.05)


def test_waiting_docs_and_judgments_by_other_assessors_are_counted(listed, second_round) -> None:
    half = second_round.restricted_to(assessors=["G3"])
    found = rejudged_labels(listed, half)
    assert found.waiting == 218 - 93
    other = Judgments.from_columns(
        {
            "topic": ["0201", "9"],
            "doc": [next(doc for topic, doc in listed.docs if topic == "0201"), "d1"],
            "assessor": ["G1", "G1"],
            "grade": [-1, 2],
        }
    )
    found = rejudged_labels(listed, other)
    # A withdrawn judgment does not count.
    assert (found.waiting, found.strangers) == (218, 1)
    assert [(row.assessor, row.rejudged) for row in found.rows] == [("all", 0)]


def test_the_latest_revision_counts_and_codes_are_labels(listed) -> None:
    topic, doc = listed.docs[0]
    second = Judgments.from_columns(
        {
            "topic": [topic] * 2,
            "doc": [doc] * 2,
            "assessor": ["G1"] * 2,
            "grade": [2, -2],
            "revision": [1, 2],
        }
    )
    found = rejudged_labels(listed, second)
    assert found.rows[-1].counts == {-2: 1}


def test_docs_of_two_orderings_become_two_rounds(first_round: Judgments) -> None:
    both = serious(gold_and_bronze(first_round, "Gold"), RULES, relevant=1, high=2)
    assert len(both.docs) == 218 + 50 + 184
    with pytest.raises(
        UsageError, match=r"in 2 orderings \(prioritised, randomised\); expected one"
    ):
        round_docs(both)
    with pytest.raises(UndefinedError, match="no doc fulfils a rule"):
        round_docs(serious(both, [Rule.parse("gold > 99")], relevant=1, high=2))


def test_an_unknown_order_is_replaced_by_the_order_of_docnos() -> None:
    columns = {
        "topic": ["1"] * 4,
        "doc": ["b", "a", "b", "a"],
        "assessor": ["g", "g", "w", "w"],
        "grade": [0, 0, 2, 2],
        "position": [1, 2, 1, 2],
    }
    data = Judgments.from_columns(columns)
    found = serious(gold_and_bronze(data, "g"), RULES, relevant=1, high=2)
    assert round_docs(found) == ("docno", {"1": ("a", "b")})
    partly = Judgments.from_columns(
        {**columns, "ordering": ["pri"] * 4, "position": [1, None, 1, 2]}
    )
    found = serious(gold_and_bronze(partly, "g"), RULES, relevant=1, high=2)
    assert math.isnan(found.positions[0])
    assert round_docs(found) == ("docno", {"1": ("a", "b")})


def test_docs_of_several_rules_are_combined(first_round: Judgments) -> None:
    labels = gold_and_bronze(first_round, "Gold").of_orderings(["prioritised"])
    rules = [*RULES, Rule.parse("gold >= high and all < relevant")]
    assert len(serious(labels, rules, relevant=1, high=2).docs) == 218 + 10


def labels(*rows: tuple[str, str, str, float]) -> Judgments:
    names = ("topic", "doc", "assessor", "grade")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def test_changes_of_the_first_labels_are_counted() -> None:
    first = labels(
        ("1", "a", "g", 0), ("1", "b", "g", 0), ("1", "c", "g", 1), ("1", "d", "g", -1),
        ("1", "e", "h", 0),
    )  # fmt: skip
    second = labels(
        ("1", "a", "g", 2), ("1", "b", "g", 0), ("1", "c", "g", -2), ("1", "d", "g", 1),
        ("1", "e", "g", 1),
    )  # fmt: skip
    # A withdrawn judgment leaves no label; e was judged by another assessor before.
    assert label_changes(first, second) == [
        LabelChange(0, 0, 1), LabelChange(0, 2, 1), LabelChange(1, -2, 1),
    ]  # fmt: skip


def test_a_list_of_docs_can_replace_a_list_of_disagreements(listed, second_round) -> None:
    assert later_labels(set(listed.docs), second_round) == rejudged_labels(listed, second_round)
    fewer = later_labels(listed.docs[:10], second_round)
    assert (fewer.waiting, fewer.strangers) == (0, 208)
    assert fewer.rows[-1].rejudged == 10
