"""Rules for every aggregation; they test a new one before it has its own tests."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from tests.examples import examples

from qrelsmith.base.errors import NotConvergedWarning, ShapeError, UsageError
from qrelsmith.judgments.aggregation import AGGREGATIONS

RATINGS = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan]),
)
NAMES = AGGREGATIONS.names()


def aggregate(name, ratings, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        return AGGREGATIONS.get(name)(ratings, **options)


def test_all_documented_names_are_registered():
    assert set(NAMES) == {
        "majority",
        "median",
        "median-upper",
        "median-mean",
        "min",
        "max",
        "mean",
        "sum",
        "logsum",
        "dawid-skene",
    }
    assert AGGREGATIONS.label("median-lower") == "median"
    assert AGGREGATIONS.label("dawid-skene(start='majority')") == "dawid-skene(start='majority')"


@pytest.mark.parametrize("name", NAMES)
def test_every_aggregation_documents_its_method_and_source(name):
    entry = AGGREGATIONS.get(name).entry
    assert entry.formula
    assert entry.source
    assert entry.summary


@pytest.mark.parametrize("name", NAMES)
@examples(30)
@given(ratings=RATINGS)
def test_every_unit_has_one_grade_and_nan_only_without_ratings(name, ratings):
    before = ratings.copy()
    grades = aggregate(name, ratings, levels=range(4))
    assert grades.shape == ratings.shape[1:]
    np.testing.assert_array_equal(np.isnan(grades), np.isnan(ratings).all(axis=0))
    np.testing.assert_array_equal(ratings, before)


# Rounding may decide between two maxima of Dawid and Skene's likelihood, which has a separate test.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "dawid-skene"])
@examples(30)
@given(ratings=RATINGS, seed=st.integers(0, 99))
def test_the_order_of_assessors_and_units_does_not_matter(name, ratings, seed):
    rng = np.random.default_rng(seed)
    rows = rng.permutation(ratings.shape[0])
    columns = rng.permutation(ratings.shape[1])
    plain = aggregate(name, ratings, levels=range(4))
    np.testing.assert_allclose(aggregate(name, ratings[rows]), plain)
    np.testing.assert_allclose(aggregate(name, ratings[:, columns]), plain[columns])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("sum", "logsum")])
@examples(30)
@given(given=arrays(np.float64, st.integers(0, 6), elements=st.sampled_from([0.0, 1.0, 3.0])))
def test_assessors_who_agree_are_trusted(name, given):
    for assessors in (1, 2, 5):
        np.testing.assert_array_equal(aggregate(name, np.tile(given, (assessors, 1))), given)


@pytest.mark.parametrize("name", NAMES)
def test_no_assessors_no_units_and_no_ratings_are_accepted(name):
    assert np.isnan(aggregate(name, np.empty((0, 3)))).tolist() == [True] * 3
    assert aggregate(name, np.empty((3, 0))).shape == (0,)
    assert np.isnan(aggregate(name, np.full((2, 2), np.nan), levels=[0, 1])).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_rating_outside_the_scale_is_an_error_with_its_place(name):
    with pytest.raises(
        UsageError, match=r"ratings\[1, 0\] = 4; expected a level of the scale 0, 1"
    ):
        aggregate(name, [[0.0, 1.0], [4.0, np.nan]], levels=[0, 1, 2])
    with pytest.raises(UsageError, match=r"ratings\[0, 1\] = inf; expected a finite number or nan"):
        aggregate(name, [[0.0, np.inf]])
    with pytest.raises(ShapeError, match="2 dimensions"):
        aggregate(name, [0.0, 1.0])
    with pytest.raises(UsageError, match="ascend"):
        aggregate(name, [[0.0]], levels=[1, 0])
    with pytest.raises(UsageError, match="no level"):
        aggregate(name, [[0.0]], levels=[])
