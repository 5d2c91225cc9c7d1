from __future__ import annotations

from itertools import permutations
from math import factorial, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.discrimination.plackett_luce import PlackettLuce, entropy, fit_scores
from qrelsmith.discrimination.plackett_luce.entropy import subset_entropy


def brute_force(scores: FloatArray) -> float:
    """Return the entropy over all rankings, one by one (paper on PDP, Eq. 3 and 4)."""
    total = 0.0
    for ranking in permutations(scores.tolist()):
        chance = 1.0
        for rank in range(len(ranking)):
            chance *= np.exp(ranking[rank]) / np.exp(ranking[rank:]).sum()
        total -= chance * log(chance)
    return total


def exact(scores: object) -> FloatArray:
    return entropy(PlackettLuce.from_scores(scores)).value  # type: ignore[arg-type]


def strict_order(docs: int) -> FloatArray:
    place = np.arange(docs)
    return np.where(place[:, None] < place, 1.0, 0.0) + 0.5 * np.eye(docs)


def test_clipping_five_docs_in_strict_order_gives_the_entropy_of_the_paper() -> None:
    # From the formula: clipped at 0.01 gives 0.768, the limit is 0.
    assert entropy(fit_scores(np.clip(strict_order(5), 0.01, 0.99))).value == pytest.approx(
        0.768, abs=5e-4
    )
    assert entropy(fit_scores(strict_order(5))).value == 0


def test_random_annotation_of_five_docs_has_the_entropy_ln_120() -> None:
    # Paper on PDP, 4.2.1: "the random annotation case (4.7875)".
    assert exact(np.zeros(5)) == pytest.approx(4.7875, abs=5e-5)


@pytest.mark.parametrize("docs", [1, 2, 7, 10, 11, 13, 20])
def test_equal_scores_have_the_entropy_ln_k_factorial(docs: int) -> None:
    assert exact(np.full(docs, 3.0)) == pytest.approx(log(factorial(docs)), abs=1e-9)


def test_two_docs_have_the_entropy_of_a_coin() -> None:
    p = 0.8
    assert exact([np.log(4), 0]) == pytest.approx(-p * log(p) - (1 - p) * log(1 - p))


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=6))
def test_summing_over_subsets_equals_summing_over_all_rankings(scores: list[float]) -> None:
    assert exact(scores) == pytest.approx(brute_force(np.array(scores)), abs=1e-9)


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=9), st.randoms())
def test_the_entropy_is_bounded_and_independent_of_the_order_of_docs_and_a_shift(
    scores: list[float], random: object
) -> None:
    value = exact(scores)
    assert 0 <= value <= log(factorial(len(scores))) + 1e-9
    shuffled = list(scores)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert exact(shuffled) == pytest.approx(value, abs=1e-9)
    assert exact(np.array(scores) + 5) == pytest.approx(value, abs=1e-9)


@given(seed=st.integers(0, 2**32 - 1), docs=st.integers(11, 13))
def test_more_docs_than_one_half_holds_are_the_sum_of_certain_groups(seed: int, docs: int) -> None:
    # The scores are so far apart that the groups are practically certain: their entropies add up.
    rng = np.random.default_rng(seed)
    above, below = rng.normal(size=5), rng.normal(size=docs - 5)
    together = exact(np.concatenate([above + 100, below]))
    assert together == pytest.approx(exact(above) + exact(below), abs=1e-9)


def test_many_topics_at_once_equal_each_topic_alone() -> None:
    scores = np.random.default_rng(0).normal(size=(40_000, 4))
    together = subset_entropy(scores)
    assert together[[0, 20_000, 39_999]] == pytest.approx(
        [brute_force(scores[topic]) for topic in (0, 20_000, 39_999)]
    )


def test_entropies_of_certain_groups_add_up() -> None:
    p = np.full((5, 5), 0.5)
    p[:2, 2:], p[2:, :2] = 1, 0
    assert entropy(fit_scores(p)).value == pytest.approx(log(2) + log(6))


def test_the_entropy_of_one_doc_is_0_and_of_no_docs_undefined() -> None:
    p = np.full((3, 2, 2), 0.5)
    p[1, 0, :] = p[1, :, 0] = np.nan
    p[2] = np.nan
    found = entropy(fit_scores(p))
    assert found.value[:2] == pytest.approx([log(2), 0])
    assert np.isnan(found.value[2])
    assert found.se[:2].tolist() == [0, 0]
    assert np.isnan(found.se[2])
    assert found.exact.all()


@pytest.mark.parametrize("estimator", ["conditional", "plain"])
def test_sampling_is_within_three_standard_errors_of_the_exact_value(estimator: str) -> None:
    scores = np.random.default_rng(4).normal(scale=2, size=(6, 12))
    model = PlackettLuce.from_scores(scores)
    known = entropy(model)
    sampled = entropy(
        model,
        exact_docs=5,
        samples=4000,
        estimator=estimator,  # type: ignore[arg-type]
        rng=np.random.default_rng(1),
    )
    assert not sampled.exact.any()
    assert (sampled.se > 0).all()
    assert (np.abs(sampled.value - known.value) < 3 * sampled.se).all()


def test_conditional_entropies_vary_less_than_log_probabilities() -> None:
    model = PlackettLuce.from_scores(np.random.default_rng(4).normal(size=(8, 30)))
    se = {
        estimator: entropy(
            model,
            samples=2000,
            estimator=estimator,  # type: ignore[arg-type]
            rng=np.random.default_rng(0),
        ).se
        for estimator in ("conditional", "plain")
    }
    ratio = (se["plain"] / se["conditional"]) ** 2
    assert (ratio > 3).all()


def test_beyond_twenty_docs_equal_scores_are_still_exact() -> None:
    # Every draw has the same entropy whatever came before, so there is no variance.
    found = entropy(PlackettLuce.from_scores(np.zeros(50)), rng=np.random.default_rng(0))
    assert found.value == pytest.approx(sum(log(k) for k in range(1, 51)), abs=1e-9)
    assert found.se == pytest.approx(0, abs=1e-9)
    assert not found.exact


def test_distant_scores_do_not_overflow_the_sampling() -> None:
    found = entropy(
        PlackettLuce.from_scores(np.arange(30) * 100.0), samples=10, rng=np.random.default_rng(0)
    )
    assert found.value == pytest.approx(0, abs=1e-9)


def test_distant_scores_are_summed_without_underflow() -> None:
    assert exact([0.0, 1000.0, 2000.0, 2000.0]) == pytest.approx(log(2))
    assert exact(np.arange(20) * 36.9) == pytest.approx(0, abs=1e-9)
    assert exact(np.arange(20) * 37.1) == 0
    pair = np.array([36.0, 0.0])
    assert exact(pair) == pytest.approx(37 * np.exp(-36), rel=0.01, abs=1e-14)


def test_a_large_topic_of_small_certain_groups_needs_no_sampling() -> None:
    found = entropy(fit_scores(strict_order(60)))
    assert found.exact
    assert found.value == 0


def test_wrong_options_are_refused() -> None:
    model = PlackettLuce.from_scores(np.zeros(21))
    with pytest.raises(UsageError, match=r"21 docs, .* up to 20 docs. Pass rng"):
        entropy(model)
    with pytest.raises(UsageError, match="exact_docs is 21; expected 1 to 20"):
        entropy(model, exact_docs=21)
    with pytest.raises(UsageError, match="samples is 1; expected 2 or more"):
        entropy(model, samples=1)
    with pytest.raises(UnknownNameError, match="unknown estimator 'plane'; did you mean plain"):
        entropy(model, estimator="plane")  # type: ignore[arg-type]
