"""A row of `intervals.py`: how often the intervals of many repeats hold a target."""

from __future__ import annotations

import numpy as np

from qrelsmith.agreement import AgreementResult
from qrelsmith.stats.population import PopulationInterval

Row = dict[str, object]
Ends = list[PopulationInterval] | list[AgreementResult]


def coverage_row(
    part: str, world: str, topics: int, systems: int, name: str, ends: Ends, target: float
) -> Row:
    """The coverage of a target, and how the standard errors compare with what values scatter."""
    value, low, high, error = (
        np.array([float(getattr(interval, end)) for interval in ends])
        for end in ("value", "low", "high", "se")
    )
    there = ~np.isnan(low)
    held = (low <= target + 1e-9) & (target - 1e-9 <= high)
    deviation = float(np.nanstd(value))
    # Repeats are independent: z of each with the next.
    even = len(value) // 2 * 2
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (value[:even:2] - value[1:even:2]) / np.hypot(error[:even:2], error[1:even:2])
    return {
        "part": part,
        "world": world,
        "topics": topics,
        "systems": systems,
        "interval": name,
        "target": round(target, 4),
        "mean": round(float(np.nanmean(value)), 4),
        "sd": round(deviation, 4),
        "ratio": round(float(np.sqrt(np.nanmean(error**2))) / max(deviation, 1e-12), 3),
        "z": round(float(np.sqrt(np.nanmean(z**2))), 3),
        "width": round(float(np.nanmean(high - low)), 4),
        "none": int(np.count_nonzero(~there)),
        "coverage": round(float(held[there].mean()), 3),
    }
