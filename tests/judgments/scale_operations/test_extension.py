import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.scale_operations import Extension, keyed_draws

FOUR = Scale.parse("0..3")


@pytest.mark.parametrize("w", [0.5, 1.0, 2.0, 3.0, 4.0])
def test_the_transition_probabilities_are_those_of_equation_16(w):
    # Chu et al. (2021), Eq. 16: P(g7 | g4) = e^{−w|2·g4 − g7|} / Σ_g e^{−w|2·g4 − g|}.
    expected = np.array([[math.exp(-w * abs(2 * g - t)) for t in range(7)] for g in range(4)])
    expected /= expected.sum(axis=1, keepdims=True)
    assert Extension(7, w).distribution(FOUR) == pytest.approx(expected, abs=1e-15)


def test_without_uncertainty_the_grades_are_0_2_4_6():
    # Chu et al. (2021), 5.2.3: 4to7(+∞) corresponds exactly to the original grades.
    certain = Extension.parse("7", "inf")
    grades = np.array([0.0, 1.0, 2.0, 3.0])
    for draw in (0.0, 0.5, np.nextafter(1.0, 0.0)):
        moved = certain.apply(grades, np.full(4, draw), source=FOUR)
        assert moved.tolist() == [0, 2, 4, 6]
    assert certain.label(FOUR) == "4to7(inf)"
    assert Extension.parse("7", "0.5").label(FOUR) == "4to7(0.5)"
    assert Extension(7, 2.0).target == Scale.parse("0..6")


def test_centres_need_not_be_whole_numbers():
    # 3to4: the centres are 0, 1.5, 3. The middle grade is equally close to 1 and 2.
    three = Scale.parse("0..2")
    certain = Extension(4, math.inf).distribution(three)
    assert certain.tolist() == [[1, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]]
    soft = Extension(4, 1.0).distribution(three)
    weights = np.exp([-1.5, -0.5, -0.5, -1.5])
    assert soft[1] == pytest.approx(weights / weights.sum())


def test_the_number_of_levels_may_decrease_or_be_one():
    # 4to2: the centres are 0, 1/3, 2/3, 1.
    assert Extension(2, math.inf).distribution(FOUR).tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert Extension(1, 2.0).distribution(FOUR).tolist() == [[1]] * 4


@settings(deadline=None)
@given(n=st.integers(2, 12), m=st.integers(1, 15), w=st.floats(0, 1000))
def test_distributions_sum_to_1_are_symmetric_and_approach_their_limits(n, m, w):
    source = Scale(tuple(map(float, range(n))))
    p = Extension(m, w).distribution(source)
    assert p.sum(axis=1) == pytest.approx(np.ones(n))
    assert p == pytest.approx(p[::-1, ::-1])
    assert Extension(m, 0.0).distribution(source) == pytest.approx(np.full((n, m), 1 / m))
    limit = Extension(m, math.inf).distribution(source)
    assert Extension(m, 1e6).distribution(source) == pytest.approx(limit)


def test_draws_follow_the_distribution():
    rng = np.random.default_rng(1)
    extension = Extension(7, 0.5)
    for level in range(4):
        drawn = extension.apply(np.full(40_000, float(level)), rng.random(40_000), source=FOUR)
        shares = np.bincount(drawn.astype(int), minlength=7) / 40_000
        # Five standard errors of the largest share.
        assert shares == pytest.approx(extension.distribution(FOUR)[level], abs=0.0125)


def test_missing_grades_and_codes_stay_unchanged():
    grades = [[np.nan, -1.0], [-2.0, 3.0]]
    draws = [[np.nan, 5.0], [-1.0, 0.3]]
    moved = Extension(7, math.inf).apply(grades, draws, source=FOUR)
    np.testing.assert_array_equal(moved, [[np.nan, -1], [-2, 6]])


def test_levels_are_identified_by_their_place_not_their_value():
    source = Scale((1.0, 5.0, 50.0))
    moved = Extension(5, math.inf).apply([1, 5, 50], [0.9] * 3, source=source)
    assert moved.tolist() == [0, 2, 4]


def test_draws_are_reproducible():
    # Recomputed by hand: the first 53 bits of the SHA-256 of this text, divided by 2^53.
    import hashlib

    text = b"i:1:7\ns:6:extend\ns:2:t1\ns:2:d1\ni:1:3"
    first = int.from_bytes(hashlib.sha256(text).digest(), "big") >> (256 - 53)
    keys = [("t1", "d1", 3), ("t1", "d2", 3)]
    draws = keyed_draws(keys, seed=7)
    assert draws[0] == first / 2**53
    assert keyed_draws(keys[::-1], seed=7).tolist() == draws[::-1].tolist()
    assert (keyed_draws(keys, seed=8) != draws).all()
    assert keyed_draws([], seed=0).shape == (0,)


def test_draws_are_uniform():
    from scipy.stats import kstest

    draws = keyed_draws(((topic, doc) for topic in range(50) for doc in range(100)), seed=0)
    assert kstest(draws, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("levels", "w"), [("x", "1"), ("7.0", "1"), ("0", "1"), ("999999", "1"), ("-7", "1")]
)
def test_an_invalid_number_of_levels_is_an_error(levels, w):
    with pytest.raises(UsageError, match="an extension has"):
        Extension.parse(levels, w)


@pytest.mark.parametrize("w", ["x", "-1", "nan", "1_0", ""])
def test_an_invalid_w_is_an_error(w):
    with pytest.raises(UsageError, match="the extension has w = "):
        Extension.parse("7", w)


def test_mismatched_shapes_are_errors():
    extension = Extension(7, 1.0)
    with pytest.raises(ShapeError, match="the same shape"):
        extension.apply([1.0, 2.0], [0.5], source=FOUR)
    with pytest.raises(UsageError, match=r"outside \[0, 1\)"):
        extension.apply([1.0], [1.0], source=FOUR)
    with pytest.raises(UsageError, match=r"outside \[0, 1\)"):
        extension.apply([1.0], [np.nan], source=FOUR)
    with pytest.raises(UsageError, match=r"the grade 4 is not on the scale 0\.\.3"):
        extension.apply([4.0], [0.5], source=FOUR)
    with pytest.raises(UsageError, match="one level"):
        extension.distribution(Scale((0.0,)))
