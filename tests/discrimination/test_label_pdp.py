from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.pdp_result import LabelSetPdp
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.pairs.preferences import Preferences

NAN = float("nan")
HALF = GradeMatrix.from_values([[0.5, 0.2], [0.8, 0.5]], mode="individual")


def judgments(*rows: str) -> Judgments:
    """Return judgments from rows `topic doc assessor grade`."""
    cells = zip(*(row.split() for row in rows), strict=True)
    return Judgments.from_columns(
        dict(zip(("topic", "doc", "assessor", "grade"), cells, strict=True))
    )


def graded(*rows: str, errors: str = "missing") -> GradedDocs:
    return GradedDocs.of(judgments(*rows), errors=errors)  # type: ignore[arg-type]


def preferences(*rows: str) -> Preferences:
    """Return preferences from rows `topic left right outcome` and optionally an assessor."""
    cells = [(*row.split(), "")[:5] for row in rows]
    return Preferences.from_rows((t, a, b, int(o), who) for t, a, b, o, who in cells)


# Topic 1 has two assessors, topic 2 has a different one; doc c of topic 1 could not be displayed.
MIXED = ("1 b x 1", "1 b y 0", "1 a y 1", "1 c x -2", "2 a z 0", "2 d z 1", "2 e z -1")


def test_a_slot_is_an_assessor_of_the_topic() -> None:
    found = graded(*MIXED)
    assert found.topics == ("1", "2")
    assert found.docs == (("a", "b"), ("a", "d"))
    np.testing.assert_array_equal(found.grades, [[[NAN, 1], [1, 0]], [[0, NAN], [1, NAN]]])
    assert found.batches.tolist() == [0, 1]
    assert found.ungraded == 2


def test_an_error_code_can_count_as_zero() -> None:
    found = graded(*MIXED, errors="nonrelevant")
    assert found.docs == (("a", "b", "c"), ("a", "d"))
    assert found.grades[0, 2, 0] == 0
    assert found.ungraded == 1


def test_a_topic_without_grades_is_kept_but_is_not_a_batch() -> None:
    found = graded("1 a x 1", "2 a y -1", "3 a x 0")
    assert found.topics == ("1", "2", "3")
    assert found.docs == (("a",), (), ("a",))
    assert found.batches.tolist() == [0, 0, 0]


def test_labels_without_any_grade_give_no_docs() -> None:
    found = graded("1 a x -1", "1 b x -1")
    assert found.docs == ((),)
    assert found.grades.shape == (1, 0, 1)


@pytest.mark.parametrize(
    ("grades", "levels"),
    [
        (("2", "0"), (0, 1, 2)),
        (("3", "3"), (0, 1, 2, 3)),
        (("100", "0"), tuple(range(101))),
        (("101", "0"), (0, 101)),
        (("0.5", "2"), (0.5, 2)),
        (("-1", "-2"), ()),
    ],
)
def test_levels_are_inferred_without_a_scale(
    grades: tuple[str, ...], levels: tuple[float, ...]
) -> None:
    found = graded(*(f"1 {doc} x {grade}" for doc, grade in zip("ab", grades, strict=True)))
    assert found.levels() == levels


def test_tests_are_merged_and_omitted_ones_are_counted() -> None:
    found = graded(*MIXED, "3 a x 1").tests(
        preferences(
            "1 a b -1 p", "1 b a 1 q", "1 a b 1 r",  # a is better, two to one
            "1 a c -1 p", "1 c a 1 q", "1 a f 1 p",  # c and f have no grade
            "9 a b 1 p",
            "2 d a -2", "2 d a -1", "2 a d -1",
        )
    )  # fmt: skip
    tests = found.tests
    assert list(zip(tests.topics, tests.left, tests.right, strict=True)) == [(0, 0, 1), (1, 0, 1)]
    # For a and d, the outcomes are 2, 1 and −1: the median of three people, although they have no
    # names.
    assert tests.outcomes.tolist() == [-1, 1]
    assert (found.other_topics, found.untested_topics) == (1, 1)
    assert (found.ungraded_docs, found.ungraded_tests) == (2, 2)


def test_one_assessor_with_several_preferences_counts_once() -> None:
    rows = ("1 a b -1 p", "1 a b -1 p", "1 a b -1 p", "1 a b 1 q", "1 a b 1 r")
    assert graded(*MIXED).tests(preferences(*rows)).tests.outcomes.tolist() == [1]


