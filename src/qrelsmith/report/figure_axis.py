"""The axis for the values of a scorecard question, and the text of a value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from qrelsmith.base.content import ScorecardCell
from qrelsmith.base.figure_text import number, percent, short
from qrelsmith.report.names import stem

# Length of the axis for a cell's interval, and of its margins.
_LONG, _MARGIN = 160.0, 5.0


@dataclass(frozen=True, slots=True)
class FigureAxis:
    """The axis for the values of a scorecard question, in percent if the values are shares."""

    low: float
    high: float
    values: Sequence[float]
    is_share: bool

    @classmethod
    def over(cls, cells: Sequence[ScorecardCell]) -> FigureAxis:
        """Return an axis that includes all values and the range 0 to 1, or 0 to .2 for shares."""
        is_share = any(cell.unit != 1 for cell in cells)
        values = [cell.value / cell.unit for cell in cells if math.isfinite(cell.value)]
        ends = [
            end / cell.unit for cell in cells for end in (cell.low, cell.high) if math.isfinite(end)
        ]
        low = min([0.0, *values, *ends])
        return cls(low, max([0.2 if is_share else 1.0, *values, *ends]), values, is_share)

    def text(self, cell: ScorecardCell, decimals: int) -> str:
        """Return the value of a cell as text, with its interval."""
        if not math.isfinite(cell.value):
            return ""
        has_interval = math.isfinite(cell.low + cell.high)
        if cell.value.is_integer() and not has_interval:
            return number(cell.value, 0)
        ends = (cell.value, cell.low, cell.high) if has_interval else (cell.value,)
        texts = [
            percent(end / cell.unit, decimals - 2) if self.is_share else short(end, decimals)
            for end in ends
        ]
        return f"{texts[0]} [{texts[1]}, {texts[2]}]" if has_interval else texts[0]

    def at(self, value: float) -> float:
        """Return the position of a value on the axis."""
        share = (value - self.low) / (self.high - self.low)
        return _MARGIN + share * (_LONG - 2 * _MARGIN)

    @property
    def dots(self) -> Markup:
        """The values of all label sets."""
        marks = "".join(
            f'<circle cx="{self.at(value):.1f}" cy="8" r="1.6"/>' for value in self.values
        )
        return Markup(f'<path class="rail" d="M{_MARGIN:g} 8H{_LONG - _MARGIN:g}"/>{marks}')  # noqa: S704 - numbers

    def strip(self, cell: ScorecardCell) -> Markup:
        """Draw the value of a cell with its interval, among the values of all cells."""
        value, low, high = (end / cell.unit for end in (cell.value, cell.low, cell.high))
        bar = ""
        if math.isfinite(low) and math.isfinite(high):
            bar = f'<path class="bar" d="M{self.at(low):.1f} 8H{self.at(high):.1f}"/>'
        return Markup(  # noqa: S704 - numbers and a stem
            f'<svg class="strip" viewBox="0 0 {_LONG:g} 16" aria-hidden="true">'
            f'<use href="#dots-{stem(cell.question)}"/>{bar}'
            f'<circle class="here" cx="{self.at(value):.1f}" cy="8" r="4"/></svg>'
        )
