import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import NotConvergedWarning, ShapeError, UsageError
from qrelsmith.judgments.aggregation import dawid_skene, majority

# Dawid and Skene (1979), Table 1: 45 patients, observer 1 three times, observers 2 to 5 once.
PATIENTS = """
111 1111  333 4334  112 2122  222 3121  222 3222  222 3322  122 2111  333 3433  222 2223
232 2223  444 4444  222 3343  111 1111  222 3212  121 1111  111 2111  111 1111  111 1111
222 2221  222 1322  222 2222  222 2221  222 3222  221 2222  111 1111  111 1111  232 2222
111 1111  111 1111  112 1121  111 1111  333 3233  111 1111  222 2222  222 3232  433 4343
221 2232  232 3233  333 3432  111 1111  111 1111  121 2111  232 2222  121 1111  222 2222
"""
# The estimates of the paper, rounded as printed: p, and the error rates of each observer [true,
# given].
MARGINALS = [0.40, 0.42, 0.11, 0.07]
ERROR_RATES = [
    [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]],
    [[0.83, 0.17, 0, 0], [0.05, 0.63, 0.31, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
    [[1, 0, 0, 0], [0.11, 0.79, 0.11, 0], [0, 0.40, 0.20, 0.40], [0, 0, 0.67, 0.33]],
    [[0.94, 0.06, 0, 0], [0.05, 0.84, 0.10, 0], [0, 0, 0.80, 0.20], [0, 0, 0.33, 0.67]],
    [[1, 0, 0, 0], [0.16, 0.73, 0.11, 0], [0, 0.21, 0.79, 0], [0, 0, 0.33, 0.67]],
]
OBSERVERS = [1, 1, 1, 2, 3, 4, 5]


def patients():
    fields = PATIENTS.split()
    rows = [first + rest for first, rest in zip(fields[::2], fields[1::2], strict=True)]
    return np.array([[float(digit) for digit in row] for row in rows]).T


def test_the_estimates_of_the_paper_are_reproduced():
    result = dawid_skene(patients(), levels=[1, 2, 3, 4], assessors=OBSERVERS)
    assert result.converged
    assert result.assessors.tolist() == [1, 2, 3, 4, 5]
    assert result.prevalence == pytest.approx(MARGINALS, abs=0.005)
    assert result.confusion == pytest.approx(np.array(ERROR_RATES), abs=0.005)
    # Patients 2 and 36: observer 1 mostly says 3, but the estimate is 4.
    assert result.grades[[1, 35]].tolist() == [4, 4]
    assert result.doubtful_levels.size == 0


def test_the_majority_is_a_worse_start_on_the_data_of_the_paper():
    starts = {
        start: dawid_skene(patients(), assessors=OBSERVERS, start=start)
        for start in ("shares", "majority")
    }
    assert all(result.converged for result in starts.values())
    assert starts["majority"].log_likelihood < starts["shares"].log_likelihood - 1


def plain(ratings, levels, smoothing, steps):
    """EM as the paper writes it, in loops and simple products, for comparison."""
    assessors, units = ratings.shape
    size = len(levels)
    given_by = [[None if np.isnan(g) else levels.index(g) for g in row] for row in ratings.tolist()]
    t = np.zeros((units, size))
    for unit in range(units):
        for row in given_by:
            if row[unit] is not None:
                t[unit, row[unit]] += 1
        t[unit] /= t[unit].sum()
    for _ in range(steps):
        p = t.mean(axis=0)
        pi = np.full((assessors, size, size), float(smoothing))
        for k in range(assessors):
            for unit in range(units):
                if given_by[k][unit] is not None:
                    pi[k, :, given_by[k][unit]] += t[unit]
            pi[k] /= np.maximum(pi[k].sum(axis=1, keepdims=True), 1e-300)
        for unit in range(units):
            t[unit] = p
            for k in range(assessors):
                if given_by[k][unit] is not None:
                    t[unit] *= pi[k, :, given_by[k][unit]]
            t[unit] /= t[unit].sum()
    return t


@examples(25)
@given(seed=st.integers(0, 10_000), smoothing=st.sampled_from([0, 0.01, 0.5]))
def test_estimates_equal_em_as_the_paper_writes_it(seed, smoothing):
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 3, (4, 8)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    ratings[0, np.isnan(ratings).all(axis=0)] = 1.0
    with pytest.warns(NotConvergedWarning):
        result = dawid_skene(
            ratings, levels=[0, 1, 2], smoothing=smoothing, tolerance=0, iterations=3
        )
    np.testing.assert_allclose(
        result.posterior, plain(ratings, [0, 1, 2], smoothing, 3), atol=1e-12
    )
    assert not result.converged
    assert result.iterations == 3


def test_the_likelihood_never_falls():
    rng = np.random.default_rng(5)
    ratings = rng.integers(0, 3, (5, 40)).astype(float)
    likelihoods = []
    for steps in range(1, 12):
        with pytest.warns(NotConvergedWarning):
            likelihoods.append(
                dawid_skene(ratings, smoothing=0, tolerance=0, iterations=steps).log_likelihood
            )
    assert np.diff(likelihoods).min() >= -1e-9


def test_careless_assessors_are_detected_and_outvoted():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 400).astype(float)
    careful = np.where(rng.random((3, 400)) < 0.9, truth, rng.integers(0, 4, (3, 400)))
    careless = rng.integers(0, 4, (6, 400)).astype(float)
    ratings = np.concatenate([careful, careless])
    result = dawid_skene(ratings, levels=range(4))
    assert result.converged
    skill = np.einsum("ajj->a", result.confusion) / 4
    assert skill[:3].min() > 0.85
    assert skill[3:].max() < 0.4
    assert (result.grades == truth).mean() > 0.95 > (majority(ratings) == truth).mean()


