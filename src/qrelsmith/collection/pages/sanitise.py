"""The second layer of protection against untrusted HTML: nh3 removes active content only.

The first layer is the response's own Content-Security-Policy and the sandbox of the iframe.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from qrelsmith.base.optional import optional_package
from qrelsmith.collection.pages.pictures import (
    drop_harmful_styles,
    is_harmless_picture,
    is_harmless_style,
)

nh3 = optional_package("nh3", extra="models", purpose="docs in HTML")
# Elements whose content browsers without scripts never show, or which show another page instead.
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
_WORDLESS = {"foreignobject", "malignmark", "mglyph", "switch", "textpath"}
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
#: The prefix of names that the app gives to places in a doc.
OWN = "qrelsmith-"
# Elements that a click could focus; the Tab key skips them.
_SET = {tag: {"tabindex": "-1"} for tag in ("button", "input", "select", "textarea", "summary")}
# Elements of SVG and MathML lose their words inside the other language or plain HTML: nh3 removes
# content that a browser might parse in two ways.
_FOREIGN = re.compile(
    rf"</?(?:{'|'.join(sorted(_SVG | _MATHML | _WORDLESS))})(?=[\s/>])"
    r"""(?>[^>"']+|"[^"]*"|'[^']*')*+>""",
    re.IGNORECASE,
)
# Scripts do not run, so their replacement is shown; nh3's parser would treat it as text.
_NOSCRIPT = re.compile(r"<(/?)noscript(?=[\s/>])", re.IGNORECASE)


# Declarations by which a page's own styles hide words or change their letters.
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility"
    r"|text-transform|font-variant|first-letter|text-security|font-size\s*:\s*0|opacity\s*:\s*0"
    r"|font\s*:\s*0|text-indent\s*:\s*-|clip(?:-path)?\s*:|color\s*:\s*transparent",
    re.IGNORECASE,
)


def may_hide_words(html: str) -> bool:
    """Return whether a page's styles may hide or change words that its text contains."""
    plain = re.sub(r"/\*.*?\*/", "", html, flags=re.DOTALL)
    has_escapes = "\\" in plain and "style" in plain.lower()
    return has_escapes or _HIDING.search(unescape(plain)) is not None


def sanitise_prose(html: str) -> str:
    """Sanitise an organiser's text for the app's own pages; links open in a new tab."""
    return str(
        nh3.clean(
            html,
            attributes={"a": {"href"}, "ol": {"start"}},
            set_tag_attribute_values={"a": {"target": "_blank"}},
            link_rel="noopener noreferrer",
            url_schemes={"http", "https", "mailto"},
        )
    )


def sanitise_html(html: str) -> str:
    """Return the HTML without scripts, frames, event handlers and URLs; embedded pictures are kept.

    A drawing or formula that would lose its words is replaced by these words.
    """
    clean = _sanitise(html)
    if _FOREIGN.search(html):
        plain = _sanitise(_FOREIGN.sub(" ", html))
        if _count_shown(plain) > _count_shown(clean):
            return plain
    return clean


def _sanitise(html: str) -> str:
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


class _Length(HTMLParser):
    """A counter of the characters that a browser shows; in a drawing, only text elements count."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.length = 0
        self._open = dict.fromkeys(("svg", "text", "style"), 0)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Note the start of a drawing, or of a text or style element."""
        if tag in self._open:
            self._open[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a drawing, or of a text or style element."""
        if tag in self._open:
            self._open[tag] -= 1

    def handle_data(self, data: str) -> None:
        """Count non-blank characters."""
        if not self._open["style"] and (self._open["text"] or not self._open["svg"]):
            self.length += sum(map(len, data.split()))


def _count_shown(clean: str) -> int:
    reader = _Length()
    reader.feed(clean)
    reader.close()
    return reader.length


def _safe_value(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute, or None to drop it; only pictures in the doc are kept."""
    if tag == "img" and name == "src":
        return value if is_harmless_picture(value) else None
    if name == "style" and not is_harmless_style(value):
        return None
    # The app marks places and words with these names: a doc that uses them could mislead users.
    if name in ("id", "name") and value.strip().lower().startswith(OWN):
        return None
    if name == "class" and OWN in value.lower():
        return " ".join(each for each in value.split() if not each.lower().startswith(OWN))
    if tag == "input" and name == "type" and value.lower() in ("password", "file", "image"):
        return None
    return value
