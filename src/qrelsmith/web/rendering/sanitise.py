"""The second layer over untrusted HTML: nh3 takes out what acts, and leaves every visible word.

The first layer is the response's own Content-Security-Policy and the frame's sandbox.
"""

from __future__ import annotations

import nh3

# Elements whose content a browser never shows, or that show another page instead.
_DROPPED = {
    "script", "iframe", "frame", "frameset", "noembed", "noframes", "object", "embed", "applet",
    "template", "title", "head",
}  # fmt: skip
_TAGS = (
    set(nh3.ALLOWED_TAGS)
    | {
        "address", "article", "aside", "big", "body", "button", "caption", "col", "colgroup", "dd",
        "details", "dl", "dt", "fieldset", "figcaption", "figure", "font", "footer", "form",
        "header", "html", "label", "legend", "main", "mark", "nav", "optgroup", "option", "picture",
        "search", "section", "select", "style", "summary", "textarea", "tfoot", "u",
    }
) - {"area", "map"}  # fmt: skip
_ATTRIBUTES = {
    "*": {"class", "dir", "lang", "style", "title", "align", "valign", "bgcolor", "color"},
    "a": {"name"},
    "col": {"span", "width"},
    "colgroup": {"span", "width"},
    "details": {"open"},
    "font": {"face", "size"},
    "img": {"src", "alt", "width", "height"},
    "li": {"value"},
    "ol": {"start", "type", "reversed"},
    "optgroup": {"label"},
    "option": {"selected", "label"},
    "table": {"border", "cellpadding", "cellspacing", "width"},
    "td": {"colspan", "rowspan", "width", "height", "nowrap"},
    "th": {"colspan", "rowspan", "width", "height", "nowrap", "scope"},
}


def sanitised(html: str) -> str:
    """The HTML without scripts, frames, addresses and handlers."""
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        attribute_filter=_kept,
        link_rel=None,
        url_schemes={"data"},
    )


def _kept(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute; None drops it. Only pictures inside the doc itself are kept."""
    if tag == "img" and name == "src":
        return value if value.lstrip().lower().startswith("data:image/") else None
    return value
