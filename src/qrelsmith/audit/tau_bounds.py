"""The interval of τ in the audit, which is also defined for two identical rankings."""

from __future__ import annotations

import math

from qrelsmith.stats.tau_intervals import fieller_limits


def tau_bounds(tau: float, low: float, high: float, *, systems: int) -> tuple[float, float]:
    """Return the ends of the interval of τ.

    No interval is defined at τ = 1, although equal rankings of a few systems are weak evidence. The
    lower end is then the lower end of Fieller's interval around the next lower τ (one pair
    swapped), and the upper end is 1. The interval at τ = −1 is defined in the same way. With fewer
    than five systems, there is no interval.

    Parameters
    ----------
    tau, low, high : float
        τ and its interval; nan if undefined.
    systems : int
        Number of systems ranked.

    Examples
    --------
    >>> low, high = tau_bounds(1.0, math.nan, math.nan, systems=8)
    >>> round(low, 3), high
    (0.762, 1.0)
    """
    if not math.isnan(low) or abs(tau) != 1:
        return low, high
    one_swapped = tau * (1 - 4 / (systems * (systems - 1))) if systems > 1 else math.nan
    ends = fieller_limits(one_swapped, systems)
    return (float(ends[0]), 1.0) if tau > 0 else (-1.0, float(ends[1]))
