"""Simulated preference tests between docs, and samples of them.

Chu et al. 2021 use two sets of tests. For Figures 4 and 5 every pair of docs of every topic is a
test ("the preference results of all the preference tuples"): `all_tests`, 10 per topic for K = 5.
These tests describe the whole batch, not an expectation over further topics. For Figure 6, the
authors "sample B preference tuples under each grade pair" with replacement: `sample_tests`.

In aggregate mode, a sample converges to the result of all tests as B grows, since tests are drawn
within the matrix cells that they fill. In individual mode, a sample does not converge to this
result: a test fills the cells of each assessor's grades. B tests of each pair of aggregated grades
give rare pairs the same weight as frequent pairs. `limit_weights` returns the limit in this mode.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests


def answers(left: ArrayLike, right: ArrayLike, *, indifference: float = 0.0) -> FloatArray:
    """Return the preferences between docs of the given relevance.

    Parameters
    ----------
    left, right : array_like, [...]
        True or perceived relevance; nan is not allowed.
    indifference : float
        The largest difference that still gives a tie.

    Returns
    -------
    ndarray, [...]
        −1 if the left doc is better, 1 if the right doc is better, 0 for a tie.
    """
    if not indifference >= 0:
        raise UsageError(f"indifference={indifference!r}; expected 0 or more")
    more = float_array(right, name="right") - float_array(left, name="left")
    if np.isnan(more).any():
        raise UsageError("a doc has no relevance; expected a number for each doc")
    return np.where(np.abs(more) <= indifference, 0.0, np.sign(more))


def all_tests(truth: ArrayLike) -> PreferenceTests:
    """Return every pair of docs of every topic, judged without noise by the true relevance.

    Parameters
    ----------
    truth : array_like, [topic, doc]
        The true relevance.

    Returns
    -------
    PreferenceTests
        K(K−1)/2 tests per topic, topic by topic; the left doc has the lower number.
    """
    values = float_array(truth, name="truth", ndim=2)
    first, second = np.triu_indices(values.shape[1], k=1)
    topics, pairs = values.shape[0], first.size
    return PreferenceTests(
        topics=np.repeat(np.arange(topics), pairs),
        left=np.tile(first, topics),
        right=np.tile(second, topics),
        outcomes=answers(values[:, first], values[:, second]).ravel(),
    )


def sample_tests(
    tests: PreferenceTests,
    grades: ArrayLike,
    *,
    per_pair: int,
    rng: np.random.Generator,
    equal: bool = False,
) -> PreferenceTests:
    """Draw B tests of every pair of grades, with replacement from the tests of this pair.

    Parameters
    ----------
    tests : PreferenceTests
        The tests to draw from.
    grades : array_like, [topic, doc]
        One grade per doc: the aggregated grade (the paper's tests serve both modes). nan means
        missing; a test of such a doc is never drawn.
    per_pair : int
        B, the number of tests for each unordered pair of grades that has any test.
    rng : Generator
        The random numbers.
    equal : bool
        Whether to draw pairs of equal grades too. They have no effect in aggregate mode, where p(a
        > a) = ½ is known.

    Returns
    -------
    PreferenceTests
        The tests, sorted by the pair of grades, lower grade first.
    """
    order, sizes = _by_grades(tests, grades, equal=equal)
    drawn = order[_draw_places(sizes, per_pair, 1, rng)[0]]
    return PreferenceTests(
        tests.topics[drawn], tests.left[drawn], tests.right[drawn], tests.outcomes[drawn]
    )


def sample_counts(
    tests: PreferenceTests,
    grades: ArrayLike,
    *,
    per_pair: int,
    repeats: int,
    rng: np.random.Generator,
    equal: bool = False,
) -> IntArray:
    """Return how often each test is drawn, in independent repetitions of `sample_tests`.

    Parameters
    ----------
    tests, grades, per_pair, rng, equal
        As in `sample_tests`.
    repeats : int
        The number of repetitions (100 in the paper's Figure 6).
    """
    if repeats < 0:
        raise UsageError(f"repeats={repeats!r}; expected 0 or more")
    order, sizes = _by_grades(tests, grades, equal=equal)
    drawn = order[_draw_places(sizes, per_pair, repeats, rng)]
    flat = drawn + len(tests) * np.arange(repeats)[:, None]
    counts = np.bincount(flat.ravel(), minlength=repeats * len(tests))
    return counts.reshape(repeats, len(tests)).astype(np.int64)


def limit_weights(tests: PreferenceTests, grades: ArrayLike, *, equal: bool = False) -> FloatArray:
    """Return the limit of `sample_counts` / B for B → ∞: 1/(tests with the same grades), [test].

    The limit is 0 for tests that are never drawn.
    """
    order, sizes = _by_grades(tests, grades, equal=equal)
    weights = np.zeros(len(tests))
    weights[order] = np.repeat(1.0 / sizes, sizes)
    return weights


def _by_grades(
    tests: PreferenceTests, grades: ArrayLike, *, equal: bool
) -> tuple[IntArray, IntArray]:
    """Return the tests that can be drawn, sorted by pair of grades, and the counts by pair."""
    table = float_array(grades, name="grades", ndim=2)
    if len(tests) and (
        tests.topics.max() >= table.shape[0]
        or max(tests.left.max(), tests.right.max()) >= table.shape[1]
    ):
        raise ShapeError(
            f"a test has a doc outside the grades, of shape {table.shape}; expected graded docs"
        )
    pair = np.stack([table[tests.topics, tests.left], table[tests.topics, tests.right]])
    low, high = pair.min(axis=0), pair.max(axis=0)
    usable = np.flatnonzero((low <= high) if equal else (low < high))  # drops nan
    order = usable[np.lexsort((high[usable], low[usable]))]
    new = np.ones(order.size, dtype=np.bool_)
    new[1:] = (low[order][1:] != low[order][:-1]) | (high[order][1:] != high[order][:-1])
    return order, np.diff(np.append(np.flatnonzero(new), order.size))


def _draw_places(
    sizes: IntArray, per_pair: int, repeats: int, rng: np.random.Generator
) -> IntArray:
    """Draw indices of the sorted tests, [repeat, pair · per_pair]."""
    if per_pair < 1:
        raise UsageError(f"per_pair={per_pair!r}; expected 1 or more")
    starts = np.cumsum(sizes) - sizes
    size = np.repeat(sizes, per_pair)
    return np.repeat(starts, per_pair) + rng.integers(size, size=(repeats, size.size))
