import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.scale_operations import Cuts, Reduction

FOUR = Scale.parse("0..3")


def test_the_three_reductions_of_four_grades_are_those_of_the_paper():
    # Chu et al. (2021), 5.1.1: 4to2(≥1) treats 3, 2, 1 as relevant, and so on.
    grades = [0, 1, 2, 3]
    assert Reduction.parse(">=1").apply(grades, source=FOUR).tolist() == [0, 1, 1, 1]
    assert Reduction.parse(">= 2").apply(grades, source=FOUR).tolist() == [0, 0, 1, 1]
    assert Reduction.parse("≥3").apply(grades, source=FOUR).tolist() == [0, 0, 0, 1]
    assert Reduction.parse(">=1").label(FOUR) == "4to2(>=1)"
    assert str(Reduction(0.5)) == ">=0.5"
    assert Reduction(2).target == Scale((0.0, 1.0))


def test_the_named_cuts_of_four_levels_are_those_of_the_paper():
    # Han et al. (2019), 3.2: left is 0 | 1, 2, 3; middle 0, 1 | 2, 3; right 0, 1, 2 | 3.
    expected = {"relaxed": [0, 1, 1, 1], "middle": [0, 0, 1, 1], "rigid": [0, 0, 0, 1]}
    for name, grades in expected.items():
        assert Cuts.parse(name, source=FOUR).apply(range(4), source=FOUR).tolist() == grades
    assert Cuts.by_name("left", FOUR) == Cuts.by_name("relaxed", FOUR)
    assert Cuts.parse(" RIGHT ", source=FOUR) == Cuts.by_name("rigid", FOUR)


@pytest.mark.parametrize(
    ("scale", "cuts"), [("0..1", (0, 0, 0)), ("0..2", (0, 0, 1)), ("0..100", (0, 49, 99))]
)
def test_the_named_cuts_of_other_scales_are_at_the_same_shares(scale, cuts):
    source = Scale.parse(scale)
    names = ("relaxed", "middle", "rigid")
    assert tuple(Cuts.by_name(name, source).values[0] for name in names) == cuts


def test_a_label_above_a_cut_moves_up():
    cuts = Cuts.parse("28:58:82")
    assert cuts.apply([0, 28, 29, 58, 59, 82, 83, 100]).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert str(cuts) == "28:58:82"
    assert cuts.label(Scale.parse("0..100")) == "101to4(28:58:82)"
    assert cuts.target == FOUR


def test_cuts_of_a_real_valued_scale_need_no_list_of_levels():
    assert Cuts.parse("0.25:1e1").apply([0.25, 0.2500001, 11.5]).tolist() == [0, 1, 2]


def test_missing_grades_and_codes_stay_unchanged():
    grades = [np.nan, -1.0, -2.0, 0.0, 3.0]
    for operation in (Cuts((1.0,)), Reduction(2.0)):
        np.testing.assert_array_equal(operation.apply(grades, source=FOUR), [np.nan, -1, -2, 0, 1])
        assert operation.apply(np.empty((0, 2))).shape == (0, 2)


@given(
    grades=st.lists(st.integers(0, 100), min_size=1),
    cuts=st.lists(st.integers(0, 99), min_size=1, max_size=6, unique=True).map(sorted),
)
def test_cuts_count_and_keep_the_order(grades, cuts):
    operation = Cuts(tuple(map(float, cuts)))
    assert Cuts.parse(str(operation)) == operation
    moved = operation.apply(grades, source=Scale.parse("0..100"))
    assert moved.tolist() == [sum(grade > cut for cut in cuts) for grade in grades]
    order = np.argsort(grades, kind="stable")
    assert (np.diff(moved[order]) >= 0).all()


@pytest.mark.parametrize(
    "text", ["", "a", "1:", "1;2", "28::58", "1_0", "nan", "inf", "2:1", "1:1"]
)
def test_invalid_cuts_are_errors(text):
    with pytest.raises(UsageError, match=r"cut"):
        Cuts.parse(text)


def test_a_named_cut_needs_a_target_scale_of_two_levels():
    with pytest.raises(UsageError, match="needs the scale of the grades"):
        Cuts.parse("rigid")
    with pytest.raises(UsageError, match="expected at least two levels"):
        Cuts.parse("rigid", source=Scale((0.0,)))
    with pytest.raises(UsageError, match="'centre'; expected one of relaxed, middle, rigid"):
        Cuts.by_name("centre", FOUR)


@pytest.mark.parametrize("cuts", [(3.0,), (0.2, 0.8), (0.0, 1.0, 2.0, 3.0), ()])
def test_cuts_that_leave_a_level_empty_are_errors_if_the_scale_is_known(cuts):
    with pytest.raises(UsageError, match=r"some level gets no grade|no cuts"):
        Cuts(cuts).apply([0.0], source=FOUR)


def test_a_negative_or_infinite_cut_or_grade_is_an_error():
    for values in ((-1.0, 2.0), (np.inf,)):
        with pytest.raises(UsageError, match="finite and 0 or more"):
            Cuts(values)
    with pytest.raises(UsageError, match="infinite"):
        Cuts((1.0,)).apply([np.inf])
    for operation in (Cuts((1.0,)), Reduction(1.0)):
        with pytest.raises(UsageError, match=r"the grade 1\.5 is not on the scale 0\.\.3"):
            operation.apply([1.5], source=FOUR)


@pytest.mark.parametrize("text", ["", ">1", ">=", ">=0", ">=-1", ">=x", ">=1:2", ">=1_0"])
def test_invalid_reductions_are_errors(text):
    with pytest.raises(UsageError, match=r"reduction"):
        Reduction.parse(text)


def test_a_reduction_that_merges_all_levels_is_an_error():
    with pytest.raises(
        UsageError, match=r">=4 merges all levels of the scale 0\.\.3; expected at least two levels"
    ):
        Reduction(4.0).apply([0.0], source=FOUR)
    with pytest.raises(UsageError, match="merges all levels"):
        Reduction(1.0).apply([1.0], source=Scale((1.0, 2.0)))
