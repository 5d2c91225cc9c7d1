from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.agreement.disagreement.gold_bronze import gold_and_bronze
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.judgments.judgment_files import Judgments

NAMES = ("topic", "doc", "assessor", "grade", "group", "ordering", "position")


def judgments(*rows: str, names: tuple[str, ...] = NAMES) -> Judgments:
    """Return judgments from a table; `-` is an empty cell."""
    cells = [["" if cell == "-" else cell for cell in row.split()] for row in rows]
    return Judgments.from_columns(dict(zip(names, zip(*cells, strict=True), strict=True)))


DATA = judgments(
    "1 a g1 2 gold pri 2", "1 b g1 0 gold pri 1", "1 c g1 1 gold pri 3", "2 a g2 -2 gold rnd 1",
    "1 a w1 0 w pri 1", "1 a w2 1 w pri 1", "1 b w1 2 w pri 2", "1 c w1 1 w pri 3",
    "2 a w1 0 w pri 1", "1 a solo 1 - - -", "1 b solo 0 - - -", "2 a solo 1 - - -",
)  # fmt: skip


def test_a_group_has_its_lower_median_and_an_assessor_without_group_counts_alone() -> None:
    found = gold_and_bronze(DATA, "gold")
    assert found.voices == ("solo", "w")
    assert found.docs == (("1", "a"), ("1", "b"))
    assert found.gold.tolist() == [2, 0]
    assert found.bronze.tolist() == [[1, 0], [0, 2]]
    assert (found.orderings, found.positions.tolist()) == (("pri", "pri"), [2, 1])
    assert found.assessors == ("g1", "g1")
    # solo has not judged c; an error code in topic 2 is not a grade of Gold.
    assert found.unmatched == 1


def test_bronze_can_be_named_and_errors_count_as_not_relevant() -> None:
    found = gold_and_bronze(DATA, "gold", ["w"], errors="nonrelevant")
    assert found.docs == (("1", "a"), ("1", "b"), ("1", "c"), ("2", "a"))
    assert found.gold.tolist() == [2, 0, 1, 0]
    assert found.orderings == ("pri", "pri", "pri", "rnd")
    only = found.of_orderings(["rnd"])
    assert only.docs == (("2", "a"),)
    assert only.bronze.tolist() == [[0]]
    with pytest.raises(UsageError, match=r"gold has no docs in the ordering 'x' \(orderings: p"):
        found.of_orderings(["x"])


def test_docs_keep_the_order_in_which_gold_saw_them() -> None:
    data = judgments(
        "2 a g 0 gold pri 1", "1 a g 0 gold pri 3", "1 b g 0 gold pri 1", "1 c g 0 gold pri -",
        "1 d g 0 gold pri 2", *(f"{t} {d} w 1 w pri 1" for t, d in ("2a", "1a", "1b", "1c", "1d")),
    )  # fmt: skip
    found = gold_and_bronze(data, "gold")
    order = [found.docs[row] for row in found.in_original_order()]
    assert order == [("1", "b"), ("1", "d"), ("1", "a"), ("1", "c"), ("2", "a")]
    assert math.isnan(found.positions[found.docs.index(("1", "c"))])


def test_with_several_gold_assessors_the_first_position_counts() -> None:
    data = judgments("1 a g1 0 gold pri 7", "1 a g2 2 gold rnd 4", "1 a w 1 w pri 1")
    found = gold_and_bronze(data, "gold")
    assert (found.positions.tolist(), found.orderings) == ([4], ("pri+rnd",))
    assert found.assessors == ("g1+g2",)
    assert found.gold.tolist() == [0]


def test_qrels_can_have_one_assessor_each() -> None:
    names = NAMES[:4]
    found = gold_and_bronze(judgments("1 a x 1", "1 a y 0", "1 b x 1", names=names), "x")
    assert (found.voices, found.docs, found.orderings) == (("y",), (("1", "a"),), ("",))
    assert np.isnan(found.positions).all()
    assert found.unmatched == 1


@pytest.mark.parametrize(
    ("gold", "bronze", "message"),
    [
        ("g1", (), "an assessor without a group (available: gold, solo, w)"),
        ("gold", ("x",), "'x' is neither a group nor an assessor"),
        ("gold", ("w", "w"), "'w' is named twice"),
        ("gold", ("gold",), "'gold' is named twice"),
    ],
)
def test_unknown_names_are_refused(gold: str, bronze: tuple[str, ...], message) -> None:
    with pytest.raises(UsageError) as caught:
        gold_and_bronze(DATA, gold, bronze)
    assert message in str(caught.value)


def test_a_single_group_no_common_doc_and_an_assessor_in_two_groups_are_refused() -> None:
    alone = judgments("1 a g 1 gold pri 1")
    with pytest.raises(UsageError, match="'gold' is the only assessor"):
        gold_and_bronze(alone, "gold")
    apart = judgments("1 a g 1 gold pri 1", "1 b w 1 w pri 1")
    with pytest.raises(
        UndefinedError, match="no doc was judged by gold and by all of w; expected at least one"
    ):
        gold_and_bronze(apart, "gold")
    twice = judgments("1 a g 1 gold pri 1", "1 b g 1 w pri 1")
    with pytest.raises(UsageError, match="assessor 'g' is in the groups 'gold' and 'w'"):
        gold_and_bronze(twice, "gold")
