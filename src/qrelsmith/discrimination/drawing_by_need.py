"""The next preference tests to make for the best estimate of PDP, or of differences in PDP.

For a pair of grades with n tests, a test changes PDP by g/n, where g is the derivative of PDP with
respect to the pair's probability. This change occurs for every pair of grades that the test's two
docs have, on any scale and from any assessor. If the outcome of test t has the variance v_t, PDP
has the variance Σ_t v_t (Σ_c ±g_c/n_c)², where c are the pairs of grades of test t. Pairs of docs
with the same combination of grades can differ in other ways. If only some of these pairs are
tested, the probability of the pair of grades is biased. The method minimises the expected squared
error, which is the sum of the variance and of the squared bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import sparse, special
from qrelsmith.discrimination.estimate import Estimate, estimate
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.coding import level_codes
from qrelsmith.discrimination.preferences.open_pairs import open_pairs
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.preferences.tally import tally_tests
from qrelsmith.discrimination.resampling import Resampler
from qrelsmith.discrimination.setting import Setting

_DRAWS = 16
_LOOKS = 200
# Beyond this probability, scores are useless, because slopes grow without bound.
_SUREST = 0.995


def draw_by_need(
    settings: Sequence[Setting],
    *,
    contrasts: FloatArray,
    grades: FloatArray,
    budget: int,
    rng: np.random.Generator,
) -> IntArray:
    """Return the next preference tests: the tests that reduce the expected squared error most.

    In each step, the method chooses the kind of doc pair whose next test reduces the error most.
    The method then draws a random pair of that kind, so that the drawn pairs represent the kind.
    Derivatives are averaged over draws from the posterior of the probabilities (Jeffreys), so that
    no pair of grades is neglected after a few unlucky tests.

    Parameters
    ----------
    settings : sequence of Setting
        Settings about the same topics and docs, with the same tests so far; one batch.
    contrasts : float array [contrast, setting]
        The quantities to estimate: sums of the settings' mean PDP with these weights.
    grades : float array [topic, doc]
        The kind of a doc pair is the pair of these grades; a doc with nan is not tested.
    budget : int
        The number of tests.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    int array [test, 3]
        Topic, left and right doc, the most needed test first. There are fewer than `budget` if
        there are no more pairs, or no test changes a PDP.

    Raises
    ------
    ShapeError
        If the shape of the contrasts does not match the settings.
    UsageError, UndefinedError
        As in `collection_pdp`.

    References
    ----------
    Neyman (1934), for the allocation that results if each test is of one pair of grades.
    """
    if contrasts.ndim != 2 or contrasts.shape[1] != len(settings):
        raise ShapeError(f"expected contrasts with a weight for each of {len(settings)} settings")
    tests = settings[0].evidence
    if not isinstance(tests, PreferenceTests):
        raise ShapeError("the setting has a grade-level matrix; expected preference tests")
    candidates = open_pairs(grades, tests, budget, rng)
    every = PreferenceTests(
        np.concatenate([tests.topics, candidates.pairs[:, 0]]),
        np.concatenate([tests.left, candidates.pairs[:, 1]]),
        np.concatenate([tests.right, candidates.pairs[:, 2]]),
        np.full(len(tests) + len(candidates.pairs), -2.0),
    )
    effects = _Effects.of(settings, every, contrasts, tests, candidates.weights, rng)
    return candidates.pairs[effects.most_needed(candidates.kinds, budget)]


@dataclass(frozen=True, slots=True)
class _Effects:
    """The effects of completed and possible tests on pairs of grades, and of such pairs on PDP.

    Attributes
    ----------
    won, counted : sparse array [test, cell]
        `counted` is the number of times that the left doc's grade is one of the cell's two grades.
        `won` is the number of times that the left doc's grade is the higher of the two, minus the
        number of times that it is the lower. Cells are the pairs of grades of all settings.
    shift : sparse array [test, cell]
        The probability that the cell's higher grade wins this test, minus that in other tests of
        the cell.
    variances : float array [test]
        The variance of the outcome.
    slopes : float array [cell, draw]
        The slopes of the contrasts at draws from the posterior, scaled so that the sum of squares
        is a mean.
    made : int
        The number of completed tests, which come first.
    """

    won: sparse.csr_array
    counted: sparse.csr_array
    shift: sparse.csr_array
    variances: FloatArray
    slopes: FloatArray
    made: int

    @classmethod
    def of(
        cls,
        settings: Sequence[Setting],
        every: PreferenceTests,
        contrasts: FloatArray,
        tests: PreferenceTests,
        weights: FloatArray,
        rng: np.random.Generator,
    ) -> _Effects:
        """Return effects of completed and open tests; an open test represents `weights` pairs."""
        won: list[sparse.csr_array] = []
        counted: list[sparse.csr_array] = []
        slopes: list[FloatArray] = []
        probabilities: list[FloatArray] = []
        for number, setting in enumerate(settings):
            estimated = estimate(setting, exact_docs=EXACT_DOCS, samples=2, rng=rng)
            for of_setting, parts in zip(
                _cells_of_tests(setting, every), (won, counted), strict=True
            ):
                parts.append(of_setting)
            p = _posterior(estimated, rng)
            probabilities.append(p.mean(axis=0))
            of_cell = _slopes(estimated, p)
            slopes.append(np.concatenate([of_cell * weight for weight in contrasts[:, number]]))
        signed, amount = sparse.hstack(won).tocsr(), sparse.hstack(counted).tocsr()
        chance = _chances(settings, every, tests)
        stands_for = np.concatenate([np.ones(len(tests)), weights])
        size = np.maximum(amount.T @ stands_for, np.finfo(np.float64).tiny)
        of_cell = 0.5 + (signed.T @ (stands_for * (chance - 0.5))) / size
        compared = np.maximum(amount.sum(axis=1), np.finfo(np.float64).tiny)
        by_grades = 0.5 + signed @ (np.concatenate(probabilities) - 0.5) / compared
        shift = signed.multiply((chance - 0.5)[:, None]) + amount.multiply(0.5 - of_cell[None])
        return cls(
            won=signed,
            counted=amount,
            shift=shift.tocsr(),
            variances=by_grades * (1 - by_grades),
            slopes=np.concatenate(slopes, axis=1).T / np.sqrt(_DRAWS),
            made=len(tests),
        )

    def most_needed(self, kinds: IntArray, budget: int) -> IntArray:
        """Return the positions of the most needed open tests, in descending order of need."""
        weights = np.zeros(self.won.shape[0])
        weights[: self.made] = 1.0
        # A kind whose pairs of grades do not change a PDP is never drawn.
        moves = self.counted[self.made :] @ np.abs(self.slopes).sum(axis=1) > 0
        left = np.bincount(kinds, minlength=1)
        useful = np.bincount(kinds, weights=moves, minlength=1) > 0
        queues = [iter(np.flatnonzero(kinds == kind).tolist()) for kind in range(left.size)]
        chosen: list[int] = []
        while len(chosen) < budget and (useful & (left > 0)).any():
            gain = np.where(weights[self.made :] > 0, 0.0, self._gains(weights)[self.made :])
            mean = np.bincount(kinds, weights=gain, minlength=1) / np.maximum(left, 1)
            kind = int(np.argmax(np.where(useful & (left > 0), mean, -np.inf)))
            for _ in range(min(int(left[kind]), budget - len(chosen), 1 + budget // _LOOKS)):
                chosen.append(next(queues[kind]))
                weights[self.made + chosen[-1]] = 1.0
                left[kind] -= 1
        return np.array(chosen, dtype=np.int64)

    def _gains(self, weights: FloatArray) -> FloatArray:
        """Return the reduction of the expected squared error by one more test of each kind."""
        # Each pair of grades starts with one test of the largest possible variance.
        tests = 1.0 + self.counted.T @ weights
        moved = self.slopes / tests[:, None]
        each = self.won @ moved
        together = self.won.T @ ((weights * self.variances)[:, None] * each) + 0.25 * moved
        spread = 2 * (self.counted @ ((moved * together).sum(axis=1) / tests))
        spread -= self.variances * (each**2).sum(axis=1)
        shifted = (self.shift.T @ weights) / tests
        now = moved.T @ (shifted * tests)
        more = self.shift @ moved - self.counted @ (moved * shifted[:, None])
        return np.asarray(spread - ((2 * now + more) * more).sum(axis=1))


def _cells_of_tests(
    setting: Setting, tests: PreferenceTests
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return the tested pairs of different grades [test, cell], signed by the grades' order."""
    tally = tally_tests(tests, setting.grades, levels=setting.levels, mode=setting.mode)
    levels = len(tally.levels)
    left, right = np.divmod(tally.cells, levels)
    apart = left != right
    cell = np.minimum(left, right) * levels + np.maximum(left, right)
    upper = np.ravel_multi_index(np.triu_indices(levels, 1), (levels, levels))
    places = (tally.tests[apart], np.searchsorted(upper, cell[apart]))
    amounts, higher = tally.amounts[apart], left[apart] > right[apart]
    shape = (len(tests), upper.size)
    return (
        sparse.csr_array((np.where(higher, amounts, -amounts), places), shape=shape),
        sparse.csr_array((amounts, places), shape=shape),
    )


