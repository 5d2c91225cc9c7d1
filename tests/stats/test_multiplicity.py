import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.multiplicity import ADJUSTMENTS, benjamini_hochberg, holm

p_values = st.lists(
    st.one_of(st.floats(0, 1), st.just(float("nan")), st.sampled_from([0.0, 0.01, 0.5, 1.0])),
    max_size=12,
)
# Benjamini & Hochberg 1995, Table 1 (15 tests): Bonferroni and Holm reject 3 at .05, theirs 4.
TABLE_1 = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
TABLE_1 += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]


def loop_holm(p):
    """Compute Holm's adjustment by its definition."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    result, highest = [0.0] * len(p), 0.0
    for step, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - step) * p[i]))
        result[i] = highest
    return result


def test_the_example_of_benjamini_and_hochberg_is_reproduced():
    assert (holm(TABLE_1) < 0.05).sum() == 3
    assert (benjamini_hochberg(TABLE_1) < 0.05).sum() == 4
    assert benjamini_hochberg(TABLE_1)[3] == pytest.approx(15 / 4 * 0.0095)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_a_simple_loop_and_bh_equals_scipy(p):
    assert holm(p) == pytest.approx(loop_holm(p))
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p))


@pytest.mark.parametrize("name", ADJUSTMENTS.names())
@settings(deadline=None)
@given(p=p_values)
def test_adjusted_values_are_larger_in_the_same_order_and_at_most_1(name, p):
    raw = np.array(p, dtype=float)
    adjusted = ADJUSTMENTS.get(name)(raw)
    assert (np.isnan(adjusted) == np.isnan(raw)).all()
    known = ~np.isnan(raw)
    assert (adjusted[known] >= raw[known]).all()
    assert (adjusted[known] <= 1).all()
    order = np.argsort(raw[known], kind="stable")
    assert (np.diff(adjusted[known][order]) >= 0).all()
    same = np.diff(raw[known][order]) == 0
    assert (np.diff(adjusted[known][order])[same] == 0).all()


@settings(deadline=None)
@given(p=p_values)
def test_holm_is_never_below_bh(p):
    low, high = benjamini_hochberg(p), holm(p)
    assert (low <= high + 1e-12)[~np.isnan(low)].all()


@pytest.mark.parametrize("name", ADJUSTMENTS.names())
def test_an_undefined_test_does_not_count(name):
    adjust = ADJUSTMENTS.get(name)
    with_gap = adjust([0.01, np.nan, 0.04])
    assert with_gap[[0, 2]] == pytest.approx(adjust([0.01, 0.04]))
    assert adjust([]).shape == (0,)
    assert np.isnan(adjust([np.nan])).all()
    assert adjust([0.2]).tolist() == [0.2]


def test_the_shape_is_kept():
    assert holm(np.full((2, 3), 0.01)).tolist() == [[0.06] * 3] * 2


@pytest.mark.parametrize("name", ADJUSTMENTS.names())
def test_values_that_are_not_probabilities_are_refused(name):
    with pytest.raises(ShapeError, match=r"must be between 0 and 1; found 1\.5"):
        ADJUSTMENTS.get(name)([0.2, 1.5])


def test_long_names_are_accepted():
    assert ADJUSTMENTS.get("benjamini-hochberg").entry.name == "bh"
