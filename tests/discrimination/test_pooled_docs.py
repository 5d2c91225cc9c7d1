from __future__ import annotations

import numpy as np

from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import DocLists
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.pooled_docs import pool_judgments
from qrelsmith.judgments.judgment_files import Judgments


def judgments() -> Judgments:
    """Return judgments of two topics with common doc names; doc c of topic 1 has no grade."""
    rows = [
        ("1", "a", "x", 1), ("1", "b", "x", 0), ("1", "c", "x", -1), ("1", "b", "y", 2),
        ("2", "a", "x", 0), ("2", "b", "y", 1), ("2", "d", "x", 3),
    ]  # fmt: skip
    names = ("topic", "doc", "assessor", "grade")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def labelled(found: Judgments) -> list[tuple[str, str, str]]:
    return [
        (found.topics[topic], found.docs[doc], found.assessors[who])
        for topic, doc, who in zip(
            found.topic.tolist(), found.doc.tolist(), found.assessor.tolist(), strict=True
        )
    ]


def test_the_pool_of_run_tops_has_all_judgments_of_its_docs_and_no_others() -> None:
    given = judgments()
    graded = GradedDocs.of(given)
    runs = [
        Run.from_dict({"1": {"c": 3, "b": 2, "a": 1}, "2": {"b": 2, "a": 1}}, name="one"),
        Run.from_dict({"2": {"b": 2, "d": 1}}, name="two"),
    ]
    found = pool_judgments(given, graded, graded.lists(runs, depth=1).lists)
    assert labelled(found) == [("1", "b", "x"), ("1", "b", "y"), ("2", "b", "y")]
    deeper = pool_judgments(given, graded, graded.lists(runs, depth=2).lists)
    assert len(deeper) == len(given) - 1  # all but the doc without a grade


def test_empty_lists_give_an_empty_pool() -> None:
    given = judgments()
    lists = DocLists(np.zeros(0, dtype=np.int64), np.zeros((0, 2), dtype=np.int64))
    assert len(pool_judgments(given, GradedDocs.of(given), lists)) == 0
