"""When a difference counts as decided, looked at once or often, and how many labels would do."""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special

ALPHA = 0.05
_TUNED = 300  # labels at which the boundary for any number of looks is nearest


def quantiles(
    degrees: FloatArray,
    *,
    labels: int,
    looks: int | None = None,
    anytime: bool = False,
    until: int | None = None,
) -> FloatArray:
    """Return how many standard errors a 95 % interval reaches to either side [...].

    Student's t; for K looks at the level α/K each (Bonferroni: wrong at any look at most α); for
    any number of looks the normal mixture boundary √((1 + ρ/n) log((n + ρ)/(ρ α²))) of Robbins
    (1970), in its asymptotic form (Waudby-Smith and others 2021), widened as t is; for any number
    of looks until N labels are there the boundary c/√(n/N) with c = 2.24, which Brownian motion
    crosses anywhere before its end with at most α (O'Brien and Fleming 1979, Lan and DeMets 1983):
    wide early, and little wider than for one look at the end.

    Parameters
    ----------
    degrees : float array [...]
        Degrees of freedom of the variances.
    labels : int
        People's labels so far, the clock of the boundary for any number of looks.
    looks : int, optional
        How often one looks at most.
    anytime : bool
        Whether one may look whenever one likes.
    until : int, optional
        The labels up to which one may look whenever one likes.
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
    """About how many labels would decide a difference: its interval shrinks with their root.

    Parameters
    ----------
    difference, reach : float
        As estimated, and how far its interval reaches to either side.
    labels : int
        People's labels so far.

    Returns
    -------
    float
        Infinite where the estimate is 0.
    """
    return math.inf if difference == 0 else labels * (reach / difference) ** 2
