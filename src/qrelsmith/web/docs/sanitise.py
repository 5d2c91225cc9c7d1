"""The second layer over untrusted HTML: nh3 takes out what acts, and leaves every visible word.

The first layer is the response's own Content-Security-Policy and the frame's sandbox.
"""

from __future__ import annotations

import re

import nh3

from qrelsmith.web.docs.pictures import (
    drop_harmful_styles,
    is_harmless_picture,
    is_harmless_style,
)

# Elements whose content a browser without scripts never shows, or which show another page instead.
_DROPPED = {
    "annotation", "annotation-xml", "audio", "desc", "embed", "frame", "frameset", "head", "iframe",
    "metadata", "noembed", "noframes", "script", "template", "title", "video",
}  # fmt: skip
_HTML = {
    "address", "article", "aside", "big", "body", "button", "canvas", "caption", "col", "colgroup",
    "datalist", "dd", "details", "dialog", "dir", "dl", "dt", "fieldset", "figcaption", "figure",
    "font", "footer", "form", "header", "html", "input", "label", "legend", "main", "mark", "menu",
    "meter", "nav", "nobr", "optgroup", "option", "output", "picture", "progress", "search",
    "section", "select", "style", "summary", "textarea", "tfoot", "u",
}  # fmt: skip
_SVG = {
    "circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", "svg", "text", "tspan",
}  # fmt: skip
_MATHML = {
    "math", "menclose", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
}  # fmt: skip
_TAGS = ((set(nh3.ALLOWED_TAGS) - {"area", "map"}) | _HTML | _SVG | _MATHML) - _DROPPED
_ATTRIBUTES = {
    "*": {
        "align", "bgcolor", "class", "color", "dir", "hidden", "id", "lang", "style", "title",
        "valign",
    },
    "a": {"name"},
    "canvas": {"width", "height"},
    "circle": {"cx", "cy", "r", "fill", "stroke", "transform"},
    "col": {"span", "width"},
    "colgroup": {"span", "width"},
    "details": {"open"},
    "dialog": {"open"},
    "ellipse": {"cx", "cy", "rx", "ry", "fill", "stroke", "transform"},
    "font": {"face", "size"},
    "g": {"fill", "stroke", "transform"},
    "img": {"src", "alt", "width", "height"},
    "input": {"type", "value", "placeholder", "checked", "size"},
    "li": {"value"},
    "line": {"x1", "x2", "y1", "y2", "stroke", "stroke-width", "transform"},
    "math": {"display"},
    "meter": {"min", "max", "low", "high", "optimum", "value"},
    "ol": {"start", "type", "reversed"},
    "optgroup": {"label"},
    "option": {"selected", "label"},
    "path": {"d", "fill", "stroke", "stroke-width", "transform"},
    "polygon": {"points", "fill", "stroke", "transform"},
    "polyline": {"points", "fill", "stroke", "transform"},
    "progress": {"max", "value"},
    "rect": {"x", "y", "width", "height", "rx", "ry", "fill", "stroke", "transform"},
    "select": {"multiple", "size"},
    "svg": {"width", "height", "viewBox", "fill", "stroke", "preserveAspectRatio"},
    "table": {"border", "cellpadding", "cellspacing", "width"},
    "td": {"colspan", "rowspan", "width", "height", "nowrap"},
    "text": {
        "x", "y", "dx", "dy", "fill", "font-family", "font-size", "font-weight", "text-anchor",
        "transform",
    },
    "textarea": {"rows", "cols", "placeholder"},
    "th": {"colspan", "rowspan", "width", "height", "nowrap", "scope"},
    "tspan": {"x", "y", "dx", "dy", "fill", "font-size", "font-weight"},
}  # fmt: skip
#: How the names begin by which the app finds its own places in a doc.
OWN = "qrelsmith-"
# What a click could move the focus to; the Tab key passes them by.
_SET = {tag: {"tabindex": "-1"} for tag in ("button", "input", "select", "textarea", "summary")}
# Scripts do not run, so what stands for them is shown; nh3's parser would take it for text.
_NOSCRIPT = re.compile(r"<(/?)noscript(?=[\s/>])", re.IGNORECASE)


def sanitise_html(html: str) -> str:
    """The HTML without scripts, frames, addresses and handlers."""
    clean = nh3.clean(
        _NOSCRIPT.sub(r"<\1div", html),
        tags=_TAGS,
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        attribute_filter=_safe_value,
        set_tag_attribute_values=_SET,
        link_rel=None,
        url_schemes={"data"},
    )
    return drop_harmful_styles(clean)


def _safe_value(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute; None drops it. Only pictures inside the doc itself are kept."""
    if tag == "img" and name == "src":
        return value if is_harmless_picture(value) else None
    if name == "style" and not is_harmless_style(value):
        return None
    # What marks places and words is the app's own: a doc that uses its names would mislead.
    if name in ("id", "name") and value.strip().lower().startswith(OWN):
        return None
    if name == "class" and OWN in value.lower():
        return " ".join(each for each in value.split() if not each.lower().startswith(OWN))
    if tag == "input" and name == "type" and value.lower() in ("password", "file", "image"):
        return None
    return value
