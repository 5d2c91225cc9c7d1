"""A sheet as SVG: a file on white paper, or a part of a page with the page's colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby

from markupsafe import escape

from qrelsmith.report.canvas import Canvas, Disc, Shape, Stroke, Surface, Words
from qrelsmith.report.lettering import plain
from qrelsmith.report.palette import LIGHT

_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_FONTS = "'Helvetica Neue', Helvetica, Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"
_PIXELS_PER_POINT = 96 / 72
_ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}

# A function from the roles of fill and stroke (empty for none) to the attributes for colours.
_Colours = Callable[[str, str], str]


def svg_file(canvas: Canvas, *, title: str, about: str, name: str) -> bytes:
    """Return the drawing as a standalone file: dark ink on white paper.

    Parameters
    ----------
    canvas : Canvas
        The drawing.
    title, about : str
        Title and caption, for people who cannot see the drawing.
    name : str
        The prefix of its ids.
    """
    root = f' xmlns="http://www.w3.org/2000/svg" font-family="{_FONTS}"'
    corners = ((0.0, 0.0), (canvas.width, 0.0), (canvas.width, canvas.height), (0.0, canvas.height))
    paper = _shape_markup(Surface(corners, "paper"), _plain_colours)
    return (_HEAD + _svg(canvas, root, paper, _plain_colours, title, about, name)).encode()


def svg_part(canvas: Canvas, *, title: str, about: str, name: str) -> str:
    """Return the drawing as part of a page, without paper, with CSS classes instead of colours.

    Parameters
    ----------
    canvas, title, about
        See `svg_file`.
    name : str
        The prefix of its ids, unique on the page.
    """
    return _svg(canvas, "", "", _classes, title, about, name)


def _svg(
    canvas: Canvas, root: str, paper: str, colours: _Colours, title: str, about: str, name: str
) -> str:
    width, height = canvas.width, canvas.height
    pixels = [f"{side * _PIXELS_PER_POINT:.0f}" for side in (width, height)]
    shapes = "".join(
        _run_markup(list(run), colours) for _, run in groupby(canvas.shapes, key=_look)
    )
    return (
        f'<svg{root} width="{pixels[0]}" height="{pixels[1]}" viewBox="0 0 {width} {height}"'
        f' stroke-linejoin="round" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(plain(title))}</title>'
        f'<desc id="{name}-desc">{escape(plain(about))}</desc>{paper}{shapes}</svg>\n'
    )


def _plain_colours(fill: str, stroke: str) -> str:
    """Return the colours of the light scheme."""
    text = f' fill="{LIGHT[fill]}"' if fill else ' fill="none"'
    return text + (f' stroke="{LIGHT[stroke]}"' if stroke else "")


def _classes(fill: str, stroke: str) -> str:
    """Return classes of the page's style sheet (see `palette`)."""
    names = [f"{kind}-{role}" for kind, role in (("f", fill), ("s", stroke)) if role]
    return f' class="{" ".join(names)}"' + ("" if fill else ' fill="none"')


def _look(shape: Shape) -> Hashable:
    """Return a key of a shape's style; neighbouring shapes with the same key are merged."""
    if isinstance(shape, Surface) and not shape.tip and shape.opacity == 1:
        return shape.fill, shape.stroke, shape.width
    if isinstance(shape, Words) and not shape.tip and not shape.angle:
        return shape.size, shape.fill, shape.align, shape.bold
    return id(shape)


def _run_markup(run: Sequence[Shape], colours: _Colours) -> str:
    """Return the markup of shapes with one style: one path for surfaces, or one group for texts."""
    first = run[0]
    if len(run) > 1 and isinstance(first, Surface):
        path = "z".join(
            "".join(_lines(shape.points)) for shape in run if isinstance(shape, Surface)
        )
        return _element("path", f' d="{path}z"{_rim(first)}{colours(first.fill, first.stroke)}', "")
    if len(run) > 1 and isinstance(first, Words):
        words = "".join(
            f'<text x="{_number(each.x)}" y="{_number(each.y)}">{escape(each.text)}</text>'
            for each in run
            if isinstance(each, Words)
        )
        return f"<g{_letters(first, colours)}>{words}</g>"
    return "".join(_shape_markup(shape, colours) for shape in run)


def _shape_markup(shape: Shape, colours: _Colours) -> str:
    if isinstance(shape, Words):
        return _words(shape, colours)
    if isinstance(shape, Stroke):
        look = f' stroke-width="{shape.width:g}" stroke-linecap="round"'
        if shape.dashes:
            # Dash lengths are in units of the line width, as in the PDF.
            dashes = " ".join(_number(dash * shape.width) for dash in shape.dashes)
            look = f' stroke-width="{shape.width:g}" stroke-dasharray="{dashes}"'
        path = "".join(_lines(shape.points))
        return _element("path", f' d="{path}"{look}{colours("", shape.stroke)}', shape.tip)
    if isinstance(shape, Disc):
        place = f' cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
        rim = f' stroke-width="{shape.width:g}"'
        return _element("circle", place + rim + colours(shape.fill, "paper"), shape.tip)
    path = "".join(_lines(shape.points))
    look = _rim(shape) + (f' fill-opacity="{shape.opacity:g}"' if shape.opacity < 1 else "")
    return _element("path", f' d="{path}z"{look}{colours(shape.fill, shape.stroke)}', shape.tip)


def _rim(shape: Surface) -> str:
    return f' stroke-width="{shape.width:g}"' if shape.stroke else ""


def _words(words: Words, colours: _Colours) -> str:
    x, y = _number(words.x), _number(words.y)
    turned = f' transform="rotate({-words.angle:g} {x} {y})"' if words.angle else ""
    tip = f"<title>{escape(words.tip)}</title>" if words.tip else ""
    look = _letters(words, colours)
    return f'<text x="{x}" y="{y}"{turned}{look}>{tip}{escape(words.text)}</text>'


def _letters(words: Words, colours: _Colours) -> str:
    bold = ' font-weight="bold"' if words.bold else ""
    size = f' font-size="{words.size:g}"{_ANCHORS[words.align]}'
    return f"{size}{bold}{colours(words.fill, '')}"


def _element(tag: str, attributes: str, tip: str) -> str:
    if not tip:
        return f"<{tag}{attributes}/>"
    return f"<{tag}{attributes}><title>{escape(tip)}</title></{tag}>"


def _lines(points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Yield the points as a path, interrupted at points that are not finite."""
    before: tuple[str, str] | None = None
    for x, y in points:
        if not (math.isfinite(x) and math.isfinite(y)):
            before = None
            continue
        across, down = _number(x), _number(y)
        if before is None:
            yield f"M{across} {down}"
        elif before[1] == down:
            yield f"H{across}"
        elif before[0] == across:
            yield f"V{down}"
        else:
            yield f"L{across} {down}"
        before = across, down


def _number(value: float) -> str:
    """Format a length with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
