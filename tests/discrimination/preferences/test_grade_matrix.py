from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError, UnknownNameError, UsageError
from qrelsmith.discrimination.preferences.batches import batches_by_assessor
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

NAN = float("nan")


def outcomes_of(*rows: tuple[int, int, int, float]) -> PreferenceTests:
    columns = np.array(rows, dtype=float).reshape(-1, 4).T
    topics, left, right = columns[:3].astype(np.int64)
    return PreferenceTests(topics, left, right, columns[3])


def test_an_individual_test_adds_one_for_each_assessor() -> None:
    # Paper on PDP, Eq. 10, by hand: the left doc is better; assessors graded (2, 0), (1, 0), (1,
    # 1).
    grades = [[[2, 1, 1], [0, 0, 1]]]
    matrix = grade_matrix(
        outcomes_of((0, 0, 1, -1)), grades, levels=range(3), smoothing="none", untested="half"
    )
    assert matrix.wins[0].tolist() == [[0, 0, 0], [1, 1, 0], [1, 0, 0]]
    assert matrix.p[0].tolist() == [[0.5, 0, 0], [1, 0.5, 0.5], [1, 0.5, 0.5]]


def test_an_aggregate_test_adds_one_for_the_medians() -> None:
    # Paper on PDP, Eq. 11, by hand: medians 1 and 0, the right doc is better.
    grades = [[[2, 1, 1], [0, 0, 1]]]
    matrix = grade_matrix(
        outcomes_of((0, 0, 1, 2)), grades, mode="aggregate", smoothing="none", levels=range(3)
    )
    assert matrix.wins[0].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert matrix.p[0, 0, 1] == 1


def test_an_even_number_of_assessors_is_spread_over_the_four_middle_pairs() -> None:
    # Middle grades {0, 2} and {1}: (0, 1) and (2, 1) with ¼ + ¼ each.
    grades = [[[0, 2, NAN], [1, NAN, NAN]]]
    matrix = grade_matrix(outcomes_of((0, 0, 1, -1)), grades, mode="aggregate", smoothing="none")
    assert matrix.wins[0].tolist() == [[0, 0.5, 0], [0, 0, 0], [0, 0.5, 0]]
    assert matrix.tests[0].tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    four = [[[0, 1, 2, 2], [0, 0, 1, 1]]]
    matrix = grade_matrix(outcomes_of((0, 0, 1, -1)), four, mode="aggregate", smoothing="none")
    assert matrix.wins[0].tolist() == [[0, 0, 0], [0.25, 0.25, 0], [0.25, 0.25, 0]]


def test_a_tie_is_half_a_win_for_either() -> None:
    matrix = grade_matrix(outcomes_of((0, 0, 1, 0)), [[[1], [0]]], smoothing="none")
    assert matrix.wins[0].tolist() == [[0, 0.5], [0.5, 0]]
    assert matrix.p[0, 1, 0] == 0.5


def test_strengths_count_only_if_requested() -> None:
    tests = outcomes_of((0, 0, 1, -2), (0, 0, 1, -1), (0, 0, 1, 0), (0, 0, 1, 1))
    grades = [[[1], [0]]]
    sign = grade_matrix(tests, grades, smoothing="none")
    assert sign.wins[0].tolist() == [[0, 1.5], [2.5, 0]]
    share = grade_matrix(tests, grades, smoothing="none", strength="share")
    assert share.wins[0].tolist() == [[0, 0 + 0.25 + 0.5 + 0.75], [1 + 0.75 + 0.5 + 0.25, 0]]


def test_smoothing_is_jeffreys_by_default() -> None:
    tests = outcomes_of((0, 0, 1, -1), (0, 0, 1, -1), (0, 0, 1, 1))
    grades = [[[1], [0]]]
    assert grade_matrix(tests, grades).p[0, 1, 0] == pytest.approx(2.5 / 4)
    assert grade_matrix(tests, grades, smoothing="none").p[0, 1, 0] == pytest.approx(2 / 3)
    paper = grade_matrix(tests, grades, smoothing="paper")
    assert paper.p[0, 1, 0] == pytest.approx(2 / 3)
    assert (paper.clip, grade_matrix(tests, grades).clip) == (0.01, 0)