def test_the_lack_of_a_common_topic_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="none of the 1 topics of the preferences is among"):
        graded(*MIXED).tests(preferences("9 a b 1"))


def test_preferences_of_ungraded_docs_give_no_test() -> None:
    assert len(graded(*MIXED).tests(preferences("1 c f 1")).tests) == 0


def run_of(**docs: str) -> Run:
    ranked = {
        topic.removeprefix("t"): {doc: -float(rank) for rank, doc in enumerate(names)}
        for topic, names in docs.items()
    }
    return Run.from_dict(ranked)


def test_lists_are_the_first_graded_docs() -> None:
    docs = graded(*(f"1 {doc} x 1" for doc in "abcd"), "2 a x 0", "3 a x 0")
    found = docs.lists([run_of(t2="a", t1="zdyabc", t9="a"), run_of(t1="bzz")], depth=2)
    assert found.lists.topics.tolist() == [0, 0, 1]
    assert found.lists.docs.tolist() == [[3, 0], [1, -1], [0, -1]]
    # z and y are before the second doc of the first list; after b only once, because a doc occurs
    # once.
    assert found.passed_over == 3
    assert found.short == 2
    assert found.lacking == 3


def test_lists_need_graded_docs_and_a_depth() -> None:
    docs = graded(*MIXED)
    with pytest.raises(
        UndefinedError, match="no doc of the 1 runs has a grade; expected at least one"
    ):
        docs.lists([run_of(t1="z", t7="a")], depth=5)
    with pytest.raises(UsageError, match="the depth is 0"):
        docs.lists([run_of(t1="a")], depth=0)


def test_rows_are_means_over_lists() -> None:
    docs = graded(*(f"1 {doc} x {grade}" for doc, grade in zip("abcd", "0111", strict=True)),
                  "2 a x 1", "3 a x -1")  # fmt: skip
    lists = docs.lists([run_of(t1="bcd", t2="a"), run_of(t1="ab")], depth=3).lists
    found = collection_pdp(
        Setting(grades=docs.grades, evidence=HALF, lists=lists),
        rng=np.random.default_rng(0),
        resamples=0,
    )
    whole = LabelSetPdp("", "individual", 1, found, None, docs.topics, lists)
    rows = whole.by_topic()
    two = -(0.2 * math.log(0.2) + 0.8 * math.log(0.8))
    assert [row.topic for row in rows] == ["1", "2", "3"]
    assert [row.docs for row in rows] == [2.5, 1, 0]
    assert [row.pdp for row in rows] == pytest.approx(
        [(math.log(6) + two) / 2, 0, NAN], nan_ok=True
    )
    assert [row.se for row in rows] == pytest.approx([0, 0, NAN], nan_ok=True)
    mean = whole.mean()
    assert (mean.topic, mean.docs, mean.se) == ("all", 1.75, 0)
    assert mean.pdp == pytest.approx(found.mean)


def test_the_sampling_error_decreases_with_the_number_of_topics() -> None:
    docs = graded(*(f"{topic} {doc} x {doc % 2}" for topic in range(4) for doc in range(6)))
    found = collection_pdp(
        Setting(grades=docs.grades, evidence=HALF),
        rng=np.random.default_rng(0), resamples=0, exact_docs=2, samples=200,
    )  # fmt: skip
    whole = LabelSetPdp("", "individual", 1, found, None, docs.topics, None)
    rows = whole.by_topic()
    errors = np.array([row.se for row in rows])
    assert (errors > 0).all()
    assert whole.mean().se == pytest.approx(math.sqrt((errors**2).sum()) / 4)


def test_without_a_defined_topic_there_is_no_mean() -> None:
    docs = graded("1 a x -1", "1 b x -1")
    setting = Setting(grades=np.full((1, 2, 1), NAN), evidence=HALF)
    found = collection_pdp(setting, rng=np.random.default_rng(0), resamples=0)
    mean = LabelSetPdp("", "individual", 1, found, None, docs.topics, None).mean()
    assert (mean.topic, mean.docs) == ("all", 0)
    assert math.isnan(mean.pdp)
    assert math.isnan(mean.se)
