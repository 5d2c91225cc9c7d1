"""The levels that ratings are on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.judgment_events import Judgments

_NOT_DISPLAYED = -2.0
_HIGHEST = 100_000  # grade up to which all whole grades below it are taken for levels


def levels_to_the_top(values: FloatArray) -> Sequence[float] | None:
    """Return levels from 0 to the highest grade where all grades are whole; None: those seen."""
    known = values[~np.isnan(values)]
    if known.size and (known == np.floor(known)).all() and known.max() <= _HIGHEST:
        return tuple(float(level) for level in range(int(known.max()) + 1))
    return None


def check_not_displayed(current: Judgments, scale: Scale, errors: str) -> None:
    """Raise `UsageError` where −2 is to be a 0 that is no level."""
    wanted = errors == "nonrelevant" and 0.0 not in scale.levels
    if wanted and (current.grade == _NOT_DISPLAYED).any():
        raise UsageError(
            f"--errors nonrelevant turns -2 into 0, but the scale {scale} has no level 0; "
            "expected a scale with 0"
        )
