"""Dawid and Skene's model: joint estimates of true levels and of each assessor's errors.

A unit has a true level j with probability p_j, and assessor k gives it the level l with probability
π_jl^(k), independently of the other assessors. EM alternates between the probabilities of the
levels and the assessors' errors given these probabilities.

**The likelihood does not determine the meaning of the levels.** Exchanging true levels, together
with the rows of every confusion matrix, does not change the likelihood. Only the initial values,
which count votes, link the true level 2 to the level that assessors call 2. If most assessors
confuse two levels, or a level is rare, EM can lose this link: `DawidSkeneResult.doubtful_levels`
lists the levels that assessors mostly label as another level. EM finds a local maximum; other
initial values may lead to a better maximum.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import NotConvergedWarning, ShapeError, UsageError, quoted
from qrelsmith.base.scipy_parts import sparse
from qrelsmith.judgments.aggregation.order import majority
from qrelsmith.judgments.aggregation.registry import AGGREGATIONS, checked_levels, checked_ratings

STARTS = ("shares", "majority")
_TIED = 1e-9  # posteriors closer than this are equal


@dataclass(frozen=True, eq=False, slots=True)
class DawidSkeneResult:
    """Estimates of the model of Dawid and Skene.

    Attributes
    ----------
    levels : ndarray, [level]
        The levels, ascending, which are the order of every axis `level`, `true` and `given`.
    grades : ndarray, [unit]
        The most probable level; the lowest of tied levels (within 1e-9). nan without ratings.
    posterior : ndarray, [unit, level]
        T_ij, the probability of each level; nan for a unit without ratings.
    prevalence : ndarray, [level]
        p_j, the mean posterior of the rated units; nan if there are none.
    assessors : ndarray of int, [assessor]
        The assessors of the confusion matrices: row numbers, or the values of `assessors`.
    confusion : ndarray, [assessor, true, given]
        π_jl^(k); rows sum to 1. nan if the assessor rated no unit that may have that level.
    given_as : ndarray, [true, given]
        The expected number of ratings of each level for units of each true level, all assessors
        together.
    log_likelihood : float
        The log-likelihood of the ratings, without the smoothing's prior.
    iterations : int
        The number of EM steps.
    converged : bool
        Whether the last step improved the objective by less than the tolerance.
    """

    levels: FloatArray
    grades: FloatArray
    posterior: FloatArray
    prevalence: FloatArray
    assessors: IntArray
    confusion: FloatArray
    given_as: FloatArray
    log_likelihood: float
    iterations: int
    converged: bool

    @property
    def doubtful_levels(self) -> FloatArray:
        """Levels in use that assessors mostly label as another level."""
        own = np.diagonal(self.given_as)
        most = self.given_as.max(axis=1, initial=0.0)
        return np.asarray(self.levels[(most > own) & (self.prevalence > 0)])


def dawid_skene(
    ratings: ArrayLike,
    *,
    levels: ArrayLike | None = None,
    assessors: ArrayLike | None = None,
    start: str = "shares",
    smoothing: float = 0,
    tolerance: float = 1e-10,
    iterations: int = 1000,
) -> DawidSkeneResult:
    """Estimate the most probable level of each unit, and the individual errors of assessors.

    The M step is π_jl^(k) = (Σ_i T_ij n_il^(k) + s)/(Σ_l Σ_i T_ij n_il^(k) + s·L), p_j = Σ_i
    T_ij/I. The E step is T_ij ∝ p_j Π_k Π_l (π_jl^(k))^n_il^(k), in logarithms. EM stops when the
    log-likelihood (with the prior of the smoothing) grows by no more than tolerance · (1 +
    |log-likelihood|).

    Parameters
    ----------
    ratings : array_like, [row, unit]
        Grades; nan means missing.
    levels : array_like, [level], optional
        Every level of the scale, ascending; by default, the grades that occur. A level without
        ratings has prevalence 0.
    assessors : array_like of int, [row], optional
        The assessor of each row: an assessor who rated units several times has several rows, and
        one confusion matrix. By default each row is a different assessor.
    start : str
        The first T: `shares` of each level among a unit's ratings (as in Dawid and Skene), or 1 for
        the `majority` (a tie: the lowest). The latter excludes levels that are never the majority,
        and gives a worse maximum on the paper's own data.
    smoothing : float
        s, added to each cell of each confusion matrix: a Dirichlet prior with parameter 1 + s. 0 is
        maximum likelihood, as in the paper: a cell that becomes 0 stays 0. With s > 0, errors that
        an assessor never made remain possible. It also moves assessors with few ratings towards
        guessing, so much that a rare level can vanish.
    tolerance : float
        Relative growth of the objective below which EM stops.
    iterations : int
        The maximum number of EM steps.

    Returns
    -------
    DawidSkeneResult

    Warns
    -----
    NotConvergedWarning
        If EM does not converge within `iterations`.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions, or the length of `assessors` differs.
    UsageError
        If a rating is infinite or not on the scale, or an option is out of range.

    References
    ----------
    Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM
    algorithm, Applied Statistics 28(1), Eq. 2.3 to 2.5.
    """
    if start not in STARTS:
        raise UsageError(f"start={quoted(start)}; expected one of {', '.join(STARTS)}")
    if not 0 <= smoothing < np.inf:
        raise UsageError(f"smoothing={smoothing!r}; expected a finite number, 0 or more")
    if not 0 <= tolerance < np.inf:
        raise UsageError(f"tolerance={tolerance!r}; expected a finite number, 0 or more")
    if iterations < 1:
        raise UsageError(f"iterations={iterations!r}; expected 1 or more")
    grades = checked_ratings(ratings, levels)
    scale = np.unique(grades[~np.isnan(grades)]) if levels is None else checked_levels(levels)
    people, rows = _assessors(assessors, grades.shape[0])
    rated = np.asarray(~np.isnan(grades).all(axis=0))
    votes = _votes(grades[:, rated], scale, rows, people.size)
    if start == "majority":
        posterior = (majority(grades[:, rated])[:, None] == scale).astype(np.float64)
    else:
        by_level = votes @ np.tile(np.eye(scale.size), (people.size, 1))
        posterior = by_level / by_level.sum(axis=1, keepdims=True)

    objective, steps, converged = -np.inf, 0, not rated.any()
    likelihood = 0.0
    counts, prevalence = _expected_counts(votes, posterior, people.size)
    while not converged and steps < iterations:
        steps += 1
        log_confusion = _log(_normalise(counts, smoothing))
        log_posterior = _log(prevalence) + votes @ log_confusion.swapaxes(1, 2).reshape(
            -1, scale.size
        )
        top = log_posterior.max(axis=1, keepdims=True)
        weights = np.exp(log_posterior - top)
        norm = weights.sum(axis=1, keepdims=True)
        likelihood = float((top + np.log(norm)).sum())
        posterior = weights / norm
        before, objective = objective, likelihood + _log_prior(log_confusion, smoothing)
        counts, prevalence = _expected_counts(votes, posterior, people.size)
        converged = bool(objective - before <= tolerance * (1 + abs(objective)))
    if not converged:
        warnings.warn(
            f"Dawid–Skene did not converge in {steps} steps. Raise iterations or tolerance",
            NotConvergedWarning,
            stacklevel=2,
        )
    confusion = _normalise(counts, smoothing)
    return DawidSkeneResult(
        levels=scale,
        grades=_spread_rows(_most_probable(posterior, scale), rated),
        posterior=_spread_rows(posterior, rated),
        prevalence=prevalence,
        assessors=people,
        confusion=confusion,
        given_as=counts.sum(axis=0),
        log_likelihood=likelihood,
        iterations=steps,
        converged=converged,
    )


@AGGREGATIONS.add(
    "dawid-skene",
    formula="argmax_j p_j Π_k Π_l (π_jl^(k))^n_il^(k); p and π by EM",
    source="Dawid and Skene 1979",
)
def dawid_skene_grades(
    ratings: ArrayLike,
    *,
    levels: ArrayLike | None = None,
    smoothing: float = 0,
    start: str = "shares",
) -> FloatArray:
    """Return the most probable level under the model of Dawid and Skene, fitted to all units."""
    return dawid_skene(ratings, levels=levels, smoothing=smoothing, start=start).grades


def _assessors(assessors: ArrayLike | None, rows: int) -> tuple[IntArray, IntArray]:
    """Return the distinct assessors, and the index of each row's assessor."""
    who = np.arange(rows) if assessors is None else np.asarray(assessors)
    if who.shape != (rows,) or not np.issubdtype(who.dtype, np.integer):
        raise ShapeError(f"assessors must be {rows} whole numbers, one for each row of the ratings")
    people, places = np.unique(who.astype(np.int64), return_inverse=True)
    return people, places.astype(np.int64)


