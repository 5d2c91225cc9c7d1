"""A figure in all formats, each created on first use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.content import Figure
from qrelsmith.report.canvas import Canvas
from qrelsmith.report.plots import draw
from qrelsmith.report.svg import svg_file, svg_part


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn figure.

    Attributes
    ----------
    canvas : Canvas
        The drawing.
    title, about : str
        Title and description in the files.
    name : str
        The prefix of its ids.
    """

    canvas: Canvas
    title: str
    about: str
    name: str

    @property
    def svg(self) -> bytes:
        """The figure as a standalone SVG file, with dark ink on white paper."""
        return svg_file(self.canvas, title=self.title, about=self.about, name=self.name)

    @property
    def inline(self) -> str:
        """An `svg` element for the page, coloured by the page's style sheet."""
        return svg_part(self.canvas, title=self.title, about=self.about, name=self.name)

    @property
    def pdf(self) -> bytes:
        """The figure as PDF, with its fonts."""
        from qrelsmith.report.pdf import pdf_file

        return pdf_file(self.canvas, title=self.title, about=self.about)


def picture(figure: Figure, *, name: str, notices: Sequence[str] = ()) -> Picture:
    """Draw a figure.

    Parameters
    ----------
    figure : Figure
        The figure.
    name : str
        The prefix of the drawing's ids, unique on the page.
    notices : sequence of str
        Further notes on the data for the files, such as that they are simulated.
    """
    about = " ".join(text for text in (figure.caption, *notices) if text)
    return Picture(draw(figure.drawing), figure.title, about, name)
