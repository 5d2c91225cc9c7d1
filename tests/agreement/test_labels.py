"""Accepted and refused ratings and scales."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.agreement.labels import Labels
from qrelsmith.base.errors import ShapeError, UsageError

N = np.nan


def test_ratings_become_level_numbers() -> None:
    labels = Labels.of([[0, 2, N], [2, 2, 7]], scale=[0, 1, 2, 7])
    assert labels.codes.tolist() == [[0, 2, -1], [2, 2, 3]]
    assert labels.counts.toarray().tolist() == [[1, 0, 1, 0], [0, 0, 2, 0], [0, 0, 0, 1]]
    assert (labels.units, labels.assessors, labels.pairs) == (2, 2, 2)
    assert np.array_equal(labels.grades, [[0, 2, N], [2, 2, 7]], equal_nan=True)


@pytest.mark.parametrize("wrong", [-1, 1.5, 4])
def test_a_grade_outside_the_scale_is_named_with_its_place(wrong: float) -> None:
    with pytest.raises(UsageError) as error:
        Labels.of([[0, 1], [1, wrong]], scale=range(4))
    assert str(error.value) == (
        f"ratings[1, 1] = {wrong:g}; expected a level of the scale 0, 1, 2, 3"
    )


def test_an_infinite_grade_is_refused() -> None:
    with pytest.raises(UsageError, match=r"ratings\[0, 1\] = inf; expected a finite number or nan"):
        Labels.of([[0, np.inf]])


@pytest.mark.parametrize("scale", [[], [0, 0, 1], [1, 0], [0, N], [0, np.inf]])
def test_a_scale_must_ascend(scale: list[float]) -> None:
    with pytest.raises(UsageError, match="scale"):
        Labels.of([[0, 1]], scale=scale)


@pytest.mark.parametrize("ratings", [[1, 2], 3, [[[1]]], [["a"]]])
def test_ratings_must_be_a_two_dimensional_array_of_numbers(ratings: object) -> None:
    with pytest.raises(ShapeError, match="ratings must"):
        Labels.of(ratings)  # type: ignore[arg-type]


def test_units_with_the_same_labels_are_merged_whoever_gave_the_labels() -> None:
    labels = Labels.of([[0, 1, N, 0, N], [1, 0, 1, 1, N], [N, N, 0, N, N]])
    distinct, counts = labels.distinct(by_assessor=False)
    assert counts.tolist() == [4]
    assert sorted(distinct.codes[:, 0].tolist()) == [0, 1]
    distinct, counts = labels.distinct(by_assessor=True)
    assert sorted(counts.tolist()) == [1, 1, 2]


def test_no_labels_at_all_are_accepted() -> None:
    for shape in [(0, 0), (0, 3), (3, 0)]:
        labels = Labels.of(np.empty(shape))
        assert (labels.units, labels.assessors, labels.pairs) == (0, 0, 0)
        distinct, counts = labels.distinct(by_assessor=True)
        assert counts.size == 0
        assert distinct.codes.shape[1] == 0