def test_an_assessor_without_both_grades_adds_nothing() -> None:
    grades = [[[1, 1, NAN, -1], [0, NAN, 0, 0]]]
    matrix = grade_matrix(outcomes_of((0, 0, 1, -1)), grades, smoothing="none")
    assert matrix.wins[0].tolist() == [[0, 0], [1, 0]]
    # In aggregate mode, every grade counts: medians 1 and 0.
    matrix = grade_matrix(outcomes_of((0, 0, 1, -1)), grades, smoothing="none", mode="aggregate")
    assert matrix.wins[0].tolist() == [[0, 0], [1, 0]]


def test_every_cell_has_its_number_of_distinct_tests() -> None:
    # Three assessors with the same grades make three samples of one test.
    grades = [[[1, 1, 1], [0, 0, 0], [0, 1, 1]]]
    matrix = grade_matrix(outcomes_of((0, 0, 1, -1), (0, 0, 2, -1), (0, 2, 0, 1)), grades)
    assert (matrix.wins + matrix.wins.swapaxes(1, 2))[0, 0, 1] == 5
    assert matrix.tests[0].tolist() == [[0, 3], [3, 2]]


def test_batches_have_separate_matrices() -> None:
    grades = [[[1], [0]], [[1], [0]], [[1], [0]]]
    tests = outcomes_of((0, 0, 1, -1), (1, 0, 1, 1), (2, 0, 1, 1))
    matrix = grade_matrix(tests, grades, smoothing="none", batches=[0, 1, 1])
    assert matrix.p[:, 1, 0].tolist() == [1, 0]
    assert matrix.tests[:, 1, 0].tolist() == [1, 2]
    assert grade_matrix(tests, grades, smoothing="none").p[:, 1, 0] == pytest.approx(1 / 3)


def test_topics_with_common_assessors_form_a_batch() -> None:
    judged = np.zeros((6, 5), dtype=bool)
    judged[0, [0, 1]] = judged[2, [1, 2]] = judged[4, [2]] = True
    judged[1, [3]] = judged[3, [3, 4]] = True
    assert batches_by_assessor(judged).tolist() == [0, 1, 0, 1, 0, 2]
    with pytest.raises(ShapeError, match="judged must have the shape"):
        batches_by_assessor([True])


def test_pairs_of_grades_without_tests_are_nan_half_or_interpolated() -> None:
    # Tested: 0–1 and 1–2. Untested: 0–2, and all pairs with 3.
    grades = [[[0], [1], [2], [3]]]
    rows = [(0, 1, 0, -1)] * 3 + [(0, 0, 1, -1)] + [(0, 2, 1, -1)] * 2 + [(0, 1, 2, -1)]
    error = grade_matrix(outcomes_of(*rows), grades, smoothing="none").p[0]
    assert np.isnan(error[[0, 0, 1, 2], [2, 3, 3, 3]]).all()
    half = grade_matrix(outcomes_of(*rows), grades, smoothing="none", untested="half").p[0]
    assert (half[[0, 0, 1, 2], [2, 3, 3, 3]] == 0.5).all()
    filled = grade_matrix(outcomes_of(*rows), grades, smoothing="none", untested="interpolate").p[0]
    # Log odds on a chain add up: (3 + ½)/(1 + ½) · (2 + ½)/(1 + ½).
    odds = 3.5 / 1.5 * 2.5 / 1.5
    assert filled[2, 0] == pytest.approx(odds / (1 + odds))
    assert filled[1, 0] == 0.75
    assert np.isnan(filled[3, :3]).all()


def test_a_level_between_tested_levels_is_interpolated() -> None:
    grades = [[[0], [2], [3]]]
    rows = [(0, 1, 0, -1)] * 5 + [(0, 2, 0, -1)] * 6 + [(0, 2, 1, -1)] * 4 + [(0, 1, 2, -1)] * 3
    p = grade_matrix(outcomes_of(*rows), grades, levels=range(4), untested="interpolate").p[0]
    assert not np.isnan(p).any()
    assert p[1, 0] == pytest.approx(p[2, 1])
    assert p[3, 1] > p[2, 1] > 0.5


