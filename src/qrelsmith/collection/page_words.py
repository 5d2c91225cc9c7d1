"""The words of a page without its markup, read in one pass that is fast for any page."""

from __future__ import annotations

import re
from html import unescape

BREAKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary",
    "table", "tr", "ul",
})  # fmt: skip
HIDDEN = frozenset({"canvas", "datalist", "meter", "progress", "style"})
_UNSEEN = HIDDEN | {"head", "iframe", "noembed", "noframes", "script", "template", "title"}
_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,2000}?)</title", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)(!--|[!?/]|[A-Za-z][A-Za-z0-9:_-]{0,60})")


def markup_free(html: str) -> str:
    """Return the words of a page that is too large for a parser, in one pass."""
    parts, end = [], 0
    while (start := html.find("<", end)) >= 0:
        parts.append(unescape(html[end:start]))
        tag = _TAG.match(html, start)
        if tag is None:
            parts.append("<")
            end = start + 1
            continue
        name = tag[2].lower()
        if name == "!--":
            end = _after(html, "-->", start + 4)
            continue
        if name in BREAKS and not (parts and parts[-1].endswith("\n")):
            parts.append("\n")
        end = _after(html, ">", start)
        if name in _UNSEEN and not tag[1]:
            closing = re.compile(rf"</{name}\b", re.IGNORECASE).search(html, end)
            end = closing.start() if closing else len(html)
    return "".join(parts) + unescape(html[end:])


def page_title(html: str) -> str:
    """Return the text of a page's `<title>`, in one line; empty if there is none."""
    found = _TITLE.search(html)
    return " ".join(unescape(found[1]).split())[:500] if found else ""


def unified_blanks(text: str) -> str:
    """Return a text with single blanks and without consecutive empty lines."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip("\n")


def _after(html: str, mark: str, start: int) -> int:
    """Return the position after the first `mark` at or after `start`, or the end of the page."""
    place = html.find(mark, start)
    return len(html) if place < 0 else place + len(mark)
