"""The levels of ratings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.judgment_events import Judgments

_NOT_DISPLAYED = -2.0
_HIGHEST = 100_000  # up to this highest grade, all whole numbers from 0 are assumed to be levels


def levels_to_the_top(values: FloatArray) -> Sequence[float] | None:
    """Return the levels from 0 to the highest grade if all grades are whole, otherwise None."""
    known = values[~np.isnan(values)]
    if known.size and (known == np.floor(known)).all() and known.max() <= _HIGHEST:
        return tuple(float(level) for level in range(int(known.max()) + 1))
    return None


def check_not_displayed(current: Judgments, scale: Scale, errors: str) -> None:
    """Raise `UsageError` if −2 should count as 0 but 0 is not a level."""
    wanted = errors == "nonrelevant" and 0.0 not in scale.levels
    if wanted and (current.grade == _NOT_DISPLAYED).any():
        raise UsageError(
            f"--errors nonrelevant turns -2 into 0, but the scale {scale} has no level 0; "
            "expected a scale with 0"
        )
