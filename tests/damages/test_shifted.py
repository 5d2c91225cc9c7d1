"""Edge cases of the test for shifted labels: direction, distance, required number of docs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.damages.conftest import arrays_of

from qrelsmith.damages.shifted import LAGS, LEAST_GRADED, shifted


def moved(lag: int, *, docs: int, relevant: int = 0) -> tuple[tuple[int, ...], ...]:
    """Return the sources and shifts found in a topic whose labels are shifted by some places."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 4, size=(3, docs)).astype(float)
    if relevant:
        truth[0] = 0
        truth[0, rng.permutation(docs)[:relevant]] = 3
    theirs, mine = truth, truth.copy()
    mine[0] = np.roll(truth[0], lag)
    ranks = np.tile(np.arange(1, docs + 1), (4, 3, 1))
    order = np.tile(np.arange(docs), (3, 1))
    found = shifted(arrays_of(np.stack([theirs, mine]), ranks, order), 1, 0)
    return tuple(
        (*who, round(move))
        for who, p, move in zip(found.culprits, found.p, found.detail, strict=True)
        if p < 1e-4
    )


@pytest.mark.parametrize("lag", LAGS)
def test_the_shift_that_corrects_the_labels_is_named(lag: int) -> None:
    assert moved(lag, docs=80) == ((0, -lag),)


@pytest.mark.parametrize("lag", [-6, 6])
def test_longer_shifts_are_not_tested(lag: int) -> None:
    assert moved(lag, docs=80) == ()


def test_enough_docs_must_differ_from_the_most_common_grade() -> None:
    assert moved(1, docs=80, relevant=LEAST_GRADED) == ((0, -1),)
    assert moved(1, docs=80, relevant=LEAST_GRADED - 1) == ()


def test_more_than_ten_pairs_of_labels_are_required() -> None:
    # Shifted by one place, 12 docs leave 11 pairs, and 11 docs leave 10.
    assert [len(shifted_topics(docs)) for docs in (11, 12)] == [0, 3]


@pytest.mark.parametrize("which", [0, 1])
def test_the_grades_of_both_sets_must_vary(which: int) -> None:
    assert shifted_topics(40, alike=which) == [1, 2]


def test_reversed_labels_are_not_reported_as_shifted() -> None:
    # Every second doc is relevant, and so is every second doc in the reversed labels, one place
    # later.
    assert shifted_topics(40, against=True) == [1, 2]


def shifted_topics(docs: int, *, alike: int | None = None, against: bool = False) -> list[int]:
    """Return the topics with any evidence; the first topic of a set may have one grade."""
    grades = np.tile(np.arange(docs) % 4, (3, 1)).astype(float)
    rng = np.random.default_rng(1)
    theirs = rng.permuted(grades, axis=1)
    mine = np.where(rng.random(theirs.shape) < 0.2, 3 - theirs, theirs)
    if alike is not None:
        (theirs, mine)[alike][0] = [0] * (docs - 3) + [1, 2, 3]
    if against:
        theirs[0] = np.arange(docs) % 2 * 3
        mine[0] = np.where(rng.random(docs) < 0.2, theirs[0], 3 - theirs[0])
    ranks = np.tile(np.arange(1, docs + 1), (4, 3, 1))
    order = np.tile(np.arange(docs), (3, 1))
    found = shifted(arrays_of(np.stack([theirs, mine]), ranks, order), 1, 0)
    return [topic for (topic,) in found.culprits]
