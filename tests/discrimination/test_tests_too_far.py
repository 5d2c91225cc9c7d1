"""Tests whose docs are farther apart than the docs that they represent are reported."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.tests_too_far import measure_distances, note_tests_too_far

# Docs with the grades 0 to 3, which are 0, 0, 1, 1 on the coarse scale.
COARSE, FINE = np.tile([0.0, 0, 1, 1], (5, 1)), np.tile([0.0, 1, 2, 3], (5, 1))
GRADES = {"coarse": COARSE[..., None], "fine": FINE[..., None]}


def between(left: int, right: int) -> PreferenceTests:
    """Return tests of the same two docs in every topic."""
    ones = np.ones(5, dtype=np.int64)
    return PreferenceTests(np.arange(5), left * ones, right * ones, -np.ones(5))


@pytest.mark.parametrize(("left", "right"), [(0, 3), (3, 0)])
def test_tests_of_only_the_extreme_docs_are_reported(left: int, right: int) -> None:
    """By hand: pairs of coarse 1 and 0 are 2, 3, 1, 2 grades apart, those of the tests always 3."""
    coarse, fine = measure_distances(between(left, right), GRADES)
    assert (coarse.setting, coarse.by, coarse.tested, coarse.all, coarse.error) == (
        "coarse", "fine", 3.0, 2.0, 0.0,
    )  # fmt: skip
    assert coarse.is_notable
    # All pairs of fine 3 and 0 are one coarse grade apart, like those of the tests.
    assert (fine.tested, fine.all, fine.is_notable) == (1.0, 1.0, False)
    (note,) = note_tests_too_far(between(left, right), GRADES)
    assert note.startswith(
        "the tests of coarse compare docs whose grades by fine differ by 3.00 on average; all its"
        " pairs of docs differ by 2.00. Its PDP looks more certain than it is"
    )


def test_docs_closer_together_are_not_reported() -> None:
    assert note_tests_too_far(between(1, 2), GRADES) == []


def test_docs_without_a_grade_and_codes_are_ignored() -> None:
    holes = {"coarse": np.where(COARSE == 0, -2.0, COARSE)[..., None], "fine": GRADES["fine"]}
    assert all(np.isnan(each.tested) for each in measure_distances(between(0, 3), holes))
    assert note_tests_too_far(between(0, 3), holes) == []


def test_even_drawing_for_two_scales_is_reported_but_random_drawing_is_not() -> None:
    rng = np.random.default_rng(3)
    seen = rng.beta(3, 3, size=(25, 20))
    scales = [np.floor(seen * levels) for levels in (4, 7)]
    grades = {"four": scales[0][..., None], "seven": scales[1][..., None]}
    even = draw_tests(scales, per_pair=20, seed=1, levels=[np.arange(4), np.arange(7)])
    drawn = PreferenceTests(even.topics, even.left, even.right, np.ones(len(even.left)))
    assert [each.setting for each in measure_distances(drawn, grades) if each.is_notable] == [
        "four"
    ]
    pairs = rng.permutation(np.argwhere(np.triu(np.ones((25, 20, 20), dtype=bool), 1)))[:600].T
    assert note_tests_too_far(PreferenceTests(*pairs, np.ones(600)), grades) == []
