"""The loss of choosing the best system by other labels: by hand, by a loop, and edge cases."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.choice_loss import choice_losses
from qrelsmith.stats.topic_draws import topic_halves

TOPICS = [f"t{place}" for place in range(9)]


def _scores(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random((9, 6)) + 0.2 * rng.random(6)


def _loss(gold: np.ndarray, other: np.ndarray, left_out: int | None) -> float:
    """The definition as a simple loop over halves, optionally without a topic."""
    losses = []
    first, second = topic_halves(TOPICS, seed=3)
    for one, two in (*zip(first, second, strict=True), *zip(second, first, strict=True)):
        rows, judged = (
            [at for at in np.flatnonzero(half) if at != left_out] for half in (one, two)
        )
        best, chosen = (scores[rows].mean(axis=0).argmax() for scores in (gold, other))
        losses.append(gold[judged, best].mean() - gold[judged, chosen].mean())
    return float(np.mean(losses))


def test_the_loss_equals_a_simple_loop_that_chooses_again_without_each_topic():
    gold, other = _scores(0), _scores(1)
    found = choice_losses(gold, [gold, other], TOPICS, seed=3)
    assert found.value == pytest.approx([0.0, _loss(gold, other, None)])
    assert found.without[1] == pytest.approx([_loss(gold, other, at) for at in range(9)])
    assert found.best == pytest.approx(gold.mean(axis=0).max())


def test_tied_systems_are_chosen_with_equal_probability():
    gold = np.tile([0.6, 0.2, 0.4], (9, 1))
    assert choice_losses(gold, np.ones((1, 9, 3)), TOPICS).value == pytest.approx([0.2])


def test_paired_differences_are_those_of_the_losses():
    found = choice_losses(_scores(0), [_scores(1), _scores(2)], TOPICS, seed=3)
    paired = found.less(0).interval()
    assert paired.value == pytest.approx(found.value - found.value[0])
    assert (paired.low[0], paired.high[0]) == (0.0, 0.0)


def test_few_topics_have_no_interval_and_fewer_than_four_no_loss():
    gold = _scores(0)
    assert np.isnan(choice_losses(gold[:7], gold[None, :7], TOPICS[:7]).interval().low).all()
    assert np.isnan(choice_losses(gold[:3], gold[None, :3], TOPICS[:3]).value).all()


def test_scores_of_other_topics_are_an_error():
    with pytest.raises(ShapeError, match="expected scores of 9 topics"):
        choice_losses(_scores(0), _scores(1)[None, :8], TOPICS)
