from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith import cut, transform
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale

# Ann's labels agree with the expert's if cut at 2 or 3, Ben's at 7; Cora labelled other docs.
EXPERT = {"1": {"a": 0, "b": 0, "c": 1, "d": 1}, "2": {"e": 0, "f": 1}}
LABELS = {
    "ann": {"1": {"a": 0, "b": 2, "c": 4, "d": 9}, "2": {"e": 1, "f": 5}},
    "ben": {"1": {"a": 4, "b": 7, "c": 8, "d": 10}, "2": {"e": 6, "f": 9}},
    "cora": {"3": {"a": 4}},
}
TEN = Scale.parse("0..10")


def test_each_assessor_has_the_cuts_that_fit_the_target() -> None:
    found = cut(LABELS, levels=2, method="doc-at", target=EXPERT, aggregation="assessor", scale=TEN)
    table = found.table()
    assert table.columns == ("assessor", "cuts", "alpha", "tied", "degenerate", "units")
    assert [row[:3] for row in table.rows] == [("ann", "2", 1.0), ("ben", "7", 1.0)]
    assert found.qrels.to_dict() == EXPERT
    assert [part["assessor"][0] for part in found.all_cuts()] == ["ann", "ben"]


@pytest.mark.parametrize("method", ["doc-at", "doc-ta", "hit2"])
def test_an_assessors_cuts_equal_the_pooled_cuts_of_that_assessor_alone(method: str) -> None:
    own = cut(LABELS, levels=2, method=method, target=EXPERT, aggregation="assessor", scale=TEN)
    for row in own.table().rows:
        labels = {row[0]: LABELS[str(row[0])]}
        (alone,) = (
            cut(labels, levels=2, method=method, target=EXPERT, pooled=True, scale=TEN).table().rows
        )
        assert alone[1:] == row[1:]


def test_transform_applies_the_cuts_of_each_assessor(tmp_path: Path) -> None:
    found = cut(LABELS, levels=2, method="doc-at", target=EXPERT, aggregation="assessor", scale=TEN)
    (tmp_path / "own.csv").write_text(found.table().text("csv"))
    moved = transform(LABELS, cuts=tmp_path / "own.csv", scale=TEN)
    assert moved.table() == transform(LABELS, cuts=found, scale=TEN).table()
    assert moved.table() == transform(LABELS, cuts=str(tmp_path / "own.csv"), scale=TEN).table()
    held = moved.judgments
    levels = held.select(held.assessor == held.assessors.index("ann")).grade
    assert levels.tolist() == [0, 0, 1, 1, 0, 1]
    assert any(
        "assessors that are left out because they have no cuts: cora" in note
        for note in moved.notes
    )


def test_the_error_for_a_text_that_is_neither_a_cut_nor_a_file_says_so() -> None:
    with pytest.raises(UsageError, match=r"relaxed.*, or a file written by `cut`"):
        transform(EXPERT, cuts="lenient.csv", scale=TEN)


def test_qrels_cannot_be_cut_by_assessor() -> None:
    found = cut(LABELS, levels=2, method="doc-at", target=EXPERT, aggregation="assessor", scale=TEN)
    with pytest.raises(
        UsageError, match="cuts by assessor need labels with assessors; expected judgments"
    ):
        transform(EXPERT, cuts=found, scale=TEN)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "topicwide"}, "Cuts by assessor need a method with a target"),
        ({"method": "doc-at", "target": EXPERT, "pooled": True}, "cuts by assessor cannot use"),
        ({"method": "doc-at", "target": EXPERT, "select": "tau"}, "found cuts by assessor"),
    ],
)
def test_options_without_cuts_by_assessor_are_refused(options, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cut(LABELS, levels=2, aggregation="assessor", scale=TEN, **options)


def test_no_assessor_with_a_target_doc_is_an_error() -> None:
    with pytest.raises(UsageError, match="the target has none of the topics"):
        cut(
            {"cora": LABELS["cora"]},
            levels=2,
            method="doc-at",
            target=EXPERT,
            aggregation="assessor",
        )
