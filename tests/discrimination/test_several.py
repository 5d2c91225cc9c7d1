from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.discrimination import (
    DocLists,
    Setting,
    collection_pdp,
    compare_each,
    compare_pdp,
    topic_pdp,
)
from qrelsmith.discrimination.estimate import estimate
from qrelsmith.discrimination.preferences.doc_matrix import doc_matrix
from qrelsmith.discrimination.preferences.grade_matrix import matrix_of_tally
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.resampling import Resampler

from .test_collection import campaign, rng


def settings() -> list[Setting]:
    """Return the same tests with good, worse and coarse grades, and fewer tests."""
    good, worse = campaign(), campaign(noise=0.3)
    coarse = replace(good, grades=np.minimum(np.asarray(good.grades), 1), levels=range(2))
    assert isinstance(good.evidence, PreferenceTests)
    names = ("topics", "left", "right", "outcomes")
    few = PreferenceTests(*(getattr(good.evidence, name)[::3] for name in names))
    return [good, worse, coarse, replace(good, evidence=few)]


def test_each_setting_equals_itself_alone_and_each_difference_that_of_the_pair() -> None:
    found = compare_each(settings(), against=[0, 0, 1, 0], rng=rng(), resamples=150)
    for place, (one, setting) in enumerate(zip(found, settings(), strict=True)):
        alone = collection_pdp(setting, rng=rng(), resamples=150)
        assert one.pdp.topics == pytest.approx(alone.topics)
        # Two bootstraps with 150 resamples: their ends differ only by chance.
        width = alone.high - alone.low
        assert (one.pdp.low, one.pdp.high) == pytest.approx(
            (alone.low, alone.high), abs=0.3 * width
        )
        other = settings()[1 if place == 2 else 0]
        pair = compare_pdp(setting, other, rng=rng(), resamples=150)
        assert one.comparison.difference == pytest.approx(pair.difference)
        assert one.comparison.same_tests is pair.same_tests
        if place:
            width = pair.high - pair.low
            ends = (one.comparison.low, one.comparison.high)
            assert ends == pytest.approx((pair.low, pair.high), abs=0.3 * width)


def test_a_setting_compared_with_itself_does_not_differ() -> None:
    same = compare_each(settings()[:1], against=[0], rng=rng(), resamples=20)[0].comparison
    assert (same.difference, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)


def test_without_resamples_there_are_no_intervals() -> None:
    found = compare_each(settings()[:2], against=[0, 0], rng=rng(), resamples=0)
    assert np.isnan([found[1].pdp.low, found[1].comparison.low, found[1].comparison.p]).all()


def test_lists_of_the_same_kind_are_resampled_as_if_each_were_alone() -> None:
    setting = campaign(topics=6)
    picked = np.random.default_rng(4).integers(-1, 6, size=(40, 4))
    # A doc may occur in a list only once.
    for row in picked:
        for place in range(1, 4):
            row[place] = -1 if row[place] in row[:place] else row[place]
    lists = DocLists(topics=np.arange(40) % 6, docs=picked)
    for mode in ("individual", "aggregate"):
        one = estimate(
            replace(setting, lists=lists, mode=mode), exact_docs=20, samples=2, rng=rng()
        )
        weights = np.random.default_rng(8).exponential(size=(5, one.tally.test_count))  # type: ignore[union-attr]
        again = Resampler.of(one, exact_docs=20)
        fast = again.topics(weights, exact_docs=20, samples=2, rng=rng())
        grades = np.asarray(setting.grades)[lists.topics[:, None], picked]
        grades[picked < 0] = np.nan
        for row, found in zip(weights, fast, strict=True):
            matrix = matrix_of_tally(one.tally, weights=row, untested="half")  # type: ignore[arg-type]
            alone = [topic_pdp(doc_matrix(matrix, each[None])).value[0] for each in grades]
            expected = [np.nanmean(np.array(alone)[lists.topics == topic]) for topic in range(6)]
            assert found == pytest.approx(expected)


def test_mismatched_input_is_refused() -> None:
    with pytest.raises(UsageError, match="for each of the 4 settings"):
        compare_each(settings(), against=[0, 0], rng=rng())
    with pytest.raises(UsageError, match="the position of a setting for each"):
        compare_each(settings()[:1], against=[1], rng=rng())
    with pytest.raises(ShapeError, match="5 and 30 topics"):
        compare_each([campaign(), campaign(topics=5)], against=[0, 0], rng=rng(), resamples=2)