def _votes(grades: FloatArray, scale: FloatArray, rows: IntArray, people: int) -> sparse.csr_array:
    """Return n_il^(k): how often each assessor gave each level, [unit, assessor · level]."""
    row, unit = np.nonzero(~np.isnan(grades))
    column = rows[row] * scale.size + np.searchsorted(scale, grades[row, unit])
    shape = (grades.shape[1], people * scale.size)
    return sparse.csr_array((np.ones(unit.size), (unit, column)), shape=shape)


def _expected_counts(
    votes: sparse.csr_array, posterior: FloatArray, people: int
) -> tuple[FloatArray, FloatArray]:
    """Return Σ_i T_ij n_il^(k), [assessor, true, given], and p_j, [level] (nan without units)."""
    units, levels = posterior.shape
    counts = (votes.T @ posterior).reshape(people, levels, levels).swapaxes(1, 2)
    return counts, posterior.mean(axis=0) if units else np.full(levels, np.nan)


def _normalise(counts: FloatArray, smoothing: float) -> FloatArray:
    """Return the confusion matrices of expected counts, [assessor, true, given]; nan for 0/0."""
    smoothed = counts + smoothing
    with np.errstate(invalid="ignore"):
        return np.asarray(smoothed / smoothed.sum(axis=-1, keepdims=True))


def _log(probabilities: FloatArray) -> FloatArray:
    """Return logarithms; −inf for 0 and for nan.

    A nan is an assessor's error rate on a level that none of the assessor's units can have. With
    −inf, none of these units gets this level: the zeros of T stay zeros, as in the paper.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(probabilities > 0, np.log(probabilities), -np.inf)


def _log_prior(log_confusion: FloatArray, smoothing: float) -> float:
    return smoothing * float(log_confusion.sum()) if smoothing > 0 else 0.0


def _most_probable(posterior: FloatArray, scale: FloatArray) -> FloatArray:
    """Return the most probable level, or the lowest of tied levels, [unit]."""
    if scale.size == 0:
        return np.empty(0)
    likely = posterior >= posterior.max(axis=1, keepdims=True) - _TIED
    return np.asarray(scale[likely.argmax(axis=1)])


def _spread_rows(values: FloatArray, rated: BoolArray) -> FloatArray:
    """Return the values of the rated units, with nan for unrated units, [unit, …]."""
    spread = np.full((rated.size, *values.shape[1:]), np.nan)
    spread[rated] = values
    return spread
