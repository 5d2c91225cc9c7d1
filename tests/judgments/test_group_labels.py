from __future__ import annotations

from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.common_topics import without_relevant
from qrelsmith.judgments.group_labels import label_set_of, topics_by_ordering
from qrelsmith.judgments.judgment_files import Judgments

ROWS = """1 a g1 2 gold prioritised
1 b g1 0 gold prioritised
2 a g2 1 gold randomised
3 a g1 0 gold prioritised
3 b g2 1 gold randomised
4 a g1 1 gold -
5 a g1 1 gold prioritised
5 b g1 1 gold randomised
1 a w1 0 bronze prioritised
1 a w2 1 bronze prioritised
1 a w3 2 bronze prioritised
1 a w4 2 bronze prioritised
1 b w1 -2 bronze prioritised"""


def judgments() -> Judgments:
    names = ("topic", "doc", "assessor", "grade", "group", "ordering")
    cells = [["" if cell == "-" else cell for cell in line.split()] for line in ROWS.splitlines()]
    return Judgments.from_columns(dict(zip(names, zip(*cells, strict=True), strict=True)))


def test_a_label_set_has_lower_medians_and_no_codes() -> None:
    bronze = label_set_of(judgments().by_group()["bronze"], "bronze")
    assert (bronze.name, bronze.to_dict()) == ("bronze", {"1": {"a": 1.0}})


def test_topics_with_a_single_ordering_are_grouped_by_it() -> None:
    # Topic 3 was shown to two assessors in two orderings, topic 5 to one assessor in both; the
    # ordering of topic 4 is unknown.
    assert topics_by_ordering(judgments(), "gold") == {"prioritised": ("1",), "randomised": ("2",)}
    assert topics_by_ordering(judgments(), "bronze") == {"prioritised": ("1",)}
    assert topics_by_ordering(judgments(), "silver") == {}


def test_topics_without_relevant_docs_are_named_by_label_set() -> None:
    sets = {
        "a": Qrels.from_dict({"1": {"x": 1.0}, "2": {"x": 0.0}, "3": {"x": -2.0}}),
        "b": Qrels.from_dict({"1": {"x": 1.0}, "2": {"x": 2.0}, "3": {"x": 1.0}}),
    }
    assert without_relevant(sets, ["1", "2", "3"]) == {"a": ("2", "3")}
    assert without_relevant(sets, ["1"]) == {}
    # With gains 0 and 1 for the grades 1 and 2, only topic 2 of b has a doc with a gain.
    assert without_relevant(sets, ["1", "2", "3"], Gains.parse("0:1")) == {
        "a": ("1", "2", "3"),
        "b": ("1", "3"),
    }
