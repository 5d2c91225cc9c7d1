"""Several line drawings in one picture, with a common scale."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.base.content import Panels
from qrelsmith.report.canvas import NAME, Canvas
from qrelsmith.report.kinds import check_lengths, kind
from qrelsmith.report.kinds.lines import heights_of, lines_on
from qrelsmith.report.lettering import shorten

_WIDTH, _TALL = 760.0, 170.0
_HEADING, _GAP = 18.0, 10.0


@kind(Panels)
def panels(drawing: Panels) -> Canvas | None:
    """Draw each drawing below its heading, all with the same y axis."""
    check_lengths(drawing, drawing.names, drawing.panels)
    heights = [value for panel in drawing.panels for value in heights_of(panel)]
    wide = (_WIDTH - _GAP * (drawing.across - 1)) / drawing.across
    drawn = [
        (name, lines_on(replace(panel, heights=heights), wide, _TALL))
        for name, panel in zip(drawing.names, drawing.panels, strict=True)
    ]
    sheets = [(name, sheet) for name, sheet in drawn if sheet is not None]
    if not sheets:
        return None
    tall = max(sheet.height for _, sheet in sheets) + _HEADING + _GAP
    canvas = Canvas(_WIDTH, tall * -(-len(sheets) // drawing.across) - _GAP)
    for place, (name, sheet) in enumerate(sheets):
        row, column = divmod(place, drawing.across)
        x, y = column * (wide + _GAP), row * tall
        canvas.text(
            x + wide / 2,
            y + 12,
            shorten(name, 0.9 * wide, NAME),
            size=NAME,
            bold=True,
            align="center",
        )
        canvas.place(sheet, x, y + _HEADING)
    return canvas
