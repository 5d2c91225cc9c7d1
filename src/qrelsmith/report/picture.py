"""A figure as it is saved, and as it stands in the page.

matplotlib writes styles that the page's content security policy forbids, names that clash when
several drawings stand in one page, and colours for white paper only. Here styles become plain
attributes, names that nothing refers to go, and for the page colours become classes.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import matplotlib
from matplotlib.figure import Figure

from qrelsmith.base import content
from qrelsmith.report.canvas import BACKDROP, TIP
from qrelsmith.report.lettering import plain
from qrelsmith.report.palette import ROLE_OF
from qrelsmith.report.plots import draw

_SVG = "http://www.w3.org/2000/svg"
_FRACTION = re.compile(r"-?\d*\.\d{3,}")
_NAMESPACE = re.compile(r"\{[^}]*\}")
_FONTS = "'Helvetica Neue', Helvetica, Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_PIXELS_PER_POINT = 96 / 72
# What each element would otherwise inherit from matplotlib's style sheet.
_ROOT_STYLE = {"stroke-linejoin": "round", "stroke-linecap": "butt"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure in all its forms.

    Attributes
    ----------
    svg : bytes
        A file that stands alone: dark ink on white paper.
    pdf : bytes
        The same as PDF, with its fonts.
    inline : str
        An `svg` element for the page, coloured by the page's style sheet.
    """

    svg: bytes
    pdf: bytes
    inline: str


def picture(figure: content.Figure, *, name: str, notices: Sequence[str] = ()) -> Picture:
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
    drawn = draw(figure.drawing)
    about = " ".join(text for text in (figure.caption, *notices) if text)
    pdf = _saved(
        drawn, "pdf", {"Title": plain(figure.title), "Subject": plain(about), "CreationDate": None}
    )
    root = _bare(_saved(drawn, "svg", {"Date": None}))
    _add_words(root, figure.title, about, name)
    width, height = (float(root.get(side, "0").removesuffix("pt")) for side in ("width", "height"))
    for side, value in (("width", width), ("height", height)):
        root.set(side, f"{value * _PIXELS_PER_POINT:.0f}")
    return Picture(svg=_alone(root), pdf=pdf, inline=_for_page(root))


def _saved(figure: Figure, form: str, metadata: dict[str, str | None]) -> bytes:
    """The bytes that matplotlib writes, without a word on when and by what."""
    out = io.BytesIO()
    nothing = {"Creator": None, "Producer": None} if form == "pdf" else {"Creator": None}
    with matplotlib.rc_context(), warnings.catch_warnings():
        # A letter that no installed font has: the SVG keeps it, the PDF shows a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rc("svg", fonttype="none", hashsalt="qrelsmith")
        matplotlib.rc("pdf", fonttype=42, compression=6)
        matplotlib.rc("path", simplify=False)
        figure.savefig(out, format=form, metadata={**metadata, **nothing})
    return out.getvalue()


def _bare(svg: bytes) -> ET.Element:
    """The drawing without style sheet, metadata, clip paths and groups of no use."""
    root = ET.fromstring(svg)  # noqa: S314 - written by us a moment ago
    _clean(root)
    for name in ("metadata", "defs"):
        for child in [child for child in root if child.tag == name]:
            root.remove(child)
    root.attrib.pop("version", None)
    root.attrib.update(_ROOT_STYLE)
    return root


def _clean(element: ET.Element) -> None:
    """Bring an element and what is in it into a plain form."""
    element.tag = _NAMESPACE.sub("", element.tag)
    element.attrib.pop("clip-path", None)
    for pair in element.attrib.pop("style", "").split(";"):
        name, colon, value = pair.partition(":")
        if colon and name.strip() != "font-family":
            element.set(name.strip(), value.strip())
    if "d" in element.attrib:
        element.set("d", _short_path(element.get("d", "")))
    if element.tag != "text":
        element.text = None
    kept = []
    for child in element:
        _clean(child)
        child.tail = None
        kept.extend(_unwrapped(child))
    element[:] = kept


def _short_path(path: str) -> str:
    """The path with two decimals and no blanks but between numbers."""
    rounded = _FRACTION.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(rounded.split()))


def _unwrapped(element: ET.Element) -> list[ET.Element]:
    """What stays of a group: nothing of an empty one, its content where it says nothing itself."""
    if element.tag != "g":
        return [element]
    name = element.attrib.pop("id", "")
    if name == BACKDROP:
        element.set("id", name)
        return [element]
    inside = list(element)
    if name.startswith(TIP):
        # The words go into the shape itself where there is one shape only.
        holder = inside[0] if len(inside) == 1 and inside[0].tag == "path" else element
        title = ET.Element("title")
        title.text = name.removeprefix(TIP)
        holder.insert(0, title)
        return [holder]
    return inside if not element.attrib else [element] if inside else []


def _add_words(root: ET.Element, title: str, about: str, name: str) -> None:
    """Title and caption, for those who cannot see the drawing."""
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    for place, (tag, text) in enumerate((("title", title), ("desc", about))):
        words = ET.Element(tag, {"id": f"{name}-{tag}"})
        words.text = plain(text)
        root.insert(place, words)


def _alone(root: ET.Element) -> bytes:
    """The drawing as a file of its own."""
    root = _copy(root)
    root.set("xmlns", _SVG)
    root.set("font-family", _FONTS)
    for element in root.iter():
        if element.get("id") == BACKDROP:
            del element.attrib["id"]
    return (_HEAD + ET.tostring(root, encoding="unicode") + "\n").encode("utf-8")


def _for_page(root: ET.Element) -> str:
    """The drawing as a part of the page, without paper, with classes for colours."""
    root = _copy(root)
    root[:] = [child for child in root if child.get("id") != BACKDROP]
    for element in root.iter():
        classes = []
        for name in ("fill", "stroke"):
            role = ROLE_OF.get(element.get(name, ""))
            if role is not None:
                classes.append(f"{name[0]}-{role}")
                del element.attrib[name]
        if classes:
            element.set("class", " ".join(classes))
    return ET.tostring(root, encoding="unicode", short_empty_elements=True)


def _copy(element: ET.Element) -> ET.Element:
    """The element with everything in it, free to change."""
    same = ET.Element(element.tag, dict(element.attrib))
    same.text, same.tail = element.text, element.tail
    same.extend(_copy(child) for child in element)
    return same
