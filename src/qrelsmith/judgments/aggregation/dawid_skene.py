"""Dawid and Skene's model: true levels and each assessor's errors, estimated from one another.

A unit has a true level j with probability p_j, and assessor k gives it the level l with probability
π_jl^(k), whatever the others give. EM goes back and forth between what the levels probably are and
what the assessors' errors then are.

**What the levels mean is not in the likelihood.** Renaming the true levels, and the rows of every
confusion matrix with them, changes nothing; that the true level 2 is the level that assessors call
2 comes from the start alone, which counts votes. Where most assessors confuse two levels, or one is
rare, EM can leave that meaning behind: `DawidSkeneResult.doubtful_levels` lists the levels that are
mostly called something else. EM finds a local maximum, which another start may better.
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
        The levels, ascending; they are the order of every axis `level`, `true` and `given`.
    grades : ndarray, [unit]
        The most probable level; of equally probable ones (within 1e-9) the lowest. nan: no ratings.
    posterior : ndarray, [unit, level]
        T_ij, the probability of each level; nan for a unit without ratings.
    prevalence : ndarray, [level]
        p_j, the mean posterior of the rated units; nan if there are none.
    assessors : ndarray of int, [assessor]
        Whom each confusion matrix is of: row numbers, or what the argument `assessors` held.
    confusion : ndarray, [assessor, true, given]
        π_jl^(k); rows sum to 1. nan where the assessor rated no unit that may have that level.
    given_as : ndarray, [true, given]
        How many ratings of each level units of each level are expected to have had, all assessors
        together.
    log_likelihood : float
        Of the ratings, without the smoothing's prior.
    iterations : int
        How many EM steps were made.
    converged : bool
        Whether the last step bettered the objective by less than the tolerance.
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
        """Levels in use that are called by another level's name more often than by their own."""
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
    """Return the most probable level of each unit, given assessors who err each in their own way.

    M step: π_jl^(k) = (Σ_i T_ij n_il^(k) + s)/(Σ_l Σ_i T_ij n_il^(k) + s·L), p_j = Σ_i T_ij/I;
    E step: T_ij ∝ p_j Π_k Π_l (π_jl^(k))^n_il^(k), in logarithms; until the log-likelihood (with
    the prior of the smoothing) grows by no more than tolerance · (1 + |log-likelihood|).

    Parameters
    ----------
    ratings : array_like, [row, unit]
        Grades; nan means missing.
    levels : array_like, [level], optional
        Every level of the scale, ascending; without it, the grades that occur. A level that nobody
        gave has prevalence 0.
    assessors : array_like of int, [row], optional
        Who gave each row: an assessor who rated units several times has several rows, and one
        confusion matrix. Without it each row is an assessor.
    start : str
        The first T: `shares` of each level among a unit's ratings (Dawid and Skene's own), or all
        on the `majority` (a tie: the lowest), which shuts out levels that win nowhere and leads to
        a worse maximum on the paper's own data.
    smoothing : float
        s, added to each cell of each confusion matrix: a Dirichlet prior with parameter 1 + s. 0 is
        maximum likelihood, as in the paper: a cell that becomes 0 stays 0. More keeps what an
        assessor never did from being impossible, and pulls assessors with few ratings towards
        guessing, so far that a rare level can vanish.
    tolerance : float
        Relative growth of the objective below which EM ends.
    iterations : int
        The most EM steps.

    Returns
    -------
    DawidSkeneResult

    Warns
    -----
    NotConvergedWarning
        If the steps did not suffice.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions, or `assessors` has another length.
    UsageError
        If a rating is infinite or off the scale, or an option is out of range.

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
    """Return most probable level under the model of Dawid and Skene, from all units together."""
    return dawid_skene(ratings, levels=levels, smoothing=smoothing, start=start).grades


def _assessors(assessors: ArrayLike | None, rows: int) -> tuple[IntArray, IntArray]:
    """Return the distinct assessors, and the number of each row's assessor among them."""
    who = np.arange(rows) if assessors is None else np.asarray(assessors)
    if who.shape != (rows,) or not np.issubdtype(who.dtype, np.integer):
        raise ShapeError(f"assessors must be {rows} whole numbers, one for each row of the ratings")
    people, places = np.unique(who.astype(np.int64), return_inverse=True)
    return people, places.astype(np.int64)


def _votes(grades: FloatArray, scale: FloatArray, rows: IntArray, people: int) -> sparse.csr_array:
    """n_il^(k): how often each assessor gave each level to each unit, [unit, assessor · level]."""
    row, unit = np.nonzero(~np.isnan(grades))
    column = rows[row] * scale.size + np.searchsorted(scale, grades[row, unit])
    shape = (grades.shape[1], people * scale.size)
    return sparse.csr_array((np.ones(unit.size), (unit, column)), shape=shape)


def _expected_counts(
    votes: sparse.csr_array, posterior: FloatArray, people: int
) -> tuple[FloatArray, FloatArray]:
    """Σ_i T_ij n_il^(k), [assessor, true, given], and p_j, [level] (nan without units)."""
    units, levels = posterior.shape
    counts = (votes.T @ posterior).reshape(people, levels, levels).swapaxes(1, 2)
    return counts, posterior.mean(axis=0) if units else np.full(levels, np.nan)


def _normalise(counts: FloatArray, smoothing: float) -> FloatArray:
    """Confusion matrices of expected counts, both [assessor, true, given]; nan for 0/0."""
    smoothed = counts + smoothing
    with np.errstate(invalid="ignore"):
        return np.asarray(smoothed / smoothed.sum(axis=-1, keepdims=True))


def _log(probabilities: FloatArray) -> FloatArray:
    """Logarithms; −inf of 0, and of nan.

    Nothing is known of how an assessor errs on a level that none of their units can have, and so
    none of their units comes to have it: the zeros of T stay zeros, as in the paper.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(probabilities > 0, np.log(probabilities), -np.inf)


def _log_prior(log_confusion: FloatArray, smoothing: float) -> float:
    return smoothing * float(log_confusion.sum()) if smoothing > 0 else 0.0


def _most_probable(posterior: FloatArray, scale: FloatArray) -> FloatArray:
    """Return the lowest of the most probable levels, [unit]."""
    if scale.size == 0:
        return np.empty(0)
    likely = posterior >= posterior.max(axis=1, keepdims=True) - _TIED
    return np.asarray(scale[likely.argmax(axis=1)])


def _spread_rows(values: FloatArray, rated: BoolArray) -> FloatArray:
    """Values of the rated units among nan for the others, [unit, …]."""
    spread = np.full((rated.size, *values.shape[1:]), np.nan)
    spread[rated] = values
    return spread
