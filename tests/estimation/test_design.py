"""Probabilities, waves, and the information in a file of drawn docs about all other docs."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.estimation.design import (
    combined,
    draw_units,
    even_sizes,
    inclusion,
    recover_probabilities,
    systematic_draw,
)

SIZE = even_sizes(np.random.default_rng(3).gamma(0.5, size=400))


def test_probabilities_sum_to_the_sample_size_and_follow_the_sizes() -> None:
    # By hand: 8 is certain; the other two share the remaining probability in proportion 1 to 3.
    assert inclusion(np.array([8.0, 1.0, 3.0]), 2).tolist() == [1.0, 0.25, 0.75]
    assert inclusion(SIZE, 50).sum() == pytest.approx(50)


def test_a_further_wave_counts_only_docs_not_drawn_yet() -> None:
    open_units = np.arange(400) % 2 == 0
    probability = inclusion(SIZE, 30, among=open_units)
    assert probability[open_units].sum() == pytest.approx(30)


def test_a_sample_larger_than_the_population_is_the_population() -> None:
    assert inclusion(SIZE, 400).tolist() == [1.0] * 400


def test_waves_are_combined_as_independent_draws() -> None:
    assert combined([np.array([0.5, 1.0]), np.array([0.5, 0.1])]).tolist() == [0.75, 1.0]


def test_a_seed_always_draws_the_same_docs() -> None:
    keys = [("t", str(doc)) for doc in range(12)]
    hit = draw_units(np.full(12, 0.4), keys, seed=1, wave=1)
    assert np.flatnonzero(hit).tolist() == [3, 4, 7, 8, 9]


def test_systematic_sampling_keeps_every_probability_and_the_sample_size() -> None:
    rng = np.random.default_rng(2)
    chance = np.array([1.0, 0.7, 0.5, 0.05, 0.35, 0.4, 0.0])
    drawn = np.array([systematic_draw(chance, rng.random(7), rng.random()) for _ in range(20_000)])
    assert (drawn.sum(axis=1) == 3).all()
    assert drawn.mean(axis=0) == pytest.approx(chance, abs=0.012)  # 3.5 standard errors


def test_probabilities_of_docs_not_drawn_are_recomputed() -> None:
    other = even_sizes(np.random.default_rng(4).gamma(0.5, size=400))
    waves = [inclusion(SIZE, 40), inclusion(other, 90)]
    rows = np.arange(0, 400, 5)
    found = recover_probabilities([SIZE, other], rows, combined(waves)[rows])
    assert np.allclose(found, waves, atol=1e-7)


def test_probabilities_of_another_sample_are_refused() -> None:
    rows = np.arange(0, 400, 5)
    with pytest.raises(UsageError, match="do not match"):
        recover_probabilities([SIZE], rows, inclusion(SIZE[::-1], 40)[rows])
