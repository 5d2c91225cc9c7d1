"""Labels aggregated and moved to other scales, as objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UndefinedError, UnknownNameError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels, qrels_text
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import Judgments, judgments_text
from qrelsmith.judgments.label_transforms import (
    aggregated_qrels,
    assumed_scale,
    check_whole,
    complete_relabelling,
    log_summed,
    transform_labels,
)
from qrelsmith.judgments.scale_operations import Cuts, Extension, Reduction, Relabelling

FOUR = Scale.parse("0..3")


def judgments(*rows: tuple[str, str, float], **more: list[object]) -> Judgments:
    """Return judgments of topic t from (doc, assessor, grade)."""
    docs, assessors, grades = zip(*rows, strict=True)
    columns = {"topic": ["t"] * len(rows), "doc": docs, "assessor": assessors, "grade": grades}
    return Judgments.from_columns({**columns, **more})


def of_assessors(**grades: str) -> Judgments:
    """Return judgments of the named docs, with a digit for each assessor a, b, …."""
    rows = [(doc, "abcdefghi"[k], int(g)) for doc, gs in grades.items() for k, g in enumerate(gs)]
    return judgments(*rows)


def grades_of(qrels: Qrels) -> dict[str, float]:
    return {doc: grade for _, doc, grade in qrels.rows()}


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        # 0 1 2 3 · 1 1 3 3 · 2
        ("median", {"even": 1, "tie": 1, "one": 2}),
        ("median-upper", {"even": 2, "tie": 3, "one": 2}),
        ("median-mean", {"even": 1.5, "tie": 2, "one": 2}),
        ("majority", {"even": 0, "tie": 1, "one": 2}),
        ("min", {"even": 0, "tie": 1, "one": 2}),
        ("max", {"even": 3, "tie": 3, "one": 2}),
        ("mean", {"even": 1.5, "tie": 2, "one": 2}),
        ("sum", {"even": 6, "tie": 8, "one": 2}),
        ("logsum", {"even": 2, "tie": 3, "one": 1}),
    ],
)
def test_aggregates_are_as_computed_by_hand(by: str, expected: dict[str, float]) -> None:
    result = aggregated_qrels(of_assessors(even="0123", tie="1133", one="2"), by)
    assert grades_of(result.qrels) == expected
    assert (result.label, result.left_out, result.fewest, result.most) == (by, 0, 1, 4)
    assert result.adds_up == (by in ("sum", "logsum"))


def test_the_logarithm_of_eight_assessors_sum_extends_three_levels_to_five() -> None:
    # Paper on PDP, 5.1.2: int(log2(S + 1)) maps eight grades 0 … 2 to 0 … 4.
    labels = of_assessors(
        s0="00000000", s1="10000000", s3="11100000", s7="22210000", s16="22222222"
    )
    result = aggregated_qrels(labels, "logsum").qrels
    assert grades_of(result) == {"s0": 0, "s1": 1, "s3": 2, "s7": 3, "s16": 4}


def test_codes_are_not_grades_and_docs_without_a_grade_are_left_out() -> None:
    labels = judgments(("d", "a", 2), ("d", "b", -1), ("e", "a", -1), ("f", "a", -2))
    plain = aggregated_qrels(labels, "mean")
    assert grades_of(plain.qrels) == {"d": 2}
    assert plain.left_out == 2
    errors = aggregated_qrels(labels, "mean", errors="nonrelevant")
    assert grades_of(errors.qrels) == {"d": 2, "f": 0}
    assert errors.left_out == 1


def test_the_latest_revision_counts_with_its_group() -> None:
    labels = judgments(
        ("d", "a", 0), ("d", "a", 3), ("d", "b", 1),
        revision=[0, 1, 0], group=["Silver", "Gold", "Silver"],
    )  # fmt: skip
    assert grades_of(aggregated_qrels(labels, "max", group="Gold").qrels) == {"d": 3}
    assert grades_of(aggregated_qrels(labels, "max", group="Silver").qrels) == {"d": 1}


def test_invalid_aggregations_are_errors() -> None:
    labels = judgments(("d", "a", -1), ("e", "b", 1), group=["Gold", ""])
    with pytest.raises(UndefinedError, match="none of 1 docs has a grade"):
        aggregated_qrels(labels, "median", group="Gold")
    with pytest.raises(UnknownNameError, match=r"unknown group 'gold'; .*choices: Gold\)"):
        aggregated_qrels(labels, "median", group="gold")
    with pytest.raises(UnknownNameError, match="unknown group ''"):
        aggregated_qrels(labels, "median", group="")
    with pytest.raises(UsageError, match="the judgments have no groups"):
        aggregated_qrels(judgments(("d", "a", 1)), "median", group="Gold")
    with pytest.raises(UnknownNameError, match="did you mean median"):
        aggregated_qrels(labels, "medain")
    with pytest.raises(UsageError, match="turns -2 into 0, but the scale 1,2 has no level 0"):
        aggregated_qrels(
            judgments(("d", "a", -2)), "min", errors="nonrelevant", scale=Scale.parse("1,2")
        )


def test_reduced_grades_are_as_computed_by_hand() -> None:
    qrels = Qrels.from_dict({"t": {"a": 0, "b": 1, "c": 2, "d": 3, "e": -1, "f": -2}})
    reduced = transform_labels(qrels, Reduction.parse(">=2"), source=FOUR)
    assert grades_of(reduced) == {"a": 0, "b": 0, "c": 1, "d": 1, "e": -1, "f": -2}
    assert reduced.name == qrels.name
    assert grades_of(qrels)["d"] == 3


def test_grades_after_cuts_are_as_computed_by_hand() -> None:
    grades = {"a": 0, "b": 28, "c": 29, "d": 58, "e": 82, "f": 83, "g": 100, "h": -1}
    cut = transform_labels(
        Qrels.from_dict({"t": grades}), Cuts.parse("28:58:82"), source=Scale.parse("0..100")
    )
    assert grades_of(cut) == {"a": 0, "b": 0, "c": 1, "d": 1, "e": 2, "f": 3, "g": 3, "h": -1}


def test_an_extension_draws_for_topic_doc_and_assessor() -> None:
    extension = Extension.parse("7", "0.5")
    rows = [(f"d{n}", a, n % 4) for n in range(40) for a in ("ann", "bob")]
    both = transform_labels(judgments(*rows), extension, source=FOUR, seed=3)
    ann = Qrels.from_rows((("t", d, g) for d, a, g in rows if a == "ann"), name="ann")
    assert (
        transform_labels(ann, extension, source=FOUR, seed=3).to_dict()
        == both.to_qrels(assessor="ann").to_dict()
    )
    other = transform_labels(judgments(*rows), extension, source=FOUR, seed=4)
    assert other.grade.tolist() != both.grade.tolist()
    values = both.ratings().values
    assert (values[0] != values[1]).any()
    assert set(both.grade.tolist()) <= set(range(7))


def test_an_extension_without_randomness_goes_to_the_nearest_level() -> None:
    qrels = Qrels.from_dict({"t": {"a": 0, "b": 1, "c": 2, "d": 3, "e": -2}})
    certain = transform_labels(qrels, Extension.parse("7", "inf"), source=FOUR)
    assert grades_of(certain) == {"a": 0, "b": 2, "c": 4, "d": 6, "e": -2}
    with pytest.raises(UsageError, match="needs the scale"):
        transform_labels(qrels, Extension.parse("7", "inf"), source=None)


def test_revisions_share_a_draw_and_all_columns_are_kept() -> None:
    labels = judgments(
        ("d", "a", 2), ("d", "a", 2), ("e", "a", -2), revision=[0, 1, 0], note=["x", "", "y"]
    )
    drawn = transform_labels(labels, Extension.parse("101", "0.01"), source=FOUR, seed=9)
    assert drawn.grade[0] == drawn.grade[1]
    assert drawn.grade[2] == -2
    assert drawn.note == labels.note
    assert drawn.revision is labels.revision


def test_a_relabelling_of_codes_leaves_the_grades_unchanged() -> None:
    qrels = Qrels.from_dict({"t": {"a": 3, "b": -2, "c": -1}})
    codes = complete_relabelling(Relabelling.parse("-2=0"), FOUR)
    assert grades_of(transform_labels(qrels, codes, source=FOUR)) == {"a": 3, "b": 0, "c": -1}
    assert codes.target == FOUR
    named = Relabelling.parse("0=0,1=1")
    assert complete_relabelling(named, FOUR) is named
    with pytest.raises(UsageError, match="the grade 3 is not in the relabelling"):
        transform_labels(qrels, named, source=FOUR)


def test_qrels_of_sums_can_be_transformed_by_logarithms_and_keep_codes() -> None:
    qrels = Qrels.from_dict({"t": {"a": 16, "b": 2, "c": 0, "d": -1}})
    assert grades_of(log_summed(qrels)) == {"a": 4, "b": 1, "c": 0, "d": -1}


def test_the_default_scale_is_inferred() -> None:
    def of(*grades: float) -> Qrels:
        return Qrels.from_dict({"t": {f"d{n}": grade for n, grade in enumerate(grades)}})

    assert assumed_scale(of(0, 3, -2)) == FOUR
    assert assumed_scale(of(0.5, 2, 2, -1)) == Scale((0.5, 2.0))
    assert assumed_scale(of(0, 200_000)) == Scale((0.0, 200_000.0))
    assert assumed_scale(of(-1)) is None
    assert assumed_scale(of()) is None
    check_whole(of(0, 100_000, -1.5))
    for grades in ((0, 0.5), (0, 100_001)):
        with pytest.raises(UsageError, match="topic 't' doc 'd1' has the grade"):
            check_whole(of(*grades))


labels = st.dictionaries(
    st.tuples(st.sampled_from("tuv"), st.sampled_from("abcde")), st.integers(-2, 3), min_size=1
).map(lambda cells: Qrels.from_rows((t, d, g) for (t, d), g in cells.items()))


@given(labels)
def test_identities_give_the_same_bytes(qrels: Qrels) -> None:
    for operation in (Relabelling.parse("0=0,1=1,2=2,3=3"), Cuts.parse("0:1:2")):
        same = transform_labels(qrels, operation, source=FOUR)
        assert qrels_text(same) == qrels_text(qrels)
    own = Judgments.from_qrels({"a": qrels})
    assert judgments_text(
        transform_labels(own, Cuts.parse("0:1:2"), source=FOUR)
    ) == judgments_text(own)


@given(labels, st.sampled_from([by for by in AGGREGATIONS.names() if by != "logsum"]))
def test_the_aggregate_of_one_assessor_is_the_assessors_grades(qrels: Qrels, by: str) -> None:
    held = Qrels.from_rows(row for row in qrels.rows() if row[2] >= 0)
    own = Judgments.from_qrels({"a": qrels})
    if not len(held):
        with pytest.raises(UndefinedError):
            aggregated_qrels(own, by)
        return
    result = aggregated_qrels(own, by)
    assert qrels_text(result.qrels) == qrels_text(held)
    assert result.left_out == len(qrels) - len(held)


@given(labels, st.integers(1, 3))
def test_a_reduction_equals_a_cut_below_its_level(qrels: Qrels, minimum: int) -> None:
    reduced = transform_labels(qrels, Reduction(minimum), source=FOUR)
    cut = transform_labels(qrels, Cuts((minimum - 1.0,)), source=FOUR)
    np.testing.assert_array_equal(reduced.grade, cut.grade)


@given(labels, labels, labels)
def test_order_statistics_commute_with_cuts(a: Qrels, b: Qrels, c: Qrels) -> None:
    several = Judgments.from_qrels({"a": a, "b": b, "c": c})
    cuts = Cuts.parse("0:2")
    try:
        first = aggregated_qrels(several, "median").qrels
    except UndefinedError:
        return
    second = aggregated_qrels(transform_labels(several, cuts, source=FOUR), "median").qrels
    assert transform_labels(first, cuts, source=FOUR).to_dict() == second.to_dict()


def test_passes_of_one_model_on_dl_2021_are_aggregated(shared: Path) -> None:
    folder = shared / "data/trec-dl-2021-passage/qrels"
    passes = {
        f"run{n}": read_qrels(folder / f"umbrela.llama3.2.run{n}.qrels.gz") for n in range(1, 5)
    }
    result = aggregated_qrels(Judgments.from_qrels(passes), "median", scale=FOUR)
    assert (len(result.qrels), result.fewest, result.most) == (10828, 4, 4)
    stacked = np.sort([qrels.grade for qrels in passes.values()], axis=0)
    np.testing.assert_array_equal(result.qrels.grade, stacked[1])
