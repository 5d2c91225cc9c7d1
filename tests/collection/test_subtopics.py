"""Grades of docs from labels of their subtopics."""

from __future__ import annotations

from qrelsmith.base.items import item_key
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.subtopics import docs_of_subtopics


def test_the_grade_of_a_doc_is_the_highest_of_its_subtopics() -> None:
    rows = [("t", item_key("d", f"subtopic:{number}"), grade) for number, grade in ((1, 1), (2, 3))]
    qrels = Qrels.from_rows([*rows, ("t", "e", 2)], name="q")
    assert sorted(docs_of_subtopics(qrels).rows()) == [("t", "d", 3), ("t", "e", 2)]


def test_labels_of_answers_alone_are_unchanged() -> None:
    """No measure of docs needs these labels, and an audit of answers uses them."""
    qrels = Qrels.from_rows([("t", item_key("run", "nugget-1"), 2.0)], name="people")
    assert list(docs_of_subtopics(qrels).rows()) == list(qrels.rows())