def test_grades_that_no_chain_of_tests_connects_are_unknown() -> None:
    grades = [[[0], [1], [2], [3]]]
    rows = [(0, 1, 0, -1), (0, 3, 2, -1)]
    p = grade_matrix(outcomes_of(*rows), grades, untested="interpolate").p[0]
    assert np.isnan(p[:2, 2:]).all()
    assert not np.isnan(p[:2, :2]).any()


@given(seed=st.integers(0, 2**32 - 1), mode=st.sampled_from(["individual", "aggregate"]))
def test_preferences_between_grades_are_complementary(seed: int, mode: str) -> None:
    grades, tests = a_collection(seed)
    matrix = grade_matrix(tests, grades, levels=range(4), mode=mode, untested="half")  # type: ignore[arg-type]
    assert matrix.p + matrix.p.swapaxes(1, 2) == pytest.approx(np.ones((2, 4, 4))[:1])
    assert (matrix.tests == matrix.tests.swapaxes(1, 2)).all()
    assert ((matrix.p > 0) & (matrix.p < 1)).all()


@given(seed=st.integers(0, 2**32 - 1), mode=st.sampled_from(["individual", "aggregate"]))
def test_counts_equal_those_of_a_loop_over_tests(seed: int, mode: str) -> None:
    grades, tests = a_collection(seed)
    expected = np.zeros((4, 4))
    for topic, left, right, outcome in zip(
        tests.topics, tests.left, tests.right, tests.outcomes, strict=True
    ):
        share = 1.0 if outcome < 0 else 0.5 if outcome == 0 else 0.0
        one, two = grades[topic, left], grades[topic, right]
        if mode == "individual":
            pairs = [(a, b, 1.0) for a, b in zip(one, two, strict=True)]
        else:
            pairs = [(a, b, 0.25) for a in middle(one) for b in middle(two)]
        for a, b, amount in pairs:
            if not np.isnan(a) and not np.isnan(b):
                expected[int(a), int(b)] += share * amount
                expected[int(b), int(a)] += (1 - share) * amount
    found = grade_matrix(tests, grades, levels=range(4), mode=mode)  # type: ignore[arg-type]
    assert found.wins[0] == pytest.approx(expected)


def test_a_test_with_weight_two_counts_as_two_tests() -> None:
    grades, tests = a_collection(3)
    weights = np.ones(len(tests))
    weights[:5] = 2
    again = PreferenceTests(
        *(
            np.concatenate([getattr(tests, name), getattr(tests, name)[:5]])
            for name in ("topics", "left", "right", "outcomes")
        )
    )
    weighted = grade_matrix(tests, grades, levels=range(4), weights=weights)
    twice = grade_matrix(again, grades, levels=range(4))
    assert weighted.wins == pytest.approx(twice.wins)
    # A cell counts distinct tests: a test drawn twice counts once.
    assert (weighted.tests == grade_matrix(tests, grades, levels=range(4)).tests).all()


def test_a_test_with_weight_zero_does_not_count() -> None:
    grades, tests = a_collection(4)
    weights = np.arange(len(tests)) % 2
    kept = PreferenceTests(
        *(getattr(tests, name)[1::2] for name in ("topics", "left", "right", "outcomes"))
    )
    weighted = grade_matrix(tests, grades, levels=range(4), weights=weights)
    alone = grade_matrix(kept, grades, levels=range(4))
    assert weighted.p == pytest.approx(alone.p, nan_ok=True)
    assert (weighted.tests == alone.tests).all()
    for wrong in (weights[1:], -weights):
        with pytest.raises(ShapeError, match="a weight of 0 or more for each of the 25 tests"):
            grade_matrix(tests, grades, levels=range(4), weights=wrong)


def test_real_valued_grades_need_bins() -> None:
    rng = np.random.default_rng(0)
    test = outcomes_of((0, 0, 1, -1))
    with pytest.raises(
        UsageError, match=r"200 distinct grades; expected at most 101.*into bins first"
    ):
        grade_matrix(test, rng.random((1, 200, 1)))
    with pytest.raises(UsageError, match=r"grade 2\.5 is not one of the 4 levels.*bins"):
        grade_matrix(test, [[[2.5], [1]]], levels=range(4))
    with pytest.raises(UsageError, match="the grade 4 is not one of the 4 levels"):
        grade_matrix(test, [[[4], [1]]], levels=range(4))
    assert grade_matrix(test, [[[2.5], [0.25]]]).levels == (0.25, 2.5)


