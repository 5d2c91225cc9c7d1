"""Noise, bias and inattention of assessors, estimated from their labels of the same docs.

The fit inverts the simulator's own model. The fit measures assessors relative to each other. Errors
that all assessors share look like the truth. The assessor who agrees least with the other assessors
looks the noisiest, even an expert among crowd workers.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import NotConvergedWarning, UndefinedError, UsageError
from qrelsmith.base.scipy_parts import optimize, special

_GRID = 41  # grid values of true relevance
# The lowest and highest logit of inattention.
_LEAST, _MOST = np.log(0.001 / (1 - 0.001)), np.log(0.95 / (1 - 0.95))
_BOUNDS = ((-0.9, 0.9), (np.log(0.01), np.log(5.0)), (_LEAST, _MOST))
_START = (0.0, np.log(0.2), np.log(0.02 / (1 - 0.02)))
_EVERY = 5  # steps of the density for each step of the assessors


@dataclass(frozen=True, slots=True, eq=False)
class AssessorFit:
    """Assessors, as estimated from their labels.

    Attributes
    ----------
    noise, bias, inattention : float array [assessor]
        As in `Assessors`; the biases sum to 0.
    relevance : float array [value]
        Values of true relevance: the midpoints of equal slices of [0, 1].
    density : float array [value]
        The share of docs with each value.
    shares : float array [assessor, level]
        The expected share of each level under the fit.
    log_likelihood : float
        The natural logarithm of the likelihood of the labels.
    converged : bool
        Whether the last steps changed the log-likelihood by less than 1e-6 of its value.
    """

    noise: FloatArray
    bias: FloatArray
    inattention: FloatArray
    relevance: FloatArray
    density: FloatArray
    shares: FloatArray
    log_likelihood: float
    converged: bool


def fit_assessors(
    ratings: ArrayLike, *, levels: int, steps: int = 3000, start: AssessorFit | None = None
) -> AssessorFit:
    """Fit assessors by maximum likelihood.

    P(g | r, a) = (1 − e_a)·[Φ((c_{g+1} − r − b_a)/s_a) − Φ((c_g − r − b_a)/s_a)] + e_a/G with c_0 =
    −∞, c_g = g/G, c_G = ∞. The labels of a doc are independent given r, which may have any
    distribution on a grid. The method is an EM algorithm with Σ b_a = 0, since a shift of all
    biases is equivalent to a shift of r.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades 0 … G − 1; nan means missing.
    levels : int
        G, 2 or more.
    steps : int
        The maximum number of steps of the algorithm.
    start : AssessorFit, optional
        The initial values, such as a fit to nearly the same labels.

    Raises
    ------
    UndefinedError
        If no unit has two labels: noise cannot be distinguished from relevance then.
    UsageError
        If there are fewer than two levels, or a grade is not one of them.

    Warns
    -----
    NotConvergedWarning
        If the fit does not converge within `steps`; `converged` is then false.
    """
    codes = _codes(ratings, levels)
    check_doubles(ratings)
    patterns, counts = np.unique(codes, axis=1, return_counts=True)
    relevance = (np.arange(_GRID) + 0.5) / _GRID
    density = np.full(_GRID, 1.0 / _GRID) if start is None else start.density
    assessors = np.tile(np.array(_START), (len(codes), 1))
    if start is not None:
        assessors = np.stack(
            [start.bias, np.log(start.noise), special.logit(start.inattention)], axis=1
        )
    last, converged = -np.inf, False
    for step in range(steps):
        chances = [_chances(one, relevance, levels) for one in assessors]
        likely = np.ones((patterns.shape[1], _GRID))
        for pattern, chance in zip(patterns, chances, strict=True):
            given = pattern >= 0
            likely[given] *= chance[pattern[given]]
        total = likely @ density
        likelihood = float(counts @ np.log(total))
        if step % _EVERY == 1:
            converged = abs(likelihood - last) < 1e-6 * abs(likelihood)
            last = likelihood
            if converged:
                break
        belongs = likely * density * (counts / total)[:, None]
        density = belongs.sum(axis=0) / counts.sum()
        if step % _EVERY == 0:
            assessors = _improve(assessors, patterns, belongs, relevance, levels)
    if not converged:
        warnings.warn(
            f"the fit of the assessors did not converge in {steps} steps",
            NotConvergedWarning,
            stacklevel=2,
        )
    return AssessorFit(
        noise=np.exp(assessors[:, 1]),
        bias=assessors[:, 0],
        inattention=special.expit(assessors[:, 2]),
        relevance=relevance,
        density=density,
        shares=np.stack([chance @ density for chance in chances]),
        log_likelihood=likelihood,
        converged=converged,
    )


def check_doubles(ratings: ArrayLike) -> None:
    """Raise `UndefinedError` if no unit of ratings [assessor, unit] has two labels."""
    if not (np.count_nonzero(~np.isnan(np.asarray(ratings, dtype=float)), axis=0) > 1).any():
        raise UndefinedError(
            "no doc has labels of two assessors; expected at least one to measure the noise"
        )


def _codes(ratings: ArrayLike, levels: int) -> IntArray:
    """Return the grades as whole numbers [assessor, unit]; −1 if missing."""
    if levels < 2:
        raise UsageError(f"levels={levels!r}; expected 2 or more")
    grades = float_array(ratings, name="ratings", ndim=2)
    codes = np.where(np.isnan(grades), -1.0, grades)
    wrong = (codes != np.floor(codes)) | (codes < -1) | (codes >= levels)
    if wrong.any():
        raise UsageError(f"the grade is {codes[wrong][0]:g}; expected 0 to {levels - 1} or nan")
    return codes.astype(np.int64)


def _chances(assessor: FloatArray, relevance: FloatArray, levels: int) -> FloatArray:
    """Return P(g | r) for one assessor [level, value]."""
    bias, log_noise, odds = assessor
    bounds = np.arange(1, levels)[:, None] / levels
    below = np.zeros((levels + 1, relevance.size))
    below[1:-1] = special.ndtr((bounds - relevance - bias) / np.exp(log_noise))
    below[-1] = 1.0
    careless = special.expit(odds)
    return np.asarray((1 - careless) * np.diff(below, axis=0) + careless / levels)


def _improve(
    assessors: FloatArray,
    patterns: IntArray,
    belongs: FloatArray,
    relevance: FloatArray,
    levels: int,
) -> FloatArray:
    """Improve the estimate of each assessor by one step, given the docs' relevance."""
    steps = []
    for assessor, pattern in zip(assessors, patterns, strict=True):
        counted = np.stack([belongs[pattern == level].sum(axis=0) for level in range(levels)])

        def loss(values: FloatArray, counted: FloatArray = counted) -> float:
            return -float((counted * np.log(_chances(values, relevance, levels))).sum())

        steps.append(
            optimize.minimize(
                loss, assessor, method="L-BFGS-B", bounds=_BOUNDS, options={"maxiter": 4}
            ).x
        )
    better = np.stack(steps)
    better[:, 0] -= better[:, 0].mean()
    return np.asarray(better)
