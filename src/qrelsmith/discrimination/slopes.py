"""The derivatives of PDP with respect to the preference probability of two docs."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.discrimination.plackett_luce import PlackettLuce, entropy, fit_scores

_STEP = 1e-4


def pdp_slopes(preferences: FloatArray) -> FloatArray:
    """Return the derivatives of each topic's PDP by the topic's preference probabilities.

    At the optimum of Eq. 5, the scores satisfy Σ_j σ(s_i − s_j) = Σ_j p_ij. Increasing p_ij and
    decreasing p_ji therefore moves the scores by J⁺(e_i − e_j), where J is the Laplacian of σ(1 −
    σ). The change in PDP is x_i − x_j with x = J⁺∇PDP(s).

    Parameters
    ----------
    preferences : float array [topic, doc, doc]
        p(doc of the row > doc of the column), strictly between 0 and 1, so that the scores are
        finite; the diagonal of an absent doc is nan.

    Returns
    -------
    float array [topic, doc, doc]
        The increase of PDP if p of the cell rises and p of the opposite cell falls; 0 for an absent
        doc.
    """
    scores = fit_scores(preferences).scores
    absent = np.isnan(scores)
    docs = scores.shape[1]
    gradient = np.zeros_like(scores)
    for doc in range(docs):
        moved = np.zeros(docs)
        moved[doc] = _STEP
        above, below = (
            entropy(PlackettLuce.from_scores(scores + step)).value for step in (moved, -moved)
        )
        gradient[:, doc] = (above - below) / (2 * _STEP)
    gradient[absent] = 0.0
    chance = special.expit(scores[:, :, None] - scores[:, None, :])
    curvature = np.where(np.isnan(chance), 0.0, chance * (1.0 - chance))
    places = np.arange(docs)
    curvature[:, places, places] = 0.0
    # Without 1/docs in each cell, the matrix would be singular in the direction without change.
    laplacian = 1.0 / docs - curvature
    laplacian[:, places, places] += curvature.sum(axis=2) + absent
    moves = np.linalg.solve(laplacian, gradient[..., None])[..., 0]
    slopes = moves[:, :, None] - moves[:, None, :]
    return np.where(absent[:, :, None] | absent[:, None, :], 0.0, slopes)