def test_wrong_arguments_are_refused() -> None:
    test, grades = outcomes_of((0, 0, 1, -1)), [[[1], [0]]]
    with pytest.raises(ShapeError, match="names the doc at position 1, but the number of docs"):
        grade_matrix(test, [[[1]]])
    with pytest.raises(ShapeError, match="names the topic at position 1"):
        grade_matrix(outcomes_of((1, 0, 1, -1)), grades)
    with pytest.raises(ShapeError, match="grades must have 3 dimensions; found 2"):
        grade_matrix(test, [[1, 0]])
    with pytest.raises(ShapeError, match="a whole number for each of the 1 topics"):
        grade_matrix(test, grades, batches=[0, 1])
    with pytest.raises(ShapeError, match="a batch number is below 0; expected 0 or more"):
        grade_matrix(test, grades, batches=[-1])
    with pytest.raises(ShapeError, match="no assessor has grades"):
        grade_matrix(test, np.zeros((1, 2, 0)), levels=range(2), mode="aggregate")
    with pytest.raises(UsageError, match="no grades found; expected at least one"):
        grade_matrix(test, [[[NAN], [-1]]])
    with pytest.raises(UnknownNameError, match="unknown smoothing 'jeffrey'; did you mean jeff"):
        grade_matrix(test, grades, smoothing="jeffrey")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="unknown mode 'median'"):
        grade_matrix(test, grades, mode="median")  # type: ignore[arg-type]


def test_no_tests_leave_every_pair_untested() -> None:
    matrix = grade_matrix(outcomes_of(), [[[1], [0]]])
    assert np.isnan(matrix.p[0, 0, 1])
    assert matrix.tests.sum() == 0


def test_a_given_matrix_is_checked() -> None:
    matrix = GradeMatrix.from_values([[0.5, 0.2], [0.8, 0.5]], mode="aggregate")
    assert matrix.levels == (0, 1)
    assert np.isnan(matrix.tests).all()
    assert GradeMatrix.from_values(
        [[0.5, NAN], [NAN, 0.5]], levels=[0, 3], mode="individual"
    ).levels == (0, 3)
    for wrong, message in (
        ([[0.5, 0.3], [0.8, 0.5]], "has 0.3 in row 0, column 1 and 0.8 in the mirrored"),
        ([[0.5, 1.2], [-0.2, 0.5]], "has 1.2 in row 0, column 1"),
        ([[0.4, 0.2], [0.8, 0.5]], "has 0.4 in row 0, column 0"),
        ([[0.5, NAN], [0.8, 0.5]], "has nan in row 0"),
        ([[0.5, 0.2]], r"shape \[1, 2\]"),
    ):
        with pytest.raises(ShapeError, match=message):
            GradeMatrix.from_values(wrong, mode="individual")
    with pytest.raises(ShapeError, match="a column for each of the 3 levels"):
        GradeMatrix.from_values([[0.5, 0.2], [0.8, 0.5]], levels=[0, 1, 2], mode="individual")
    with pytest.raises(UsageError, match=r"clip is 0\.5"):
        GradeMatrix.from_values([[0.5]], mode="individual", clip=0.5)


def a_collection(seed: int) -> tuple[FloatArray, PreferenceTests]:
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 4, size=(3, 6, 4)).astype(float)
    grades[rng.random(grades.shape) < 0.2] = NAN
    count = 25
    left = rng.integers(6, size=count)
    return grades, PreferenceTests(
        topics=rng.integers(3, size=count),
        left=left,
        right=(left + rng.integers(1, 6, size=count)) % 6,
        outcomes=rng.integers(-2, 3, size=count).astype(float),
    )


def middle(grades: FloatArray) -> list[float]:
    known = sorted(grades[~np.isnan(grades)].tolist())
    if not known:
        return []
    return [known[(len(known) - 1) // 2], known[len(known) // 2]]


def test_the_comparison_implementation_of_the_middle_grades_is_right() -> None:
    assert middle(np.array([3.0, 1.0, NAN])) == [1, 3]
    assert all(low <= high for low, high in pairwise(middle(np.array([2.0, 0.0, 1.0]))))
