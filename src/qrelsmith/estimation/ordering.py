"""The order of systems by a judge's scores, corrected for the judge's estimated bias."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from qrelsmith.base.arrays import FloatArray

_SCALES = np.geomspace(1e-3, 3.0, 12)


def corrected_scores(
    judged: FloatArray, estimate: FloatArray, noise: FloatArray, weight: FloatArray
) -> FloatArray:
    """Return the judge's scores minus the judge's estimated bias.

    The bias of system s is mean + slope · judged score + a Gaussian process over systems. The
    kernel of the process combines an independent term and the cosine of doc weights, since systems
    with the same docs have similar bias. The observations are the differences between the judge's
    scores and the estimates, with the shrunken covariance. The variances of both kernel terms are
    averaged over a grid, weighted by the restricted likelihood, because few labels do not identify
    them.

    The judge's scores must be independent of the sample. A prediction fitted to the sample has
    errors that the estimates' covariance does not include.

    Parameters
    ----------
    judged : float array [system]
        Scores by the labels of the judge.
    estimate : float array [system]
        Scores from the sample.
    noise : float array [system, part]
        The independent components of the estimates' errors.
    weight : float array [system, unit]
        The weights of the docs in the scores.

    Returns
    -------
    float array [system]
        Scores for ordering, without intervals.
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
    covariance = _shrunk_covariance(noise)
    size = max(float(observed.std()), float(np.sqrt(np.diag(covariance).mean())), 1e-9)
    covariance += 1e-9 * size**2 * np.eye(systems)
    likelihoods, biases = [], []
    for shared in (0.0, *_SCALES):
        for own in (0.0, 0.1, 0.3):
            prior = (shared * size) ** 2 * ((1 - own) * alike + own * np.eye(systems))
            likelihood, bias = _posterior(observed, design, prior, covariance)
            likelihoods.append(likelihood)
            biases.append(bias)
    return np.asarray(judged - softmax(likelihoods) @ np.array(biases))


def _shrunk_covariance(noise: FloatArray) -> FloatArray:
    """Return the covariance of error components, shrunk toward its diagonal [system, system].

    With few labels, the variance of a difference is underestimated if none of its docs is judged.
    The shrinkage is Σ var(c_ij)/Σ c_ij² over i ≠ j (Schäfer and Strimmer 2005), where var(c_ij) is
    the sum of the squared components of c_ij.
    """
    covariance = noise @ noise.T
    variance, square = noise**2 @ (noise**2).T, covariance**2
    apart = ~np.eye(len(noise), dtype=bool)
    total = float(square[apart].sum())
    share = min(1.0, float(variance[apart].sum()) / total) if total > 0 else 1.0
    return np.asarray(np.where(apart, (1.0 - share) * covariance, covariance))


def _posterior(
    observed: FloatArray, design: FloatArray, prior: FloatArray, covariance: FloatArray
) -> tuple[float, FloatArray]:
    """Return the restricted log likelihood, and the expected bias of each system."""
    total = prior + covariance
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
