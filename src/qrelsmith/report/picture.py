"""A figure in all its forms; each is made when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.content import Figure
from qrelsmith.report.canvas import Canvas
from qrelsmith.report.plots import draw
from qrelsmith.report.svg import svg_file, svg_part


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that is drawn.

    Attributes
    ----------
    canvas : Canvas
        What is drawn.
    title, about : str
        What the files say of the data.
    name : str
        What its ids begin with.
    """

    canvas: Canvas
    title: str
    about: str
    name: str

    @property
    def svg(self) -> bytes:
        """A file that stands alone: dark ink on white paper."""
        return svg_file(self.canvas, title=self.title, about=self.about, name=self.name)

    @property
    def inline(self) -> str:
        """An `svg` element for the page, coloured by the page's style sheet."""
        return svg_part(self.canvas, title=self.title, about=self.about, name=self.name)

    @property
    def pdf(self) -> bytes:
        """The same as PDF, with its fonts."""
        from qrelsmith.report.pdf import pdf_file

        return pdf_file(self.canvas, title=self.title, about=self.about)


def picture(figure: Figure, *, name: str, notices: Sequence[str] = ()) -> Picture:
    """Draw a figure.

    Parameters
    ----------
    figure : Figure
        What is drawn.
    name : str
        Sets the ids of the drawing apart from those of other drawings in the page.
    notices : sequence of str
        What the files say of the data besides the caption, such as that they are simulated.
    """
    about = " ".join(text for text in (figure.caption, *notices) if text)
    return Picture(draw(figure.drawing), figure.title, about, name)
