"""The tally of preference tests by pairs of grades (pdp 3.4.3, Eq. 10 and 11)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination.preferences.batches import batch_codes
from qrelsmith.discrimination.preferences.coding import level_codes, middle_codes
from qrelsmith.discrimination.preferences.options import Mode, Strength, check_options
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests


@dataclass(frozen=True, slots=True)
class GradeTally:
    """Wins between grades, stored for each test so that tests can be weighted again.

    Attributes
    ----------
    levels : tuple of float
        The levels of the scale.
    mode : {'individual', 'aggregate'}
        Whether a test counts once for each assessor's grades or once for the aggregated grades.
    tests : int array [entry]
        The test that the entry belongs to.
    cells : int array [entry]
        The flat position of the entry's cell [batch, better grade, worse grade].
    amounts : float array [entry]
        The amount that the entry adds to the cell.
    touching : int array [touch]
        The index of a test, repeated for each pair of grades that the test compares.
    touched : int array [touch]
        The compared pair of grades, as the flat position of the cell above the diagonal.
    batches : int
        The number of batches.
    test_count : int
        The number of tests, including tests without grades, which compare no pair of grades.
    """

    levels: tuple[float, ...]
    mode: Mode
    tests: IntArray
    cells: IntArray
    amounts: FloatArray
    touching: IntArray
    touched: IntArray
    batches: int
    test_count: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape [batch, level, level] of the matrices."""
        return self.batches, len(self.levels), len(self.levels)

    def wins(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the matrix C [batch, better grade, worse grade].

        Parameters
        ----------
        weights : float array [test], optional
            The number of times that each test counts; by default, once.
        """
        amounts = self.amounts if weights is None else self.amounts * weights[self.tests]
        counted = np.bincount(self.cells, weights=amounts, minlength=math.prod(self.shape))
        return counted.astype(np.float64).reshape(self.shape)

    def reweight(self, weights: FloatArray) -> GradeTally:
        """Return the tally with tests weighted by the number of doc pairs that they represent.

        Parameters
        ----------
        weights : float array [test]
            The number of pairs that each test represents, 0 or more. Within a pair of grades only
            the proportions of weights matter: the counts sum to the number of equally weighted
            tests with the same precision, (Σw)²/Σw² (Kish 1965), so that the strength of smoothing
            matches the precision.

        Raises
        ------
        ShapeError
            If there is not one weight for each test, or a weight is below 0.
        """
        if weights.shape != (self.test_count,) or not (weights >= 0).all():
            raise ShapeError(f"expected a weight of 0 or more for each of {self.test_count} tests")
        levels = len(self.levels)
        batch, cell = np.divmod(self.cells, levels**2)
        better, worse = np.divmod(cell, levels)
        low, high = np.minimum(better, worse), np.maximum(better, worse)
        pair = (batch * levels + low) * levels + high
        each = weights[self.tests]
        total, squares = (np.bincount(pair, weights=self.amounts * each**n) for n in (1, 2))
        scale = np.divide(total, squares, out=np.zeros(total.shape), where=squares > 0)
        return replace(self, amounts=self.amounts * each * scale[pair])

    def collapse(self) -> tuple[GradeTally, IntArray]:
        """Merge tests that add the same amounts to the same cells.

        For a grade matrix of a few levels, tens of thousands of tests have only a few dozen
        effects.

        Returns
        -------
        tally : GradeTally
            The tally with one test for each distinct effect.
        classes : int array [test]
            The class of each test. The wins of these tests with weights are the wins of `tally`
            with the sum of weights of each class.
        """
        _, amount = np.unique(self.amounts, return_inverse=True)
        said = self.cells * (amount.max(initial=0) + 1) + amount
        order = np.lexsort((said, self.tests))
        test = self.tests[order]
        place = np.arange(test.size) - np.searchsorted(test, test)
        table = np.full((self.test_count, place.max(initial=0) + 1), -1, dtype=np.int64)
        table[test, place] = said[order]
        _, first, found = np.unique(table, axis=0, return_index=True, return_inverse=True)
        classes: IntArray = found.ravel().astype(np.int64)
        entries, touches = np.isin(self.tests, first), np.isin(self.touching, first)
        tally = replace(
            self,
            tests=classes[self.tests[entries]],
            cells=self.cells[entries],
            amounts=self.amounts[entries],
            touching=classes[self.touching[touches]],
            touched=self.touched[touches],
            test_count=first.size,
        )
        return tally, classes

    def test_counts(self, weights: FloatArray | None = None) -> FloatArray:
        """Count the tests of each pair of grades [batch, level, level], in either order.

        Parameters
        ----------
        weights : float array [test], optional
            Tests of weight 0 are not counted; all other tests count once.
        """
        touched = self.touched if weights is None else self.touched[weights[self.touching] > 0]
        upper = np.bincount(touched, minlength=math.prod(self.shape)).reshape(self.shape)
        diagonal = upper * np.eye(len(self.levels), dtype=np.int64)
        return np.asarray(upper + upper.swapaxes(1, 2) - diagonal, dtype=np.float64)


def tally_tests(
    tests: PreferenceTests,
    grades: ArrayLike,
    *,
    levels: ArrayLike | None = None,
    mode: Mode = "individual",
    strength: Strength = "sign",
    batches: ArrayLike | None = None,
) -> GradeTally:
    """Return the tally of tests: the contribution of each test to the grade-level matrix.

    Parameters
    ----------
    tests : PreferenceTests
        Topics and docs are positions on the first two axes of the grades.
    grades : array_like [topic, doc, assessor]
        nan and codes below 0 are missing. The assessor axis needs only a topic's own assessors: an
        assessor's slot may differ between topics.
    levels : array_like [level], optional
        The scale; by default, the distinct grades that occur.
    mode : {'individual', 'aggregate'}
        `individual`: a test adds 1 for every assessor who graded both docs. `aggregate`: a test
        adds 1 for the median grades; with an even number of assessors, it adds ¼ for each of the
        four combinations of the middle grades.
    strength : {'sign', 'share'}
        `sign`: the better doc's grade gets the whole amount, or half for a tie. `share`: this grade
        gets the whole amount for the outcomes ±2, three quarters for ±1, and other shares in
        proportion (beyond the paper).
    batches : array_like of int [topic], optional
        The batch of each topic, from 0; topics with the same assessors share a batch. By default,
        all topics share one batch.

    Raises
    ------
    ShapeError
        If a test names a topic or doc beyond the grades, or the batches do not match.
    UsageError
        If a grade is not on the scale, or there are too many levels (`level_codes`).

    References
    ----------
    pdp, Eq. 9 to 11; the treatment of ties and of even numbers is ours.
    """
    check_options(mode=mode, strength=strength)
    codes, scale = level_codes(grades, levels=levels)
    batch = batch_codes(batches, topics=len(codes))
    for positions, axis, name in (
        (tests.topics, 0, "topic"),
        (tests.left, 1, "doc"),
        (tests.right, 1, "doc"),
    ):
        if positions.size and positions.max() >= codes.shape[axis]:
            raise ShapeError(
                f"a preference test names the {name} at position {positions.max()}, but the number"
                f" of {name}s with grades is {codes.shape[axis]}"
            )
    left, right, amount = _grades_of_tests(codes, tests, mode)
    both = (left >= 0) & (right >= 0)
    rows, _ = np.nonzero(both)
    graded_left, graded_right = left[both], right[both]
    first_cell = batch[tests.topics[rows]] * len(scale) ** 2
    share = (0.5 - 0.25 * tests.outcomes) if strength == "share" else _signs(tests.outcomes)
    won = share[rows] * amount
    amounts = np.concatenate([won, amount - won])
    cells = np.concatenate(
        [
            first_cell + graded_left * len(scale) + graded_right,
            first_cell + graded_right * len(scale) + graded_left,
        ]
    )
    adds = amounts > 0
    touching, touched = _touches(left, right, batch[tests.topics], len(scale))
    return GradeTally(
        levels=scale,
        mode=mode,
        tests=np.concatenate([rows, rows])[adds],
        cells=cells[adds],
        amounts=amounts[adds],
        touching=touching,
        touched=touched,
        batches=int(batch.max(initial=0)) + 1,
        test_count=len(tests),
    )


def _grades_of_tests(
    codes: IntArray, tests: PreferenceTests, mode: Mode
) -> tuple[IntArray, IntArray, float]:
    """Return the grades [test, sample] of the left and right docs, and the weight per sample."""
    if mode == "individual":
        return codes[tests.topics, tests.left], codes[tests.topics, tests.right], 1.0
    middle = middle_codes(codes)
    left, right = middle[tests.topics, tests.left], middle[tests.topics, tests.right]
    return left[:, [0, 0, 1, 1]], right[:, [0, 1, 0, 1]], 0.25


def _signs(outcomes: FloatArray) -> FloatArray:
    """Return 1 if the left doc is better, ½ for a tie, and 0 if the right doc is better."""
    return 0.5 - 0.5 * np.sign(outcomes)


def _touches(
    left: IntArray, right: IntArray, batch: IntArray, levels: int
) -> tuple[IntArray, IntArray]:
    """Return tests with the pairs of grades that they compare; each pair occurs once per test."""
    missing = (left < 0) | (right < 0)
    pair = np.minimum(left, right) * levels + np.maximum(left, right)
    pair = np.sort(np.where(missing, -1, pair), axis=1)
    first = pair >= 0
    first[:, 1:] &= pair[:, 1:] != pair[:, :-1]
    return np.nonzero(first)[0], (batch[:, None] * levels**2 + pair)[first]
