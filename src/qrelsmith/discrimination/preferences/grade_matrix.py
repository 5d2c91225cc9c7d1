"""Grade-level matrix: the probability that a grade is preferred to another (pdp 3.4.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.discrimination.preferences.options import (
    Mode,
    Smoothing,
    Strength,
    Untested,
    check_options,
)
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.preferences.tally import GradeTally, tally_tests
from qrelsmith.discrimination.preferences.untested import interpolate

PAPER_CLIP = 0.01
JEFFREYS = 0.5
_COMPLEMENT = 1e-6


@dataclass(frozen=True, slots=True)
class GradeMatrix:
    """Preference probabilities between grades, one matrix for each batch of topics.

    Attributes
    ----------
    levels : tuple of float
        The levels of the scale, lowest first.
    p : float array [batch, level, level]
        p(grade of the row > grade of the column); p + pᵀ = 1; ½ on the diagonal; nan for pairs
        without tests, unless `untested` filled these cells.
    wins : float array [batch, level, level]
        The matrix C behind p: the amounts from tests for the better grade (row) over the worse
        grade (column). In individual mode, a test counts once for every assessor. nan if the matrix
        was given.
    tests : float array [batch, level, level]
        The number of distinct tests in each cell; nan if the matrix was given.
    clip : float
        Doc-level preferences are clipped to [clip, 1 − clip]; 0 has no effect.
    """

    levels: tuple[float, ...]
    mode: Mode
    p: FloatArray
    wins: FloatArray
    tests: FloatArray
    clip: float = 0.0

    @classmethod
    def from_values(
        cls, p: ArrayLike, *, levels: ArrayLike | None = None, mode: Mode, clip: float = 0.0
    ) -> GradeMatrix:
        """Return a matrix with given values, which is used for all topics.

        Parameters
        ----------
        p : array_like [level, level]
            p(grade of the row > grade of the column); nan if unknown.
        levels : array_like [level], optional
            The scale, lowest first; by default 0 … n − 1.
        mode : {'individual', 'aggregate'}
            The mode of the grades: `individual` grades of assessors, or `aggregate` grades.
        clip : float
            As in the class; 0.01 for the paper's doc-level matrix.

        Raises
        ------
        ShapeError, UsageError
            If the matrix is not square, does not match the levels, contains a value outside [0, 1],
            is not complementary (tolerance 1e-6), or has a value other than ½ on its diagonal.
        """
        check_options(mode=mode)
        values = float_array(p, name="the grade matrix", ndim=2)
        count = len(values)
        scale = Scale(
            tuple(np.arange(count, dtype=float).tolist())
            if levels is None
            else tuple(float_array(levels, name="levels", ndim=1).tolist())
        )
        if values.shape != (len(scale.levels), len(scale.levels)):
            raise ShapeError(
                f"the grade matrix has the shape {list(values.shape)}; expected a row and a column "
                f"for each of the {len(scale.levels)} levels"
            )
        if not 0 <= clip < 0.5:
            raise UsageError(f"clip is {clip}; expected at least 0 and less than 0.5")
        unknown = np.isnan(values) & np.isnan(values.T)
        with np.errstate(invalid="ignore"):
            fits = (values >= 0) & (values <= 1) & (np.abs(values + values.T - 1) <= _COMPLEMENT)
        if (wrong := ~(fits | unknown)).any():
            row, column = np.argwhere(wrong)[0].tolist()
            raise ShapeError(
                f"the grade matrix has {values[row, column]:g} in row {row}, column {column} and "
                f"{values[column, row]:g} in the mirrored cell; expected a sum of 1"
            )
        exact = (values + (1.0 - values.T)) / 2.0
        np.fill_diagonal(exact, 0.5)
        unknown_tests = np.full((1, count, count), np.nan)
        return cls(
            levels=scale.levels,
            mode=mode,
            p=exact[None],
            wins=unknown_tests,
            tests=unknown_tests,
            clip=clip,
        )


def grade_matrix(
    tests: PreferenceTests,
    grades: ArrayLike,
    *,
    levels: ArrayLike | None = None,
    mode: Mode = "individual",
    smoothing: Smoothing = "jeffreys",
    untested: Untested = "error",
    strength: Strength = "sign",
    batches: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> GradeMatrix:
    """Estimate the preference probabilities between grades from preference tests.

    With w = C[a, b] and n = C[a, b] + C[b, a]: p(a > b) = (w + ½)/(n + 1), or w/n without
    smoothing; p(a > a) = ½.

    Parameters
    ----------
    tests : PreferenceTests
        Topics and docs are positions on the first two axes of the grades.
    grades : array_like [topic, doc, assessor]
        nan and codes below 0 are missing. Grades that are already aggregated have one assessor.
    levels : array_like [level], optional
        The scale; by default, the distinct grades that occur.
    mode : {'individual', 'aggregate'}
        How a test is counted (`tally_tests`).
    smoothing : {'jeffreys', 'none', 'paper'}
        `jeffreys` adds ½ to both cells; `none` and `paper` add nothing, but with `paper` the
        doc-level matrix is clipped to [0.01, 0.99].
    untested : {'error', 'half', 'interpolate'}
        The value of p for a pair of grades without tests. `error`: nan, which is an error only if a
        doc pair needs this cell (`doc_matrix`). `half`: ½. `interpolate`: interpolated from other
        pairs (`interpolate`).
    strength : {'sign', 'share'}
        Whether an outcome counts by its sign or by its size (`tally_tests`).
    batches : array_like of int [topic], optional
        The batch of each topic; a matrix is estimated for each batch.
    weights : array_like [test], optional
        The number of times that each test counts, for example in a sample; by default, once.

    Raises
    ------
    ShapeError, UsageError
        As in `tally_tests`, or for an unknown option.

    References
    ----------
    pdp, Eq. 10 and 11; smoothing and untested pairs are not in the paper.
    """
    tally = tally_tests(tests, grades, levels=levels, mode=mode, strength=strength, batches=batches)
    return matrix_of_tally(
        tally,
        smoothing=smoothing,
        untested=untested,
        weights=None if weights is None else float_array(weights, name="weights", ndim=1),
    )


def matrix_of_tally(
    tally: GradeTally,
    *,
    smoothing: Smoothing = "jeffreys",
    untested: Untested = "error",
    weights: FloatArray | None = None,
    amount: float = JEFFREYS,
) -> GradeMatrix:
    """Estimate the preference probabilities between grades from counted tests.

    Parameters
    ----------
    tally : GradeTally
        The contribution of each test.
    smoothing, untested
        As in `grade_matrix`.
    weights : float array [test], optional
        The number of times that each test counts, 0 or more; by default, once.
    amount : float
        The amount that Jeffreys smoothing adds to each cell; larger amounts show the effect of
        smoothing.

    Returns
    -------
    GradeMatrix
        `tests` counts every test with a weight above 0 once.

    Raises
    ------
    ShapeError
        If there is not one weight per test, or a weight is below 0.
    """
    check_options(smoothing=smoothing, untested=untested)
    if weights is not None and (weights.shape != (tally.test_count,) or not (weights >= 0).all()):
        raise ShapeError(f"expected a weight of 0 or more for each of the {tally.test_count} tests")
    wins = tally.wins(weights)
    total = wins + wins.swapaxes(1, 2)
    added = amount if smoothing == "jeffreys" else 0.0
    tested = total > 0
    p = np.full(wins.shape, np.nan)
    np.divide(wins + added, total + 2 * added, out=p, where=tested)
    level = np.arange(len(tally.levels))
    p[:, level, level] = 0.5
    if untested == "half":
        p[np.isnan(p)] = 0.5
    elif untested == "interpolate":
        p = interpolate(p, wins)
    return GradeMatrix(
        levels=tally.levels,
        mode=tally.mode,
        p=p,
        wins=wins,
        tests=tally.test_counts(weights),
        clip=PAPER_CLIP if smoothing == "paper" else 0.0,
    )
