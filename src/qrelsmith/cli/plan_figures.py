"""The figure of a plan as a file."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing

if TYPE_CHECKING:
    from qrelsmith.base.content import Figure

PICTURES = (".svg", ".pdf")


def draw(figure: Figure, path: FilePath, *, notice: str) -> None:
    """Write a figure as SVG, or as PDF where the file is called so."""
    from qrelsmith.report.picture import picture

    drawn = picture(figure, name="plan", notices=(notice,))
    with replacing(path) as out:
        out.write(drawn.pdf if PurePath(path).suffix.lower() == ".pdf" else drawn.svg)
