"""A sheet on which figures are drawn, in points from its top left corner.

The few shapes that figures need, coloured by role (see `palette`). A shape can have a tip: words
that a reader of the page is shown when the pointer rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.text import Text

from qrelsmith.report.lettering import has_letter, plain
from qrelsmith.report.palette import LIGHT

Align = Literal["left", "center", "right"]

# Sizes of letters in points.
NAME, SMALL, TINY = 9.0, 8.0, 7.0
HAIRLINE, THIN, STRONG = 0.5, 0.9, 1.8

# What a tip begins with in the name that matplotlib gives to a group of the drawing.
TIP = "tip:"
BACKDROP = "backdrop"

_POINTS_PER_INCH = 72.0
# Corners in units of the radius: shapes that differ when colours do not.
_SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, -1.2), (1.15, 0.85), (-1.15, 0.85)),
    ((0, 1.2), (1.15, -0.85), (-1.15, -0.85)),
    ((-1.2, 0), (0.85, -1.15), (0.85, 1.15)),
    ((1.2, 0), (-0.85, -1.15), (-0.85, 1.15)),
)
SHAPES = len(_SHAPES)


class Canvas:
    """An empty sheet.

    Parameters
    ----------
    width, height : float
        Its size in points.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = math.ceil(width)
        self.height = math.ceil(height)
        self._layer = 0
        self.figure = Figure(
            figsize=(self.width / _POINTS_PER_INCH, self.height / _POINTS_PER_INCH),
            facecolor=LIGHT["paper"],
        )
        self.figure.patch.set_gid(BACKDROP)
        self._axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self._axes.set_axis_off()
        self._axes.set_xlim(0, self.width)
        self._axes.set_ylim(self.height, 0)

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        *,
        stroke: str = "",
        opacity: float = 1.0,
        tip: str = "",
    ) -> None:
        """A rectangle with its top left corner at (x, y)."""
        self._add(
            Rectangle(
                (x, y),
                width,
                height,
                facecolor=LIGHT[fill],
                edgecolor=LIGHT[stroke] if stroke else "none",
                linewidth=HAIRLINE if stroke else 0.0,
                alpha=opacity if opacity < 1 else None,
            ),
            tip,
        )

    def area(
        self,
        xs: Sequence[float],
        lows: Sequence[float],
        highs: Sequence[float],
        fill: str,
        *,
        opacity: float,
    ) -> None:
        """The area between two lines over the same xs; what lies under it shines through."""
        corners = [*zip(xs, lows, strict=True), *reversed([*zip(xs, highs, strict=True)])]
        colours = {"facecolor": LIGHT[fill], "edgecolor": "none", "linewidth": 0.0}
        self._add(Polygon(corners, closed=True, alpha=opacity, **colours), "")

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        stroke: str,
        *,
        width: float = HAIRLINE,
        dashes: Sequence[float] | None = None,
        tip: str = "",
    ) -> None:
        """A line through points; a nan interrupts it."""
        drawn = Line2D(
            list(xs),
            list(ys),
            color=LIGHT[stroke],
            linewidth=width,
            solid_capstyle="round",
            solid_joinstyle="round",
        )
        if dashes is not None:
            drawn.set_dashes(dashes)
        self._add(drawn, tip)

    def mark(
        self, x: float, y: float, fill: str, *, shape: int = 0, radius: float = 3.2, tip: str = ""
    ) -> None:
        """A mark with its middle at (x, y), set off from what lies under it."""
        corners = _SHAPES[shape % SHAPES]
        colours = {"facecolor": LIGHT[fill], "edgecolor": LIGHT["paper"], "linewidth": 0.7}
        if corners:
            points = [(x + radius * right, y + radius * down) for right, down in corners]
            self._add(Polygon(points, closed=True, **colours), tip)
        else:
            self._add(Circle((x, y), radius, **colours), tip)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = NAME,
        fill: str = "ink",
        align: Align = "left",
        bold: bool = False,
        angle: float = 0.0,
        tip: str = "",
    ) -> None:
        """A line of text on the baseline y that begins, has its middle or ends at x."""
        text = plain(text)
        if not text.strip():
            return
        drawn = Text(
            x,
            y,
            text,
            color=LIGHT[fill],
            fontsize=size,
            fontweight="bold" if bold else "normal",
            horizontalalignment=align,
            verticalalignment="baseline",
            rotation=angle,
            rotation_mode="anchor",
            fontfamily=["DejaVu Sans", *_others_for(text)],
            parse_math=False,
        )
        self._add(drawn, tip)

    def _add(self, artist: Artist, tip: str) -> None:
        if tip:
            artist.set_gid(TIP + plain(tip))
        self._layer += 1
        artist.set_zorder(self._layer)  # what is drawn later lies on top
        self._axes.add_artist(artist)
        artist.set_clip_on(False)


def middle(y: float, size: float) -> float:
    """The baseline of a text whose letters have their middle at y."""
    return y + 0.36 * size


def reach(width: float, angle: float) -> tuple[float, float]:
    """How far a text of that width goes to the right and up when it is turned."""
    turn = math.radians(angle)
    return width * math.cos(turn), width * math.sin(turn)


def _others_for(text: str) -> list[str]:
    """Installed fonts for what DejaVu Sans cannot write."""
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
