"""Variances of many estimates, shrunken toward a common value."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special

LEAST_ESTIMATES = 4
"""Fewer variances do not show how similar they are."""


def moderated_variances(
    variances: FloatArray, scales: FloatArray, freedom: float
) -> tuple[FloatArray, float]:
    """Return moderated variances with their degrees of freedom.

    Each variance is modelled as a known scale times a factor. The factors follow a scaled inverse
    χ² distribution, whose two parameters are fitted by the moments of the logarithms. If the
    variances are similar, their degrees of freedom are added up. The more the variances differ, the
    closer the result is to the degrees of freedom of one variance.

    Parameters
    ----------
    variances : ndarray, [estimate]
        Estimated variances, above 0.
    scales : ndarray, [estimate]
        Expected variances up to a common factor, above 0.
    freedom : float
        The degrees of freedom of each variance.

    Returns
    -------
    (ndarray [estimate], float)
        The moderated variances; unchanged if there are fewer than 4.

    References
    ----------
    Smyth (2004), Linear models and empirical Bayes methods, section 6.2.
    """
    count = len(variances)
    if count < LEAST_ESTIMATES:
        return variances, freedom
    half = freedom / 2
    logs = np.log(variances / scales) - special.digamma(half) + np.log(half)
    beyond = float(logs.var(ddof=1) - special.polygamma(1, half))
    if beyond <= 0:  # no more unlike than chance makes them
        return scales * np.exp(logs.mean()), freedom * count
    prior = 2 * _inverse_trigamma(beyond)
    factor = np.exp(logs.mean() + special.digamma(prior / 2) - np.log(prior / 2))
    moderated = (prior * factor * scales + freedom * variances) / (prior + freedom)
    return np.asarray(moderated), min(prior + freedom, freedom * count)


def _inverse_trigamma(value: float) -> float:
    """Return y with trigamma(y) = value > 0, by Newton's method on 1/trigamma, which is convex."""
    y = 0.5 + 1 / value
    for _ in range(50):
        trigamma = float(special.polygamma(1, y))
        step = trigamma * (1 - trigamma / value) / float(special.polygamma(2, y))
        y += step
        if abs(step) < 1e-8 * y:
            break
    return y
