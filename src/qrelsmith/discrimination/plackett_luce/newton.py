"""The minimum of Eq. 5 of pdp, for many topics at once.

The loss is convex, so no parameter needs tuning: a damped Newton step never increases the loss, and
the damping vanishes close to the minimum.
"""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import optimize

CONVERGED = 1e-8
_AIM = 1e-12
_CELLS_AT_ONCE = 100_000  # so that blocks fit into a cache


def minimise(wins: FloatArray, *, max_iterations: int = 100) -> tuple[FloatArray, FloatArray]:
    """Return the scores s that minimise −Σ_{i≠j} w_ij · log σ(s_i − s_j).

    Newton's direction d is damped to log(1 + D)/D · d, where D = max d − min d. Over a distance u,
    the second derivative of −log σ changes by at most the factor e^|u|. This step therefore
    minimises an upper bound of the loss, needs no line search and cannot diverge. L-BFGS is used
    for topics that are not at their minimum (to `CONVERGED`) after `max_iterations`.

    Parameters
    ----------
    wins : float array [topic, doc, doc]
        Values of 0 or more, without nan; the diagonal is ignored. Every doc must be connected to
        every other doc by a path of positive cells; otherwise the minimum is at infinity.
    max_iterations : int
        The number of Newton steps before L-BFGS is used.

    Returns
    -------
    scores : float array [topic, doc]
        The scores, with mean 0 in each topic.
    gradient : float array [topic]
        The largest |∂loss/∂s_i|, divided by the doc's sum of cells; 0 at the minimum.

    References
    ----------
    pdp, Eq. 5; the damping is that of Bach (2010), Self-concordant analysis for logistic
    regression, with the pairwise range of the step as its norm.
    """
    topics, docs, _ = wins.shape
    scores = np.zeros((topics, docs))
    gradient = np.zeros(topics)
    step = max(1, _CELLS_AT_ONCE // max(1, docs * docs))
    for start in range(0, topics, step):
        part = slice(start, start + step)
        scores[part], gradient[part] = _minimise_part(wins[part], max_iterations)
    return scores, gradient


def _minimise_part(wins: FloatArray, max_iterations: int) -> tuple[FloatArray, FloatArray]:
    topics, docs, _ = wins.shape
    diagonal = np.arange(docs)
    cells = wins.copy()
    cells[:, diagonal, diagonal] = 0.0
    games = cells + cells.swapaxes(1, 2)
    won = cells.sum(axis=2)
    played = np.maximum(games.sum(axis=2), np.finfo(np.float64).tiny)
    scores = np.zeros((topics, docs))
    gradient = np.zeros(topics)
    active: IntArray = np.arange(topics)
    for left in range(max_iterations, -1, -1):
        chance = _sigmoid(scores[active])
        curvature = games * chance
        slope = curvature.sum(axis=2) - won
        gradient[active] = np.abs(slope / played).max(axis=1, initial=0.0)
        open_ = gradient[active] > _AIM
        if left == 0 or not open_.any():
            break
        if not open_.all():
            active, games, won, played = active[open_], games[open_], won[open_], played[open_]
            chance, curvature, slope = chance[open_], curvature[open_], slope[open_]
        # The loss does not change if a constant is added to all scores: without 1/docs the matrix
        # would be singular in that direction.
        curvature *= 1.0 - chance
        matrix = 1.0 / docs - curvature
        matrix[:, diagonal, diagonal] += curvature.sum(axis=2)
        try:
            direction = -np.linalg.solve(matrix, slope[..., None])[..., 0]
        except np.linalg.LinAlgError:
            break
        reach = np.ptp(direction, axis=1)
        damping = np.where(reach > 0, np.log1p(reach) / np.where(reach > 0, reach, 1.0), 1.0)
        scores[active] += damping[:, None] * direction
    for topic in np.flatnonzero(gradient > CONVERGED).tolist():
        scores[topic], gradient[topic] = _limited_memory(cells[topic], scores[topic])
    return scores - scores.mean(axis=1, keepdims=True), gradient


def _limited_memory(wins: FloatArray, start: FloatArray) -> tuple[FloatArray, float]:
    """Return the minimum for one topic by L-BFGS, starting from the result of Newton's method."""
    games = wins + wins.T
    won = wins.sum(axis=1)
    played = np.maximum(games.sum(axis=1), np.finfo(np.float64).tiny)

    def slope_at(scores: FloatArray) -> FloatArray:
        return np.asarray((games * _sigmoid(scores)).sum(axis=1) - won)

    def loss_at(scores: FloatArray) -> tuple[float, FloatArray]:
        apart = scores[:, None] - scores
        return float((wins * np.logaddexp(0.0, -apart)).sum()), slope_at(scores)

    first = np.where(np.isfinite(start), start, 0.0)
    solution = optimize.minimize(
        loss_at,
        first,
        jac=True,
        method="L-BFGS-B",
        options={"gtol": _AIM, "ftol": 0.0, "maxiter": 10_000, "maxcor": 30},
    )
    scores: FloatArray = np.asarray(solution.x, dtype=np.float64)
    return scores, float(np.abs(slope_at(scores) / played).max(initial=0.0))


def _sigmoid(scores: FloatArray) -> FloatArray:
    """Return σ(s_i − s_j) of every pair [..., doc, doc]."""
    chance: FloatArray = scores[..., None, :] - scores[..., :, None]
    with np.errstate(over="ignore"):  # 1/(1 + inf) is correctly 0
        np.exp(chance, out=chance)
    chance += 1.0
    return np.reciprocal(chance, out=chance)
