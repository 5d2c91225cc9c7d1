"""Drawings of every kind."""

from __future__ import annotations

import importlib
import pkgutil

from qrelsmith.base.content import Drawing
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.report import kinds
from qrelsmith.report.canvas import SMALL, Canvas

for _found in pkgutil.iter_modules(kinds.__path__):
    importlib.import_module(f"{kinds.__name__}.{_found.name}")


def draw(drawing: Drawing) -> Canvas:
    """Draw a drawing on a sheet.

    Raises
    ------
    UsageError
        If the drawing's names and values do not match, or its kind has no drawing function.
    """
    function = kinds.DRAWERS.get(type(drawing))
    if function is None:
        known = ", ".join(sorted(kind.__name__ for kind in kinds.DRAWERS))
        raise UsageError(f"unknown drawing {quoted(type(drawing).__name__)} (choices: {known})")
    return function(drawing) or _empty()


def _empty() -> Canvas:
    """Return the text that replaces an empty figure."""
    canvas = Canvas(320, 44)
    text = "Nothing to draw: there are no values."
    canvas.text(160, 26, text, size=SMALL, fill="muted", align="center")
    return canvas
