"""Agreement by topic and by pair of assessors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.agreement import (
    COEFFICIENTS,
    add_coefficient,
    cohen_kappa,
    krippendorff_alpha,
    mean_over_topics,
    pairwise,
)
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.population import mean_interval

N = math.nan
RNG = np.random.default_rng(7)
TOPICS = np.sort(RNG.integers(0, 40, size=700))
RATINGS = np.clip(np.round(RNG.integers(0, 4, 700) + RNG.normal(0, 0.8, size=(3, 700))), 0, 3)
RATINGS[RNG.random(RATINGS.shape) < 0.1] = N


@pytest.mark.parametrize("name", [n for n in COEFFICIENTS.names() if not n.startswith("kappa")])
def test_each_topic_has_the_value_that_it_has_alone(name: str) -> None:
    shuffled = np.random.default_rng(0).permutation(700)
    found = mean_over_topics(RATINGS[:, shuffled], TOPICS[shuffled], name, scale=range(4))
    alone = [
        COEFFICIENTS.get(name)(RATINGS[:, topic == TOPICS], scale=range(4))
        for topic in found.topics
    ]
    assert found.values == pytest.approx([result.value for result in alone], abs=1e-9, nan_ok=True)
    assert found.units.tolist() == [result.units for result in alone]
    assert found.value == pytest.approx(np.nanmean(found.values))
    assert found.coefficient == name


def test_topics_without_a_value_are_skipped_and_counted() -> None:
    # b: all labels are the same; d: no unit has two labels.
    ratings = [[0, 1, 2, 2, 0, 3, 1], [0, 1, 2, 2, 1, 3, N]]
    topics = ["a", "a", "b", "b", "c", "c", "d"]
    found = mean_over_topics(ratings, topics, "alpha-interval")
    c = krippendorff_alpha([[0, 3], [1, 3]], level="interval").value
    assert found.topics.tolist() == ["a", "b", "c", "d"]
    assert found.values == pytest.approx([1, N, c, N], nan_ok=True)
    assert found.value == pytest.approx((1 + c) / 2)
    assert (found.defined, found.skipped) == (2, 2)
    assert math.isnan(found.low)
    filled = mean_over_topics(ratings, topics, "alpha-interval", undefined="one")
    assert filled.value == pytest.approx((2 + c) / 3)
    assert (filled.defined, filled.skipped) == (3, 1)


def test_the_two_assessors_may_differ_from_topic_to_topic() -> None:
    ratings = np.array([[0, 1, 1, N, N, N], [0, 1, 0, 0, 1, 1], [N, N, N, 0, 0, 1]])
    found = mean_over_topics(ratings, [1, 1, 1, 2, 2, 2], "kappa")
    assert found.values == pytest.approx(
        [cohen_kappa(ratings[:2, :3]).value, cohen_kappa(ratings[1:, 3:]).value]
    )


def test_the_interval_of_the_mean_is_over_topics() -> None:
    found = mean_over_topics(RATINGS, TOPICS)
    known = found.values[~np.isnan(found.values)]
    expected = mean_interval(known, bounds=(-1.0, 1.0))
    assert (found.low, found.high) == (expected.low, expected.high)
    assert (math.isnan(found.low), found.reason) == (known.size < 8, expected.reason)


def test_no_topics_give_no_values() -> None:
    found = mean_over_topics(np.empty((2, 0)), [])
    assert math.isnan(found.value)
    assert (found.defined, found.skipped) == (0, 0)


def test_every_unit_needs_a_topic() -> None:
    with pytest.raises(ShapeError, match=r"topic_of_unit must have the shape \[2\]"):
        mean_over_topics([[0, 1], [0, 1]], [1])


def test_every_pair_is_compared_on_its_common_units(krippendorff: FloatArray) -> None:
    found = pairwise(krippendorff, "kappa-quadratic", scale=range(1, 6))
    assert found.values[0, 3] == pytest.approx(
        cohen_kappa(krippendorff[[0, 3]], weights="quadratic").value
    )
    assert np.array_equal(found.values, found.values.T, equal_nan=True)
    assert np.isnan(np.diag(found.values)).all()
    assert found.units.tolist() == [[9, 9, 8, 9], [9, 10, 9, 10], [8, 9, 11, 10], [9, 10, 10, 11]]


def test_assessors_without_common_units_have_no_value() -> None:
    found = pairwise([[0, 1, N], [0, 0, N], [N, N, 1]])
    assert np.isnan(found.values).tolist() == [
        [True, False, True],
        [False, True, True],
        [True, True, True],
    ]
    assert found.units.tolist() == [[2, 2, 0], [2, 2, 0], [0, 0, 1]]


def test_a_plain_function_can_be_a_coefficient(plain_function: str) -> None:
    own = mean_over_topics(RATINGS, TOPICS, plain_function)
    assert own.values == pytest.approx(mean_over_topics(RATINGS, TOPICS).values, nan_ok=True)


def test_a_name_can_be_registered_only_once() -> None:
    entry = COEFFICIENTS.get("alpha-ordinal").entry
    with pytest.raises(Exception, match="registered twice"):
        add_coefficient("alpha-ordinal", entry.about["build"], summary="", formula="", source="")
