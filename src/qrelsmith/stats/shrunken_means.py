"""System means without the variance due to the choice of topics."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.inputs import finite

_NOTHING = 1e-12  # of the largest eigenvalue: what is below it is rounding


def shrunken_means(scores: ArrayLike) -> FloatArray:
    """Return system means shrunken to the variance of the true means.

    Means over T topics vary more than the true means, because of the choice of topics. Resampling
    topics around the plain means would add this variance twice, so rankings would look too
    uncertain. The shrunken means correct for this variance.

    Parameters
    ----------
    scores : array_like, shape (k, topics, systems)
        Scores of the same systems on the same topics, by k label sets or measures.

    Returns
    -------
    float array, shape (k, systems)
        The means, moved towards their mean over systems; unmoved for fewer than two topics or
        systems.

    Raises
    ------
    ShapeError
        If a score is nan or infinite.

    Notes
    -----
    With C [k, k] the covariance of the means between systems, and N = E/T what topics add to it (E
    the residual covariance of the two-way analysis of variance, (T−1)(S−1) degrees of freedom), the
    centred means c become L·c with L = C^{−½}(C^{½} P C^{½})^{½} C^{−½}: of the maps that give them
    the covariance P, which is C − N without its negative part, the one that moves them least. For
    k = 1 that is c·√(1 − N/C) (Louis 1984, "Estimating a population of parameter values using Bayes
    and empirical Bayes methods").
    """
    array = finite(scores, name="scores", axes=("label set", "topic", "system"), ndim=3)
    _, topics, systems = array.shape
    means = array.mean(axis=1)
    if topics < 2 or systems < 2:
        return np.asarray(means)
    middle = means.mean(axis=1, keepdims=True)
    centred = means - middle
    residual = array - array.mean(axis=2, keepdims=True) - centred[:, None, :]
    total = centred @ centred.T / (systems - 1)
    flat = residual.reshape(len(array), -1)
    noise = flat @ flat.T / ((topics - 1) * (systems - 1) * topics)
    # Label sets whose scores differ in size weigh alike.
    size = np.sqrt(np.diag(total))
    unit = np.where(size > 0, size, 1.0)
    scale = np.outer(unit, unit)
    true = _power(total / scale - noise / scale, 1.0)
    half, inverse = _power(total / scale, 0.5), _power(total / scale, -0.5)
    move = inverse @ _power(half @ true @ half, 0.5) @ inverse
    return np.asarray(middle + unit[:, None] * (move @ (centred / unit[:, None])))


def _power(matrix: FloatArray, power: float) -> FloatArray:
    """Return a power of a symmetric matrix; eigenvalues that are not positive are left out."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    kept = values > _NOTHING * max(float(values.max()), 0.0)
    raised = np.where(kept, np.where(kept, values, 1.0) ** power, 0.0)
    return np.asarray((vectors * raised) @ vectors.T)
