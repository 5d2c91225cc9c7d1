import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.planning.simulation import (
    Design,
    all_tests,
    answers,
    limit_weights,
    sample_counts,
    sample_tests,
    simulate_batch,
)

TRUTH = np.array([[0.9, 0.1, 0.1], [0.2, 0.5, 0.4]])
GRADES = np.array([[2.0, 0.0, 1.0], [0.0, 2.0, np.nan]])


def triples(tests):
    return list(
        zip(
            tests.topics.tolist(),
            tests.left.tolist(),
            tests.right.tolist(),
            tests.outcomes.tolist(),
            strict=True,
        )
    )


def test_every_pair_of_docs_is_judged_by_true_relevance():
    # Chu et al. (2021), 4.1: d1 is preferred if and only if its relevance is higher; negative is
    # left better here.
    assert triples(all_tests(TRUTH)) == [
        (0, 0, 1, -1),
        (0, 0, 2, -1),
        (0, 1, 2, 0),
        (1, 0, 1, 1),
        (1, 0, 2, 1),
        (1, 1, 2, -1),
    ]
    batch = simulate_batch(Design(), 0, seed=0)
    assert len(all_tests(batch.truth)) == 100 * 10
    assert len(all_tests(np.empty((3, 1)))) == 0


@given(arrays(np.float64, (3, 5), elements=st.floats(0, 1)), st.floats(0, 0.5))
def test_answers_change_their_sign_with_the_sides(values, indifference):
    left, right = values[:, :2], values[:, 3:]
    given_answers = answers(left, right, indifference=indifference)
    assert (given_answers == -answers(right, left, indifference=indifference)).all()
    assert ((given_answers == 0) == (np.abs(right - left) <= indifference)).all()


def test_each_existing_pair_of_grades_gets_b_tests():
    tests = all_tests(TRUTH)
    drawn = sample_tests(tests, GRADES, per_pair=6, rng=np.random.default_rng(0))
    assert len(drawn) == 18  # the pairs 0-1, 0-2, 1-2; the doc without a grade is in none
    low = np.minimum(GRADES[drawn.topics, drawn.left], GRADES[drawn.topics, drawn.right])
    high = np.maximum(GRADES[drawn.topics, drawn.left], GRADES[drawn.topics, drawn.right])
    assert low.tolist() == [0] * 12 + [1] * 6
    assert high.tolist() == [1] * 6 + [2] * 12
    # The pair 0-2 has two tests, and with six draws both are drawn.
    assert set(drawn.topics[6:12].tolist()) == {0, 1}
    assert set(triples(drawn)) <= set(triples(tests))


def test_pairs_of_equal_grades_are_tested_only_on_request():
    truth, grades = [[0.1, 0.2, 0.3]], [[1.0, 1.0, 0.0]]
    tests = all_tests(truth)
    rng = np.random.default_rng(0)
    assert len(sample_tests(tests, grades, per_pair=4, rng=rng)) == 4
    assert len(sample_tests(tests, grades, per_pair=4, rng=rng, equal=True)) == 8
    assert len(sample_tests(tests, [[1.0] * 3], per_pair=4, rng=rng)) == 0
    assert len(sample_tests(tests, [[np.nan] * 3], per_pair=4, rng=rng, equal=True)) == 0


def test_counts_are_samples_and_approach_the_limit():
    batch = simulate_batch(Design(), 3, seed=0)
    tests = all_tests(batch.truth)
    grades = np.median(batch.grades(4), axis=0)
    counts = sample_counts(tests, grades, per_pair=80, repeats=200, rng=np.random.default_rng(0))
    weights = limit_weights(tests, grades)
    assert counts.shape == (200, 1000)
    pairs = np.rint(weights.sum()).astype(int)
    assert (counts.sum(axis=1) == 80 * pairs).all()
    assert not counts[:, weights == 0].any()
    # Five standard errors of a mean of 200 binomial counts.
    error = np.sqrt(80 * weights / 200)
    assert (np.abs(counts.mean(axis=0) - 80 * weights) <= 5 * error + 1e-12).all()


def test_all_tests_fill_the_cells_of_aggregated_grades_as_in_the_limit():
    # In one cell of the grade matrix, all tests have the same weight, so that the share of wins in
    # the limit of B is that of all tests.
    batch = simulate_batch(Design(), 8, seed=1)
    tests = all_tests(batch.truth)
    grades = np.median(batch.grades(5), axis=0)
    weights = limit_weights(tests, grades)
    left, right = grades[tests.topics, tests.left], grades[tests.topics, tests.right]
    for low, high in ((1, 2), (1, 3), (2, 3)):
        cell = (np.minimum(left, right) == low) & (np.maximum(left, right) == high)
        wins = np.where(left > right, tests.outcomes == -1, tests.outcomes == 1)[cell]
        assert np.average(wins, weights=weights[cell]) == pytest.approx(wins.mean())


def test_no_tests_no_repeats_and_no_graded_pairs_are_handled():
    rng = np.random.default_rng(0)
    nothing = all_tests(np.empty((0, 3)))
    assert len(sample_tests(nothing, np.empty((0, 3)), per_pair=3, rng=rng)) == 0
    assert sample_counts(all_tests(TRUTH), GRADES, per_pair=2, repeats=0, rng=rng).shape == (0, 6)
    assert limit_weights(all_tests(TRUTH), np.full((2, 3), np.nan)).tolist() == [0] * 6


def test_mismatched_arguments_are_errors():
    rng = np.random.default_rng(0)
    tests = all_tests(TRUTH)
    with pytest.raises(ShapeError, match="a test has a doc outside the grades"):
        sample_tests(tests, GRADES[:, :2], per_pair=1, rng=rng)
    with pytest.raises(UsageError, match="per_pair=0"):
        sample_tests(tests, GRADES, per_pair=0, rng=rng)
    with pytest.raises(UsageError, match="repeats=-1"):
        sample_counts(tests, GRADES, per_pair=1, repeats=-1, rng=rng)
    with pytest.raises(UsageError, match="indifference"):
        answers(0.1, 0.2, indifference=-1.0)
    with pytest.raises(UsageError, match="a doc has no relevance"):
        all_tests([[0.1, np.nan]])
