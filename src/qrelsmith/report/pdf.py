"""A sheet as PDF, drawn by matplotlib, which no other drawing code needs."""

from __future__ import annotations

import io
import warnings

import matplotlib
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon
from matplotlib.text import Text

from qrelsmith.report.canvas import Canvas, Disc, Shape, Stroke, Surface, Words
from qrelsmith.report.lettering import has_letter, plain
from qrelsmith.report.palette import LIGHT

_POINTS_PER_INCH = 72.0


def pdf_file(canvas: Canvas, *, title: str, about: str) -> bytes:
    """Return the drawing as PDF with its fonts, on white paper, without date or producer metadata.

    The user's matplotlib settings and pyplot's settings have no effect.

    Parameters
    ----------
    canvas : Canvas
        The drawing.
    title, about : str
        Title and description in the metadata.
    """
    out = io.BytesIO()
    metadata = {"Title": plain(title), "Subject": plain(about)}
    nothing = dict.fromkeys(("Creator", "Producer", "CreationDate"))
    with matplotlib.rc_context(), warnings.catch_warnings():
        # A character that is missing in all installed fonts is shown as a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rc("pdf", fonttype=42, compression=6)
        matplotlib.rc("path", simplify=False)
        _figure(canvas).savefig(out, format="pdf", metadata={**metadata, **nothing})
    return out.getvalue()


def _figure(canvas: Canvas) -> Figure:
    size = (canvas.width / _POINTS_PER_INCH, canvas.height / _POINTS_PER_INCH)
    figure = Figure(figsize=size, facecolor=LIGHT["paper"])
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, canvas.width)
    axes.set_ylim(canvas.height, 0)
    for layer, shape in enumerate(canvas.shapes):
        artist = _artist(shape)
        artist.set_zorder(layer)  # later shapes cover earlier ones
        axes.add_artist(artist)
        artist.set_clip_on(False)
    return figure


def _artist(shape: Shape) -> Artist:
    if isinstance(shape, Words):
        return _text(shape)
    if isinstance(shape, Stroke):
        return _line(shape)
    if isinstance(shape, Disc):
        colours = {"facecolor": LIGHT[shape.fill], "edgecolor": LIGHT["paper"]}
        return Circle((shape.x, shape.y), shape.radius, linewidth=shape.width, **colours)
    return _polygon(shape)


def _polygon(surface: Surface) -> Polygon:
    return Polygon(
        list(surface.points),
        closed=True,
        facecolor=LIGHT[surface.fill],
        edgecolor=LIGHT[surface.stroke] if surface.stroke else "none",
        linewidth=surface.width,
        alpha=surface.opacity if surface.opacity < 1 else None,
    )


def _line(stroke: Stroke) -> Line2D:
    drawn = Line2D(
        [x for x, _ in stroke.points],
        [y for _, y in stroke.points],
        color=LIGHT[stroke.stroke],
        linewidth=stroke.width,
        solid_capstyle="round",
        solid_joinstyle="round",
    )
    if stroke.dashes:
        drawn.set_dashes(stroke.dashes)
    return drawn


def _text(words: Words) -> Text:
    return Text(
        words.x,
        words.y,
        words.text,
        color=LIGHT[words.fill],
        fontsize=words.size,
        fontweight="bold" if words.bold else "normal",
        horizontalalignment=words.align,
        verticalalignment="baseline",
        rotation=words.angle,
        rotation_mode="anchor",
        fontfamily=["DejaVu Sans", *_others_for(words.text)],
        parse_math=False,
    )


def _others_for(text: str) -> list[str]:
    """Return installed fonts for characters that DejaVu Sans lacks."""
    if all(has_letter(letter) for letter in text):
        return []
    from matplotlib.font_manager import fontManager

    known = set(fontManager.get_font_names())
    return [name for name in _FALLBACKS if name in known]


_FALLBACKS = (
    "Noto Sans CJK JP",
    "Noto Sans",
    "Noto Emoji",
    "Hiragino Sans",
    "Yu Gothic",
    "MS Gothic",
    "PingFang SC",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
)
