"""Decision boundaries for differences, with interim analyses, and the number of labels needed."""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special

ALPHA = 0.05
_TUNED = 300  # labels at which the boundary for any number of analyses is narrowest


def quantiles(
    degrees: FloatArray,
    *,
    labels: int,
    looks: int | None = None,
    anytime: bool = False,
    until: int | None = None,
) -> FloatArray:
    """Return the half-width of a 95% interval in units of standard errors [...].

    For one analysis, the half-width is the quantile of Student's t. For K analyses, each analysis
    has the level α/K (Bonferroni: the total error is at most α). For any number of analyses, the
    half-width is the normal mixture boundary √((1 + ρ/n) log((n + ρ)/(ρ α²))) of Robbins (1970), in
    its asymptotic form (Waudby-Smith and others 2021). This boundary is widened as Student's t
    widens a normal quantile. If any number of analyses is allowed until N labels are collected, the
    half-width is the boundary c/√(n/N) with c = 2.24. Brownian motion crosses this boundary before
    its end with probability at most α (O'Brien and Fleming 1979, Lan and DeMets 1983). In early
    analyses, the interval is wide; at N labels, the interval is only a little wider than for one
    analysis.

    Parameters
    ----------
    degrees : float array [...]
        Degrees of freedom of the variances.
    labels : int
        Number of human labels so far.
    looks : int, optional
        Maximum number of interim analyses.
    anytime : bool
        Whether analyses are allowed at any time.
    until : int, optional
        Number of labels up to which analyses are allowed at any time.
    """
    if anytime:
        tail = math.log(1 / ALPHA**2)
        rho = _TUNED / (tail + math.log(1 + tail))
        count = max(labels, 1)
        bound = math.sqrt((1 + rho / count) * math.log((count + rho) / (rho * ALPHA**2)))
        chance = float(special.ndtr(-bound))
    elif until is not None:
        end = -float(special.ndtri(ALPHA / 4))  # the reflection principle, on both sides
        chance = float(special.ndtr(-end / math.sqrt(min(max(labels, 1) / until, 1.0))))
    else:
        chance = ALPHA / (2 * (looks or 1))
    return np.asarray(-special.stdtrit(degrees, np.full(np.shape(degrees), chance)))


def labels_needed(difference: float, reach: float, labels: int) -> float:
    """Return the approximate number of labels that would decide a difference.

    Parameters
    ----------
    difference, reach : float
        The estimate, and the half-width of its interval.
    labels : int
        Number of human labels so far.

    Returns
    -------
    float
        Infinite if the estimate is 0.
    """
    return math.inf if difference == 0 else labels * (reach / difference) ** 2
