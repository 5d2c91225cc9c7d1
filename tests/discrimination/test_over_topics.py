"""PDP over topics: equal to leaving each topic out by hand, with its tests."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.discrimination.over_topics import pdp_interval
from qrelsmith.discrimination.preferences.grade_matrix import grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.stats.population import jackknife_interval, mean_interval


def campaign(*, topics: int = 10, docs: int = 5, noise: float = 0.15, seed: int = 0) -> Setting:
    """Grades 0…3 of two assessors, and a test of every pair of docs that errs at times."""
    rng = np.random.default_rng(seed)
    relevance = np.random.default_rng(7).beta(2, 2, size=(topics, docs))
    seen = relevance[..., None] + noise * rng.normal(size=(topics, docs, 2))
    left, right = np.triu_indices(docs, 1)
    apart = relevance[:, right] - relevance[:, left]
    return Setting(
        grades=np.clip(np.floor(seen * 4), 0, 3),
        evidence=PreferenceTests(
            topics=np.repeat(np.arange(topics), left.size),
            left=np.tile(left, topics),
            right=np.tile(right, topics),
            outcomes=np.sign(apart + 0.1 * rng.normal(size=apart.shape)).ravel(),
        ),
        levels=range(4),
        untested="half",
    )


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def mean_without(setting: Setting, topic: int) -> float:
    """The collection's PDP when a topic is not there at all."""
    tests = setting.evidence
    assert isinstance(tests, PreferenceTests)
    kept = tests.topics != topic
    place = tests.topics[kept] - (tests.topics[kept] > topic)
    less = PreferenceTests(place, tests.left[kept], tests.right[kept], tests.outcomes[kept])
    grades = np.delete(np.asarray(setting.grades), topic, axis=0)
    return collection_pdp(
        replace(setting, grades=grades, evidence=less), rng=rng(), resamples=0
    ).mean


def test_it_is_the_pdp_without_each_topic() -> None:
    setting = campaign()
    found = pdp_interval(setting, rng=rng())
    expected = jackknife_interval(
        collection_pdp(setting, rng=rng(), resamples=0).mean,
        [mean_without(setting, topic) for topic in range(10)],
    )
    for name in ("value", "se", "low", "high"):
        assert float(getattr(found, name)) == pytest.approx(float(getattr(expected, name)))
    assert (found.size, found.over) == (10, "topics")


def test_with_a_given_matrix_it_is_students_t_of_the_topics() -> None:
    setting = campaign()
    assert isinstance(setting.evidence, PreferenceTests)
    matrix = grade_matrix(setting.evidence, setting.grades, levels=range(4), untested="half")
    known = replace(setting, evidence=matrix)
    found = pdp_interval(known, rng=rng())
    expected = mean_interval(collection_pdp(known, rng=rng(), resamples=0).topics)
    assert (float(found.low), float(found.high)) == pytest.approx(
        (float(expected.low), float(expected.high))
    )


def test_sampled_entropies_share_their_samples() -> None:
    setting = campaign()
    exact = pdp_interval(setting, rng=rng())
    sampled = pdp_interval(setting, rng=rng(), exact_docs=2, samples=200)
    assert float(sampled.se) == pytest.approx(float(exact.se), rel=0.25)


def test_few_topics_and_missing_tests_have_a_reason() -> None:
    few = pdp_interval(campaign(topics=7), rng=rng())
    assert math.isnan(few.low)
    assert not math.isnan(few.value)
    assert "7 topics" in few.reason
    setting = campaign()
    tests = setting.evidence
    assert isinstance(tests, PreferenceTests)
    grades = np.zeros((10, 5, 1))
    grades[:, :2] = 3.0
    # Only topic 4 has a test between the two grades that all topics have.
    one = PreferenceTests(*(np.array(value) for value in ([4], [0], [4], [-1.0])))
    lone = replace(setting, grades=grades, evidence=one, untested="error")
    found = pdp_interval(lone, rng=rng())
    assert math.isnan(found.low)
    assert found.reason.endswith("without the tests of topic 4 another has no PDP")
