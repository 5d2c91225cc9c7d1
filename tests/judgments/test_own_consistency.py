"""Self-consistency of assessors, by hand."""

from __future__ import annotations

from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.own_consistency import own_consistency
from qrelsmith.stats.proportions import wilson_interval


def test_the_comparison_of_docs_graded_twice_is_as_computed_by_hand() -> None:
    first = judgments({"ann": [0, 1, 2, -2, 1], "bob": [2, 2, 0, 0, 0]})
    second = judgments({"ann": [0, 2, 1, 1, 1], "cat": [0, 0, 0, 0, 0]})
    ann, everybody = own_consistency(first, second)
    assert (ann.assessor, ann.repeats, ann.same, ann.higher, ann.lower) == ("ann", 4, 2, 1, 1)
    assert (ann.low, ann.high) == wilson_interval(2, 4)
    assert (everybody.assessor, everybody.share) == ("all", 0.5)
    assert own_consistency(first, judgments({"cat": [1]})) == []


def judgments(grades: dict[str, list[float]]) -> Judgments:
    rows = [
        ("t1", f"d{place}", assessor, float(grade))
        for assessor, own in grades.items()
        for place, grade in enumerate(own)
    ]
    names = ("topic", "doc", "assessor", "grade")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))
