import numpy as np
import pytest
from scipy import special, stats

from qrelsmith.base.errors import UsageError
from qrelsmith.stats.studentized_range import studentized_range_isf, studentized_range_sf

Q = np.array([0.05, 0.5, 1.0, 2.0, 3.0, 4.0, 5.5, 8.0])


@pytest.mark.parametrize("groups", [2, 3, 8, 50])
@pytest.mark.parametrize("freedom", [1, 4, 30, 2744, 12201])
def test_probabilities_equal_scipy_to_1e_8(groups, freedom):
    expected = stats.studentized_range.sf(Q, groups, freedom)
    assert studentized_range_sf(Q, groups, freedom) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("freedom", [1, 3, 30, 1000])
def test_two_groups_equal_students_t_in_the_far_tail_too(freedom):
    q = np.array([0.1, 1.0, 4.0, 8.0, 12.0])
    expected = 2 * special.stdtr(freedom, -q / np.sqrt(2))
    assert studentized_range_sf(q, 2, freedom) == pytest.approx(expected, rel=1e-9, abs=0)


def test_textbook_critical_values_are_reproduced():
    # Upper 5 % and 1 % points, tables of the studentised range: 3 and 20, 5 and 10, 10 and 60.
    assert studentized_range_isf(0.05, 3, 20) == pytest.approx(3.58, abs=0.005)
    assert studentized_range_isf(0.05, 5, 10) == pytest.approx(4.65, abs=0.005)
    assert studentized_range_isf(0.01, 10, 60) == pytest.approx(5.45, abs=0.005)


def test_many_degrees_of_freedom_are_continuous():
    # Around 1e5 the method changes; the probability itself moves by about 1/freedom.
    for groups in (2, 12, 100):
        below = studentized_range_sf(Q, groups, 99_999)
        above = studentized_range_sf(Q, groups, 100_001)
        assert above == pytest.approx(below, abs=1e-8)
    limit = studentized_range_sf(3.0, 3, np.inf)
    assert limit == pytest.approx(stats.studentized_range.sf(3.0, 3, np.inf), abs=1e-9)
    assert studentized_range_sf(3.0, 3, 1e9) == pytest.approx(float(limit), abs=1e-8)


def test_edge_cases_and_shapes_are_handled():
    values = studentized_range_sf([[0.0, -1.0, np.nan], [np.inf, 1e-12, 1e9]], 3, 5)
    assert values.shape == (2, 3)
    assert values[0].tolist()[:2] == [1.0, 1.0]
    assert np.isnan(values[0, 2])
    assert values[1].tolist()[:2] == [0.0, 1.0]
    assert values[1, 2] < 1e-6
    assert studentized_range_sf(np.empty(0), 3, 5).shape == (0,)


def test_the_probability_never_increases():
    q = np.sort(np.random.default_rng(0).gamma(2, 2, size=2000))
    p = studentized_range_sf(q, 7, 13)
    assert (np.diff(p) <= 1e-15).all()
    assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.parametrize("p", [0.5, 0.05, 1e-4])
@pytest.mark.parametrize(("groups", "freedom"), [(2, 1), (12, 10989), (50, 12201), (3, np.inf)])
def test_the_inverse_function_is_the_inverse(p, groups, freedom):
    q = studentized_range_isf(p, groups, freedom)
    assert studentized_range_sf(q, groups, freedom) == pytest.approx(p, rel=1e-8)


@pytest.mark.parametrize(("groups", "freedom"), [(1, 5), (3, 0), (3, np.nan)])
def test_too_few_groups_or_no_degrees_of_freedom_are_an_error(groups, freedom):
    with pytest.raises(UsageError, match="expected 2 or more groups, and freedom above 0"):
        studentized_range_sf(1.0, groups, freedom)


def test_a_probability_out_of_range_is_an_error():
    with pytest.raises(UsageError, match="p must be between 0 and 1; found 1"):
        studentized_range_isf(1, 3, 5)
