"""Scoring options of all commands about rankings."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import check_scale
from qrelsmith.base.scales import Gains, Scale

OffScale = Literal["error", "missing"]


@dataclass(frozen=True, slots=True)
class Scoring:
    """Options of scoring runs.

    Attributes
    ----------
    order : str
        Ranking order of the docs of a run: one of `RUN_ORDERS`.
    gains : Gains or None
        The gain of each grade; None: the grade itself.
    scale : Scale or None
        The levels that a grade can have; None: the campaign's levels, else from 0 to the highest
        grade seen.
    off_scale : {'error', 'missing'}
        Treatment of a grade outside that scale: an error, or a missing judgment.
    condensed : bool
        Whether unjudged docs are removed from the runs first.
    gmax : float or None
        The gain of the top level, as in version 0.1.0; `scale` replaces it.
    """

    order: str = "trec"
    gains: Gains | None = None
    scale: Scale | None = None
    off_scale: OffScale = "error"
    condensed: bool = False
    gmax: float | None = None

    def __post_init__(self) -> None:
        if self.gmax is not None:
            warnings.warn(
                "gmax will be removed in the next minor version; use scale", DeprecationWarning, 5
            )
        gains, scale = self.gains, self.scale
        if gains is not None and scale is not None and scale.levels != gains.scale.levels:
            raise UsageError(
                f"the gains {gains} do not fit the scale {scale}; expected one gain for each grade"
                " above 0"
            )

    @classmethod
    def of(cls, options: Mapping[str, Any], gmax: float | None = None) -> Scoring:
        """Return the scoring options from the options of a command."""
        names = ("order", "gains", "scale", "off_scale", "condensed")
        told = {name: options[name] for name in names if name in options}
        scoring = cls(**told, gmax=gmax)
        check_scale({"off_scale": scoring.off_scale, "scale": scoring.levels})
        return scoring

    @property
    def levels(self) -> Scale | None:
        """Levels that are known without reading the grades."""
        return self.gains.scale if self.scale is None and self.gains is not None else self.scale
