"""The order of systems from a judge's scores and a correction that is shrunk: best of both."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray

_SCALES = np.geomspace(1e-3, 3.0, 12)


def corrected_scores(
    judged: FloatArray, estimate: FloatArray, covariance: FloatArray, weight: FloatArray
) -> FloatArray:
    """The judge's scores less the judge's bias, as far as the estimates show it.

    The bias of system s is mean + slope · judged score + a Gaussian process over systems, whose
    kernel is the cosine of the weights that they give to docs (systems with the same docs are
    misjudged alike) and a part of its own; what is observed of it is judged − estimate with the
    estimates' covariance. The two variances maximise the restricted likelihood on a grid.

    Parameters
    ----------
    judged : float array [system]
        Scores by the labels of the judge.
    estimate : float array [system]
        Scores from the sample.
    covariance : float array [system, system]
        Of the estimates.
    weight : float array [system, unit]
        The weights of the docs in the scores.

    Returns
    -------
    float array [system]
        To be ordered; no interval goes with them.
    """
    systems = len(judged)
    observed = judged - estimate
    if systems < 4:
        return estimate.copy()
    length = np.sqrt((weight**2).sum(axis=1))
    length = np.where(length > 0, length, 1.0)
    alike = (weight @ weight.T) / np.outer(length, length)
    design = np.column_stack([np.ones(systems), judged - judged.mean()])
    if np.ptp(judged) == 0:
        design = design[:, :1]
    size = max(float(observed.std()), float(np.sqrt(np.diag(covariance).mean())), 1e-9)
    noise = covariance + 1e-9 * size**2 * np.eye(systems)
    best, corrected = -np.inf, estimate
    for shared in (0.0, *_SCALES):
        for own in (0.0, 0.1, 0.3):
            prior = (shared * size) ** 2 * ((1 - own) * alike + own * np.eye(systems))
            likelihood, bias = _posterior(observed, design, prior, noise)
            if likelihood > best:
                best, corrected = likelihood, judged - bias
    return np.asarray(corrected)


def _posterior(
    observed: FloatArray, design: FloatArray, prior: FloatArray, noise: FloatArray
) -> tuple[float, FloatArray]:
    """The restricted log likelihood, and the expected bias of each system."""
    total = prior + noise
    factor = np.linalg.cholesky(total)
    inverse = np.linalg.inv(factor)
    white, plain = inverse @ design, inverse @ observed
    curve = white.T @ white
    line = np.linalg.solve(curve, white.T @ plain)
    left = plain - white @ line
    likelihood = -np.log(np.diag(factor)).sum() - 0.5 * np.linalg.slogdet(curve)[1]
    likelihood -= 0.5 * float(left @ left)
    bias = design @ line + prior @ (inverse.T @ left)
    return float(likelihood), np.asarray(bias)