def _posterior(estimated: Estimate, rng: np.random.Generator) -> FloatArray:
    """Draw the probability that the higher grade wins from the Jeffreys posterior [draw, cell]."""
    low, high = np.triu_indices(len(estimated.matrix.levels), 1)
    wins, tests = estimated.matrix.wins[0], estimated.matrix.tests[0][high, low]
    total = wins[high, low] + wins[low, high]
    # Several assessors' grades turn one test into several wins, but not into more tests.
    scale = np.where(total > 0, tests / np.maximum(total, 1e-9), 1.0)
    p = rng.beta(
        wins[high, low] * scale + 0.5, wins[low, high] * scale + 0.5, size=(_DRAWS, low.size)
    )
    return np.clip(p, 1 - _SUREST, _SUREST)


def _slopes(estimated: Estimate, p: FloatArray) -> FloatArray:
    """Return the derivatives of mean PDP at drawn probabilities that the higher grade wins."""
    levels = len(estimated.matrix.levels)
    low, high = np.triu_indices(levels, 1)
    matrices = np.full((len(p), 1, levels, levels), 0.5)
    matrices[:, 0, high, low] = p
    matrices[:, 0, low, high] = 1 - p
    return Resampler.of(estimated, exact_docs=EXACT_DOCS).slopes(matrices)[:, 0, high, low]


def _chances(
    settings: Sequence[Setting], every: PreferenceTests, tests: PreferenceTests
) -> FloatArray:
    """Return the probability that the left doc of each test wins, by the difference in grades.

    The probability is a logistic curve through ½ at difference 0, fitted to the completed tests.
    The difference in grades is the mean over settings and assessors, as a share of the scale.
    """
    apart = np.zeros(len(every))
    for setting in settings:
        grades = float_array(setting.grades, name="grades", ndim=3)
        levels = level_codes(grades, levels=setting.levels)[1]
        difference = grades[every.topics, every.left] - grades[every.topics, every.right]
        known = ~np.isnan(difference)
        total = np.where(known, difference, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        apart += total / (max(levels[-1] - levels[0], 1e-9) * len(settings))
    won, seen = 0.5 - 0.5 * np.sign(tests.outcomes), apart[: len(tests)]
    steepness = 0.0
    for _ in range(50):
        chance = special.expit(steepness * seen)
        slope = (seen * (won - chance)).sum() - 1e-2 * steepness
        step = slope / ((seen**2 * chance * (1 - chance)).sum() + 1e-2)
        steepness += float(np.clip(step, -5.0, 5.0))
    return np.asarray(special.expit(steepness * apart))
