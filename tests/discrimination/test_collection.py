from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UndefinedError, UsageError
from qrelsmith.discrimination import DocLists, Setting, collection_pdp, compare_pdp, topic_pdp
from qrelsmith.discrimination.preferences.doc_matrix import doc_matrix
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

NAN = float("nan")


def campaign(
    *, topics: int = 30, docs: int = 6, noise: float = 0.1, levels: int = 4, seed: int = 0
) -> Setting:
    """Return judgments of three assessors and correct tests of all pairs of docs."""
    rng = np.random.default_rng(seed)
    relevance = np.random.default_rng(99).beta(2, 2, size=(topics, docs))
    noisy = relevance[..., None] + noise * rng.normal(size=(topics, docs, 3))
    left, right = np.triu_indices(docs, 1)
    return Setting(
        grades=np.clip(np.floor(noisy * levels), 0, levels - 1),
        evidence=PreferenceTests(
            topics=np.repeat(np.arange(topics), left.size),
            left=np.tile(left, topics),
            right=np.tile(right, topics),
            outcomes=np.sign(relevance[:, right] - relevance[:, left]).ravel(),
        ),
        levels=range(levels),
        untested="half",
    )


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_the_mean_is_the_mean_of_the_topics() -> None:
    setting = campaign()
    found = collection_pdp(setting, rng=rng(), resamples=50)
    assert isinstance(setting.evidence, PreferenceTests)
    matrix = grade_matrix(setting.evidence, setting.grades, levels=range(4), untested="half")
    topics = topic_pdp(doc_matrix(matrix, setting.grades))
    assert found.topics == pytest.approx(topics.value)
    assert found.mean == pytest.approx(topics.value.mean())
    assert found.low < found.mean < found.high
    assert 0 < found.se < 1
    assert found.defined == 30
    assert (found.matrix.tests == matrix.tests).all()
    assert (found.lists.tests == topics.tests).all()


def test_lists_are_averaged_within_their_topic() -> None:
    setting = campaign(topics=4)
    lists = DocLists(
        topics=np.array([0, 0, 2, 3]),
        docs=np.array([[0, 1, 2], [3, 4, -1], [5, 4, 3], [1, -1, -1]]),
    )
    found = collection_pdp(replace(setting, lists=lists), rng=rng(), resamples=0)
    assert found.lists.docs.tolist() == [3, 2, 3, 1]
    assert found.topics[0] == pytest.approx(found.lists.value[:2].mean())
    assert np.isnan(found.topics[1])
    assert found.topics[3] == 0
    assert found.defined == 3
    assert found.mean == pytest.approx(found.topics[[0, 2, 3]].mean())
    assert np.isnan([found.low, found.high, found.se]).all()


def test_the_interval_includes_the_variance_of_topics_and_tests() -> None:
    setting = campaign(topics=40)
    assert isinstance(setting.evidence, PreferenceTests)
    few = PreferenceTests(
        *(getattr(setting.evidence, name)[::12] for name in ("topics", "left", "right", "outcomes"))
    )
    matrix = grade_matrix(few, setting.grades, levels=range(4), untested="half")
    both = collection_pdp(replace(setting, evidence=few), rng=rng(), resamples=400)
    topics_only = collection_pdp(replace(setting, evidence=matrix), rng=rng(), resamples=400)
    assert both.mean == pytest.approx(topics_only.mean)
    assert topics_only.topics.std(ddof=1) / np.sqrt(40) == pytest.approx(topics_only.se, rel=0.15)
    assert both.se > 1.05 * topics_only.se
    # With one topic, only the variance of the tests remains.
    one = replace(setting, lists=DocLists(np.array([0]), np.arange(6)[None]), evidence=few)
    assert collection_pdp(one, rng=rng(), resamples=50).se > 0
    still = collection_pdp(replace(one, evidence=matrix), rng=rng(), resamples=50)
    assert still.se == pytest.approx(0, abs=1e-12)


def test_batches_apply_to_the_lists() -> None:
    setting = replace(campaign(topics=6), batches=[0, 1, 0, 1, 0, 1])
    lists = DocLists(np.array([5, 0]), np.array([[0, 1, 2, 3], [3, 2, 1, 0]]))
    found = collection_pdp(replace(setting, lists=lists), rng=rng(), resamples=20)
    assert len(found.matrix.p) == 2
    odd = replace(
        setting, grades=np.asarray(setting.grades)[1::2], batches=None, evidence=half(setting)
    )
    alone = collection_pdp(
        replace(odd, lists=DocLists(np.array([2]), np.array([[0, 1, 2, 3]]))),
        rng=rng(),
        resamples=0,
    )
    assert found.lists.value[0] == pytest.approx(alone.lists.value[0])


def half(setting: Setting) -> PreferenceTests:
    """Return the tests of the odd topics, which become topics 0, 1, 2."""
    tests = setting.evidence
    assert isinstance(tests, PreferenceTests)
    odd = tests.topics % 2 == 1
    return PreferenceTests(
        tests.topics[odd] // 2, tests.left[odd], tests.right[odd], tests.outcomes[odd]
    )