def test_the_order_of_assessors_and_units_does_not_matter():
    ratings = patients()
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(ratings.shape[0]), rng.permutation(ratings.shape[1])
    one, other = dawid_skene(ratings), dawid_skene(ratings[rows][:, columns])
    np.testing.assert_array_equal(other.grades, one.grades[columns])
    np.testing.assert_allclose(other.posterior, one.posterior[columns], atol=1e-6)
    np.testing.assert_allclose(other.confusion, one.confusion[rows], atol=1e-6)


def test_a_single_assessor_is_trusted():
    result = dawid_skene([[2.0, 0.0, np.nan, 1.0]], levels=[0, 1, 2])
    np.testing.assert_array_equal(result.grades, [2, 0, np.nan, 1])
    assert np.isnan(result.posterior[2]).all()
    assert result.prevalence == pytest.approx([1 / 3] * 3, abs=0.01)


def test_a_level_that_was_never_given_has_no_units():
    ratings = [[0.0, 0.0, 2.0, 2.0], [0.0, 2.0, 2.0, 2.0]]
    for smoothing in (0, 0.1):
        result = dawid_skene(ratings, levels=[0, 1, 2], smoothing=smoothing)
        assert result.prevalence[1] == 0
        assert np.isnan(result.confusion[:, 1]).all() == (smoothing == 0)
        assert 1 not in result.grades


def test_an_assessor_without_ratings_and_no_ratings_at_all_are_accepted():
    ratings = [[0.0, 1.0, 1.0], [np.nan] * 3, [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    assert np.isnan(dawid_skene(ratings).confusion[1]).all()
    assert dawid_skene(ratings, smoothing=0.1).confusion[1] == pytest.approx(np.full((2, 2), 0.5))
    nothing = dawid_skene(np.full((2, 3), np.nan), levels=[0, 1])
    assert nothing.converged
    assert np.isnan(nothing.prevalence).all()
    assert np.isnan(nothing.grades).all()


def test_levels_that_most_assessors_swap_are_called_doubtful():
    # Everyone calls the rare level 2 mostly 1; a good assessor shows that 2 is a different level.
    rng = np.random.default_rng(3)
    truth = rng.choice([0.0, 1.0, 2.0], size=600, p=[0.4, 0.4, 0.2])
    swapped = np.where((truth == 2) & (rng.random((6, 600)) < 0.7), 1.0, truth)
    exact = np.tile(truth, (2, 1))
    result = dawid_skene(np.concatenate([swapped, exact]), levels=[0, 1, 2])
    assert result.doubtful_levels.tolist() == [2]
    assert (result.grades == truth).mean() > 0.99


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": "random"}, "start='random'; expected one of shares, majority"),
        ({"smoothing": -1}, "smoothing=-1; expected a finite number, 0 or more"),
        ({"smoothing": np.nan}, "smoothing=nan"),
        ({"tolerance": -1.0}, "tolerance=-1.0"),
        ({"iterations": 0}, "iterations=0; expected 1 or more"),
    ],
)
def test_options_out_of_range_are_named(options, message):
    with pytest.raises(UsageError, match=message):
        dawid_skene([[0.0, 1.0]], **options)


@pytest.mark.parametrize("assessors", [[1], [1, 2, 3], [0.5, 1.0], [[1, 2]]])
def test_ratings_have_one_row_per_assessor(assessors):
    with pytest.raises(ShapeError, match="assessors must be 2 whole numbers"):
        dawid_skene([[0.0, 1.0], [1.0, 1.0]], assessors=assessors)
