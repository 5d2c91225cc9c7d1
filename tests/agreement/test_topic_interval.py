"""The jackknife over topics: equal to leaving each topic out by hand, for every coefficient."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from qrelsmith.agreement import COEFFICIENTS, bootstrap_interval, topic_interval
from qrelsmith.agreement.alpha import krippendorff_alpha
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.population import jackknife_interval

N = math.nan
NAMES = COEFFICIENTS.names()


def labels(name: str, *, topics: int = 9) -> tuple[FloatArray, IntArray]:
    """Grades 0…3 of two or four assessors, some missing, and the topic of each unit."""
    rng = np.random.default_rng(3)
    of_unit = np.repeat(np.arange(topics), 6)
    truth = rng.integers(0, 4, size=of_unit.size)
    assessors = 2 if name.startswith("kappa") else 4
    noise = rng.normal(0, 0.9, size=(assessors, of_unit.size))
    ratings = np.clip(np.round(truth + noise + 0.3 * (of_unit % 3)), 0, 3)
    ratings[rng.random(ratings.shape) < 0.15] = N
    return ratings, of_unit


def by_hand(name: str, ratings: FloatArray, of_unit: IntArray) -> tuple[float, float]:
    """Leave out each topic, and compute the coefficient of the rest."""
    function = COEFFICIENTS.get(name)
    without = [
        function(ratings[:, of_unit != topic], scale=range(4)).value for topic in set(of_unit)
    ]
    whole = function(ratings, scale=range(4)).value
    found = jackknife_interval(whole, without, bounds=(-1.0, 1.0))
    return float(found.low), float(found.high)


@pytest.mark.parametrize("name", NAMES)
def test_the_interval_leaves_out_each_topic(name: str) -> None:
    ratings, of_unit = labels(name)
    found = topic_interval(ratings, of_unit, name, scale=range(4))
    assert (found.low, found.high) == pytest.approx(by_hand(name, ratings, of_unit), abs=1e-9)
    assert (found.over, found.topics, found.confidence) == ("topics", 9, 0.95)
    assert found.value == COEFFICIENTS.get(name)(ratings, scale=range(4)).value


def test_a_plain_function_can_be_a_coefficient(plain_function: str) -> None:
    ratings, of_unit = labels(plain_function)
    own_ends, alpha = (
        topic_interval(ratings, of_unit, plain_function),
        topic_interval(ratings, of_unit),
    )
    assert (own_ends.low, own_ends.high) == pytest.approx((alpha.low, alpha.high), abs=1e-9)


def test_the_order_and_names_of_topics_do_not_matter() -> None:
    ratings, of_unit = labels("alpha-ordinal")
    order = np.random.default_rng(0).permutation(of_unit.size)
    plain = topic_interval(ratings, of_unit)
    names = np.array(list("qwertyuio"))[of_unit]
    mixed = topic_interval(ratings[:, order], names[order])
    assert (mixed.low, mixed.high) == pytest.approx((plain.low, plain.high), abs=1e-12)


def test_real_valued_grades_have_an_interval() -> None:
    ratings, of_unit = labels("alpha-interval")
    ratings = ratings + np.random.default_rng(1).random(ratings.shape)
    found = topic_interval(ratings, of_unit, "alpha-interval")
    without = [
        krippendorff_alpha(ratings[:, of_unit != topic], level="interval").value
        for topic in range(9)
    ]
    assert found.se == pytest.approx(float(jackknife_interval(found.value, without).se), abs=1e-12)


def test_the_interval_of_labels_in_full_agreement_has_no_width() -> None:
    found = topic_interval(np.tile([0, 1, 2, 3] * 8, (3, 1)), np.repeat(range(8), 4))
    assert (found.low, found.value, found.high) == (1, 1, 1)


def test_topics_without_two_labels_of_a_doc_are_not_counted() -> None:
    ratings, of_unit = labels("fleiss", topics=10)
    ratings[1:, of_unit == 9] = N
    found = topic_interval(ratings, of_unit, "fleiss", scale=range(4))
    assert found.topics == 9
    # The single labels of the topic stay in the distribution of levels, whichever other topic is
    # left out.
    without = [
        COEFFICIENTS.get("fleiss")(ratings[:, of_unit != topic], scale=range(4)).value
        for topic in range(9)
    ]
    assert found.se == pytest.approx(float(jackknife_interval(found.value, without).se))


def test_below_eight_topics_a_reason_replaces_the_interval() -> None:
    ratings, of_unit = labels("alpha-ordinal", topics=7)
    found = topic_interval(ratings, of_unit)
    assert not math.isnan(found.value)
    assert math.isnan(found.low)
    assert math.isnan(found.confidence)
    assert found.reason.startswith("no interval over topics: found 7 topics, expected 8 or more")


def test_a_topic_without_which_the_coefficient_is_undefined_is_named() -> None:
    ratings = np.ones((2, 24))
    of_unit = np.repeat([f"t{number}" for number in range(8)], 3)
    ratings[:, of_unit == "t5"] = [[0, 1, 2], [0, 1, 1]]
    found = topic_interval(ratings, of_unit)
    assert math.isnan(found.low)
    assert found.reason == "no interval over topics: without topic t5 the coefficient is undefined"
    filled = topic_interval(ratings, of_unit, undefined="one")
    assert filled.low < filled.value <= filled.high


@pytest.mark.parametrize("ratings", [np.empty((2, 0)), [[0, 1]], [[0, N], [N, 1]]])
def test_without_a_value_there_is_no_interval(ratings: FloatArray) -> None:
    found = topic_interval(ratings, np.arange(np.shape(ratings)[1]))
    assert math.isnan(found.low)
    assert found.topics == 0
    assert found.reason in {
        "there are no labels",
        "there is only one assessor",
        "no unit has two labels",
    }


def test_every_unit_needs_a_topic() -> None:
    with pytest.raises(
        ShapeError,
        match=r"topics must have the shape \[3\], one topic per unit of ratings; found \[2\]",
    ):
        topic_interval(np.ones((2, 3)), [0, 1])


def test_the_dl2021_interval_over_topics_is_five_times_as_wide_as_over_docs(
    dl21_with_topics: Callable[..., tuple[FloatArray, list[str]]],
) -> None:
    ratings, topics = dl21_with_topics("nist.qrels", "umbrela.gpt-4o.qrels.gz")
    found = topic_interval(ratings, topics, scale=range(4))
    docs = bootstrap_interval(ratings, rng=np.random.default_rng(0), scale=range(4))
    # Resampling the 53 topics has a standard deviation of .0334 (1,000 samples).
    assert found.se == pytest.approx(0.0330, abs=5e-5)
    assert 5 < (found.high - found.low) / (docs.high - docs.low) < 6
    assert found.topics == 53