def test_large_topics_are_sampled_in_the_resamples_too() -> None:
    setting = campaign(topics=3, docs=9)
    exact = collection_pdp(setting, rng=rng(), resamples=20)
    sampled = collection_pdp(setting, rng=rng(), resamples=20, exact_docs=4, samples=200)
    assert not sampled.lists.exact.any()
    assert (np.abs(sampled.lists.value - exact.lists.value) < 4 * sampled.lists.se).all()


def test_the_same_generator_gives_the_same_interval() -> None:
    first, second = (collection_pdp(campaign(), rng=rng(), resamples=30) for _ in range(2))
    assert (first.low, first.high) == (second.low, second.high)


def test_a_collection_without_grades_is_undefined() -> None:
    matrix = GradeMatrix.from_values([[0.5, 0.2], [0.8, 0.5]], mode="individual")
    found = collection_pdp(Setting(np.full((3, 2, 1), NAN), matrix), rng=rng(), resamples=10)
    assert np.isnan([found.mean, found.low, found.high, found.se]).all()
    assert found.defined == 0


def test_the_same_setting_twice_has_no_difference() -> None:
    setting = campaign()
    found = compare_pdp(setting, setting, rng=rng(), resamples=50)
    assert (found.difference, found.low, found.high) == (0, 0, 0)
    assert found.p == 1
    assert np.isnan(found.p_topics)
    assert found.same_tests


def test_careful_assessors_have_a_lower_pdp_than_careless_ones() -> None:
    careful, careless = campaign(noise=0.02), campaign(noise=0.3, seed=1)
    found = compare_pdp(careful, careless, rng=rng(), resamples=400)
    assert found.high < 0
    assert found.low < found.difference < found.high
    assert found.p == pytest.approx(2 / 401)
    assert found.p_topics < 0.001
    assert found.same_tests
    assert found.defined == 30


def test_shared_tests_make_the_difference_more_precise() -> None:
    one, two = campaign(noise=0.1), campaign(noise=0.12, seed=1)
    assert isinstance(one.evidence, PreferenceTests)
    few = PreferenceTests(
        *(getattr(one.evidence, name)[::4] for name in ("topics", "left", "right", "outcomes"))
    )
    one, two = replace(one, evidence=few), replace(two, evidence=few)
    together = compare_pdp(one, two, rng=rng(), resamples=150)
    apart = compare_pdp(one, replace(two, evidence=shuffled(two)), rng=rng(), resamples=150)
    assert (together.same_tests, apart.same_tests) == (True, False)
    assert together.difference == pytest.approx(apart.difference)
    assert together.high - together.low < apart.high - apart.low


def shuffled(setting: Setting) -> PreferenceTests:
    tests = setting.evidence
    assert isinstance(tests, PreferenceTests)
    order = np.random.default_rng(0).permutation(len(tests))
    return PreferenceTests(
        tests.topics[order], tests.left[order], tests.right[order], tests.outcomes[order]
    )


def test_the_paired_t_test_equals_that_of_scipy() -> None:
    from scipy.stats import ttest_rel

    one, two = campaign(noise=0.1), campaign(noise=0.15, seed=1)
    found = compare_pdp(one, two, rng=rng(), resamples=0)
    topics = [collection_pdp(setting, rng=rng(), resamples=0).topics for setting in (one, two)]
    assert found.p_topics == pytest.approx(ttest_rel(*topics).pvalue)
    assert found.topics == pytest.approx(topics[0] - topics[1])
    assert np.isnan([found.low, found.high, found.p]).all()


def test_finer_scales_of_the_same_topics_can_be_compared() -> None:
    found = compare_pdp(campaign(levels=2), campaign(levels=7), rng=rng(), resamples=100)
    assert found.low > 0


def test_topics_judged_in_one_setting_only_are_left_out() -> None:
    one, two = campaign(), campaign(noise=0.2, seed=2)
    grades = np.array(two.grades)
    grades[:10] = NAN
    found = compare_pdp(one, replace(two, grades=grades), rng=rng(), resamples=20)
    assert found.defined == 20
    assert np.isnan(found.topics[:10]).all()


def test_wrong_arguments_are_refused() -> None:
    setting = campaign(topics=3)
    with pytest.raises(UsageError, match="resamples is -1; expected 0 or more"):
        collection_pdp(setting, rng=rng(), resamples=-1)
    with pytest.raises(UsageError, match="confidence is 95; expected a number between 0 and 1"):
        compare_pdp(setting, setting, rng=rng(), confidence=95)
    with pytest.raises(ShapeError, match="the settings have 3 and 4 topics"):
        compare_pdp(setting, campaign(topics=4), rng=rng())
    for topic, doc, message in (
        (3, 0, "names an unknown topic; expected one of the 3"),
        (0, 6, "names an unknown doc; expected one of the 6"),
        (0, -2, "names an unknown doc; expected one of the 6"),
    ):
        lists = DocLists(np.array([topic]), np.array([[doc]]))
        with pytest.raises(ShapeError, match=message):
            collection_pdp(replace(setting, lists=lists), rng=rng())
    with pytest.raises(ShapeError, match=r"the shapes \[list\] and \[list, k\]"):
        DocLists(np.array([0, 1]), np.array([[0]]))
    empty = PreferenceTests(*(np.zeros(0, dtype=np.int64) for _ in range(3)), np.zeros(0))
    with pytest.raises(UndefinedError, match="no preference test compares docs of the grades"):
        collection_pdp(replace(setting, evidence=empty, untested="error"), rng=rng())
