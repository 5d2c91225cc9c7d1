"""Votes on docs that a reference labels as not relevant."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.agreement.contested_zeros import contested_zeros, independent_votes, kappa_given
from qrelsmith.base.errors import ShapeError

NAN = float("nan")
TOPICS = [f"t{place // 10}" for place in range(80)]


def test_a_zero_is_contested_by_more_than_half_of_its_votes() -> None:
    gold = np.zeros(80)
    gold[0] = 1
    votes = np.zeros((3, 80))
    votes[:, 0] = 3  # no zero of the reference
    votes[:2, 1] = 3  # two of three
    votes[0, 2] = 3  # one of three
    votes[:, 3] = [3, NAN, NAN]  # the only one on it
    votes[:, 4] = [3, 0, NAN]  # a tie is no more than half
    votes[:, 5] = NAN  # nobody judged it: it does not count
    votes[:, 6] = 2  # relevant, but not highly
    found = contested_zeros(gold, votes, TOPICS, high=3)
    assert np.flatnonzero(found.contested).tolist() == [1, 3]
    assert (found.zeros, found.topics) == (78, 8)
    assert float(found.share.value) == pytest.approx(76 / 78)
    assert float(found.share.low) < 76 / 78 < float(found.share.high) <= 1


def test_without_contested_zeros_the_interval_has_no_width() -> None:
    found = contested_zeros(np.zeros(80), np.zeros((2, 80)), TOPICS, high=1)
    assert (float(found.share.low), float(found.share.high)) == (1, 1)


def test_votes_must_be_on_the_same_docs() -> None:
    with pytest.raises(ShapeError, match="80 units"):
        contested_zeros(np.zeros(80), np.zeros((2, 79)), TOPICS, high=1)


def test_passes_of_one_model_and_sets_with_shared_errors_have_one_vote() -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 4, 600).astype(float)

    def noisy() -> np.ndarray:
        return np.where(rng.random(600) < 0.4, rng.integers(0, 4, 600), gold)

    first = noisy()
    twin = np.where(rng.random(600) < 0.1, rng.integers(0, 4, 600), first)
    labels = np.array([first, noisy(), twin, noisy()])
    assert kappa_given(gold, first, twin) > 0.6
    assert abs(kappa_given(gold, labels[1], labels[3])) < 0.15  # equally good, and independent
    assert independent_votes(gold, labels, ["", "", "", ""], same=0.4) == ((0, 2), (1,), (3,))
    assert independent_votes(gold, labels, ["x", "", "", "x"], same=0.4) == ((0, 2, 3), (1,))
