from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Gains, Scale, grade_text, levels_seen


@pytest.mark.parametrize(
    ("text", "levels", "printed"),
    [
        ("0..3", (0, 1, 2, 3), "0..3"),
        ("0,1,2,3", (0, 1, 2, 3), "0..3"),
        (" 0..3 ", (0, 1, 2, 3), "0..3"),
        ("0, 1", (0, 1), "0,1"),
        ("0..1", (0, 1), "0,1"),
        ("4..4", (4,), "4"),
        ("2..4", (2, 3, 4), "2..4"),
        ("0,2,4", (0, 2, 4), "0,2,4"),
        ("0,0.25,1", (0, 0.25, 1), "0,0.25,1"),
        ("0.5,1.5,2.5", (0.5, 1.5, 2.5), "0.5,1.5,2.5"),
    ],
)
def test_scales_survive_parsing_and_printing(
    text: str, levels: tuple[float, ...], printed: str
) -> None:
    scale = Scale.parse(text)
    assert scale.levels == levels
    assert str(scale) == printed
    assert Scale.parse(str(scale)) == scale
    assert scale.top == levels[-1]


@given(st.sets(st.floats(0, 1e6), min_size=1, max_size=8))
def test_every_scale_survives_its_text(levels: set[float]) -> None:
    scale = Scale(tuple(sorted(levels)))
    assert Scale.parse(str(scale)) == scale


def test_a_scale_can_have_101_levels() -> None:
    scale = Scale.parse("0..100")
    assert len(scale.levels) == 101
    assert scale.top == 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read"),
        ("a", "cannot be read"),
        ("0,,1", "cannot be read"),
        ("0..3.5", "cannot be read"),
        ("1_0,20", "cannot be read"),
        ("0.." + "9" * 5000, "cannot be read"),
        ("3..0", "is empty or too large"),
        ("0..100001", "is empty or too large; expected at most 0..100000"),
        ("1,0", "must ascend"),
        ("0,0", "must ascend"),
        ("-1..2", "must be finite and 0 or more"),
        ("-1,2", "must be finite and 0 or more"),
        ("0,inf", "must be finite and 0 or more"),
        ("0,nan", "must be finite and 0 or more"),
    ],
)
def test_wrong_scales_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Scale.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_scale_without_levels_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one level"):
        Scale(())


def test_levels_are_recognised_among_grades() -> None:
    grades = np.array([0, 1, 2, 0.5, -1, np.nan, 3])
    assert Scale.parse("0..2").holds(grades).tolist() == [
        True, True, True, False, False, False, False,
    ]  # fmt: skip
    assert Scale.parse("0..2").holds(np.empty(0)).tolist() == []


def test_gains_are_as_computed_by_hand() -> None:
    gains = Gains.parse("1:4:9")
    assert gains.values == (1, 4, 9)
    assert gains.top == 9
    assert gains.scale == Scale.parse("0..3")
    assert str(gains) == "1:4:9"
    assert gains.of(np.array([[0, 1], [3, 2]])).tolist() == [[0, 1], [9, 4]]
    assert Gains.parse("0.5:1").of(np.array([1.0, 2.0])).tolist() == [0.5, 1.0]


def test_codes_have_no_gain_and_unjudged_stays_unjudged() -> None:
    worth = Gains.parse("1:2").of(np.array([-1, -2, np.nan, 0, 2]))
    np.testing.assert_array_equal(worth, [0, 0, np.nan, 0, 2])


@pytest.mark.parametrize("grade", [3.0, 0.5, 1.5, 100.0])
def test_a_grade_without_gain_is_an_error(grade: float) -> None:
    with pytest.raises(UsageError, match=f"the grade {grade:g} has no gain"):
        Gains.parse("1:2").of(np.array([1.0, grade]))


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=6))
def test_every_gain_survives_its_text(values: list[float]) -> None:
    gains = Gains(tuple(values))
    assert Gains.parse(str(gains)) == gains


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read"),
        ("1,2", "cannot be read"),
        ("1:", "cannot be read"),
        ("1_0", "cannot be read"),
        ("1:-2", "must be finite numbers, 0 or more"),
        ("nan", "must be finite numbers, 0 or more"),
        ("1:inf", "must be finite numbers, 0 or more"),
    ],
)
def test_wrong_gains_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Gains.parse(text)
    assert message in str(caught.value)


def test_gains_without_values_are_refused() -> None:
    with pytest.raises(UsageError, match="must be finite numbers"):
        Gains(())


@pytest.mark.parametrize(
    ("grade", "text"), [(2.0, "2"), (-1.0, "-1"), (0.1, "0.1"), (1e16, "10000000000000000")]
)
def test_grades_are_parsed_as_in_files(grade: float, text: str) -> None:
    assert grade_text(grade) == text
    assert float(grade_text(grade)) == grade


def test_used_levels_are_found() -> None:
    assert levels_seen([2, 0, math.nan, -1, 2, 0.5]) == (0.0, 0.5, 2.0)
    assert levels_seen([]) == ()
    assert levels_seen(np.array([-1.0, np.nan])) == ()
