"""Caps that exclude times too long to have been spent on judging."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qrelsmith.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class Caps:
    """The longest valid times, in seconds; longer times are dropped.

    Wall-clock time does not show whether an assessor is working or absent. The caps of
    ordering-gold-bronze, section 4, are 3 and 10 minutes.

    Attributes
    ----------
    judgment : float
        Cap for one judgment: TJ1D, and each interval of ATBJ.
    found : float
        Cap for finding a doc: TF1RH and TF1H.

    Raises
    ------
    UsageError
        If a cap is not above 0.
    """

    judgment: float
    found: float

    def __post_init__(self) -> None:
        for name in ("judgment", "found"):
            if not getattr(self, name) > 0:
                raise UsageError(
                    f"the cap {name} is {getattr(self, name)}; expected seconds above 0"
                )


PAPER_CAPS = Caps(judgment=180.0, found=600.0)
NO_CAPS = Caps(judgment=math.inf, found=math.inf)
