"""Tests weighted by the kind of their doc pair."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination import DocLists, Setting, collection_pdp
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.kinds import weight_by_kind
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.preferences.tally import tally_tests

TOPICS, DOCS, LEVELS = 40, 16, (4, 7)


@pytest.fixture(scope="module")
def world() -> tuple[list[np.ndarray], np.ndarray]:
    """Return grades on two scales, and the outcome of every pair of docs."""
    rng = np.random.default_rng(3)
    relevance = rng.beta(3, 3, size=(TOPICS, DOCS))
    seen = relevance[..., None] + 0.1 * rng.normal(size=(TOPICS, DOCS, 3))
    apart = relevance[:, :, None] - relevance[:, None, :]
    noise = np.triu(0.08 * rng.normal(size=apart.shape), 1)
    outcomes = -np.sign(apart + noise - noise.swapaxes(1, 2))
    return [np.clip(np.floor(seen * n), 0, n - 1) for n in LEVELS], outcomes


def _answered(topics, left, right, outcomes) -> PreferenceTests:
    return PreferenceTests(topics, left, right, outcomes[topics, left, right])


def _all_pairs(outcomes: np.ndarray) -> PreferenceTests:
    left, right = np.triu_indices(DOCS, 1)
    topics = np.repeat(np.arange(TOPICS), left.size)
    return _answered(topics, np.tile(left, TOPICS), np.tile(right, TOPICS), outcomes)


def _pdp(grades: np.ndarray, levels: int, tests: PreferenceTests, weights=None) -> float:
    lists = DocLists(np.arange(TOPICS), np.tile(np.arange(5), (TOPICS, 1)))
    setting = Setting(
        grades, tests, levels=np.arange(levels), mode="aggregate", weights=weights,
        lists=lists,
    )  # fmt: skip
    return collection_pdp(setting, rng=np.random.default_rng(0), resamples=0).mean


def test_each_test_represents_the_pairs_of_its_kind(world) -> None:
    scales, outcomes = world
    pairs = _all_pairs(outcomes)
    every = weight_by_kind(pairs, scales)
    assert every.weights == pytest.approx(np.ones(len(pairs)))
    some = np.random.default_rng(0).random(len(pairs)) < 0.3
    tests = PreferenceTests(
        *(v[some] for v in (pairs.topics, pairs.left, pairs.right, pairs.outcomes))
    )
    weighted = weight_by_kind(tests, scales)
    # All pairs of different kinds are represented by tests or by Bradley–Terry scores.
    medians = [np.median(grades, axis=2) for grades in scales]
    differ = np.zeros(len(pairs), dtype=bool)
    for grades in medians:
        differ |= grades[pairs.topics, pairs.left] != grades[pairs.topics, pairs.right]
    of_tests = np.zeros(len(weighted.tests), dtype=bool)
    for grades in medians:
        one, other = (grades[weighted.tests.topics, side]
                      for side in (weighted.tests.left, weighted.tests.right))  # fmt: skip
        of_tests |= one != other
    assert weighted.weights[of_tests].sum() == pytest.approx(differ.sum())


# A large study is in `docs/comparing-settings.md`: the coarse scale looks more certain than it is.
def test_weighted_evenly_drawn_tests_represent_all_pairs(world) -> None:
    scales, outcomes = world
    medians = [np.median(grades, axis=2) for grades in scales]
    drawn = draw_tests(medians, per_pair=60, seed=1, levels=[np.arange(n) for n in LEVELS])
    tests = _answered(drawn.topics, drawn.left, drawn.right, outcomes)
    weighted = weight_by_kind(tests, scales)
    truth = _pdp(scales[0], 4, _all_pairs(outcomes))
    plain, mended = _pdp(scales[0], 4, tests), _pdp(scales[0], 4, weighted.tests, weighted.weights)
    assert truth - plain > 0.15
    assert abs(truth - mended) < 0.1


def test_weights_keep_the_precision_of_the_tests() -> None:
    tests = PreferenceTests(
        np.zeros(3, int), np.zeros(3, int), np.ones(3, int), np.array([-1, -1, 1])
    )
    tally = tally_tests(tests, np.array([[1.0, 0.0]])[..., None], levels=[0, 1], mode="aggregate")
    wins = tally.reweight(np.array([2.0, 1.0, 1.0])).wins()[0]
    # 3 of 4 by weight; Kish's number of equal tests is 16/6.
    assert wins[1, 0] / (wins[1, 0] + wins[0, 1]) == pytest.approx(0.75)
    assert wins.sum() == pytest.approx(16 / 6)
    with pytest.raises(ShapeError, match="a weight of 0 or more for each of 3 tests"):
        tally.reweight(np.array([1.0, -1.0, 1.0]))
