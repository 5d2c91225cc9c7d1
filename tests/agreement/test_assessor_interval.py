"""Intervals over assessors and over both populations, checked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.agreement import POPULATIONS, agreement_interval, krippendorff_alpha, topic_interval
from qrelsmith.agreement.assessor_interval import assessor_interval, topic_assessor_interval
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.stats.population import jackknife_interval

N = math.nan


def labels(assessors: int = 5) -> tuple[FloatArray, IntArray]:
    rng = np.random.default_rng(8)
    of_unit = np.repeat(np.arange(10), 8)
    truth = rng.integers(0, 4, size=80)
    lenient = rng.normal(0, 0.4, size=(assessors, 1))
    ratings = np.clip(np.round(truth + lenient + rng.normal(0, 0.7, (assessors, 80))), 0, 3)
    ratings[rng.random(ratings.shape) < 0.1] = N
    return ratings, of_unit


def test_the_interval_over_assessors_leaves_out_each_assessor() -> None:
    ratings, _ = labels()
    found = assessor_interval(ratings, scale=range(4))
    without = [krippendorff_alpha(np.delete(ratings, place, axis=0)).value for place in range(5)]
    expected = jackknife_interval(found.value, without, fewest=4, bounds=(-1.0, 1.0))
    assert (found.low, found.high) == (float(expected.low), float(expected.high))
    assert (found.over, found.assessors, found.topics) == ("assessors", 5, 0)


def test_the_errors_of_both_populations_add_up() -> None:
    ratings, of_unit = labels()
    found = topic_assessor_interval(ratings, of_unit)
    of_topics, of_assessors = topic_interval(ratings, of_unit), assessor_interval(ratings)
    assert found.se == pytest.approx(math.hypot(of_topics.se, of_assessors.se))
    freedom = found.se**4 / (of_topics.se**4 / 9 + of_assessors.se**4 / 4)
    assert 4 < freedom < 13
    # Between t with 4 and with 13 degrees of freedom.
    assert 2.16 < (found.value - found.low) / found.se < 2.777
    assert found.low < of_topics.low
    assert found.over == "topics,assessors"


def test_three_assessors_have_no_interval_over_assessors() -> None:
    ratings, of_unit = labels(3)
    for found in (assessor_interval(ratings), topic_assessor_interval(ratings, of_unit)):
        assert math.isnan(found.low)
        assert math.isnan(found.confidence)
        assert found.reason.startswith(
            "no interval over assessors: found 3 assessors, expected 4 or more"
        )
    few = topic_assessor_interval(*(array[..., :56] for array in labels()))
    assert few.reason.startswith("no interval over topics: found 7 topics")


def test_an_assessor_without_whom_the_coefficient_is_undefined_is_named() -> None:
    # The others labelled separate docs: without the third assessor, no doc has two labels.
    ratings = np.full((4, 6), N)
    ratings[2] = [0, 1, 2, 0, 1, 2]
    ratings[0, :2], ratings[1, 2:4], ratings[3, 4:] = [0, 1], [2, 0], [1, 1]
    found = assessor_interval(ratings)
    assert math.isnan(found.low)
    assert found.reason.endswith("without the assessor in row 2 the coefficient is undefined")


def test_an_interval_over_assessors_in_full_agreement_has_no_width() -> None:
    ratings, of_unit = np.tile([0, 1, 2, 3] * 10, (4, 1)), np.repeat(np.arange(10), 4)
    for over in POPULATIONS:
        found = agreement_interval(ratings, of_unit, over=over)
        assert (found.low, found.value, found.high, found.over) == (1, 1, 1, over)


def test_resampling_of_docs_depends_on_doc_names_and_the_seed() -> None:
    ratings, of_unit = labels()
    docs = [f"d{number}" for number in range(80)]

    def ends(names: list[str], seed: int = 0) -> tuple[float, float]:
        found = agreement_interval(
            ratings, of_unit, over="docs", docs=names, seed=seed, resamples=50
        )
        return found.low, found.high

    assert ends(docs) == ends(docs)
    assert len({ends(docs), ends(docs, seed=1), ends(["other", *docs[1:]])}) == 3
    with pytest.raises(ShapeError, match="docs must name 80 docs"):
        ends(docs[1:])


def test_an_unknown_population_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="choices: topics, docs, assessors"):
        agreement_interval(*labels(), over="systems")
