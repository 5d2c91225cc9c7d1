"""The words of a doc without its markup."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from qrelsmith.web.rendering.apart import cleaned

if TYPE_CHECKING:
    from qrelsmith.web.models import DocVersion

_BREAKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary",
    "table", "tr", "ul",
})  # fmt: skip
_HIDDEN = frozenset({"canvas", "datalist", "meter", "progress", "style"})
_UNSEEN = _HIDDEN | {"head", "iframe", "noembed", "noframes", "script", "template", "title"}
_TAG = re.compile(r"<(/?)(!--|[!?/]|[A-Za-z][A-Za-z0-9:_-]{0,60})")
_VOID = frozenset({"br", "col", "hr", "img", "input", "wbr"})


def visible_text(doc: DocVersion) -> str:
    """What a person would read, a line for each block."""
    return doc.text if doc.form == "text" else text_of(doc.text)


def text_of(html: str) -> str:
    """The words of a page, blanks unified, at most one empty line in a row."""
    clean = cleaned(html)
    if clean is None:
        return _unified(flattened(html))
    reader = _Reader()
    reader.feed(clean)
    reader.close()
    return _unified("".join(reader.parts))


def flattened(html: str) -> str:
    """The words of a page that is too much for a parser, read once from its begin to its end."""
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
        if name in _BREAKS and not (parts and parts[-1].endswith("\n")):
            parts.append("\n")
        end = _after(html, ">", start)
        if name in _UNSEEN and not tag[1]:
            closing = re.compile(rf"</{name}\b", re.IGNORECASE).search(html, end)
            end = closing.start() if closing else len(html)
    return "".join(parts) + unescape(html[end:])


def _after(html: str, mark: str, start: int) -> int:
    """Where a mark that is looked for from somewhere ends; the page's end if it is not there."""
    place = html.find(mark, start)
    return len(html) if place < 0 else place + len(mark)


def _unified(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.split("\n")]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip("\n")


class _Reader(HTMLParser):
    """Collects the text of sanitised HTML, whose elements are all closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a line at a block, and pass over what is hidden."""
        names = {name for name, _ in attrs}
        is_hidden = tag in _HIDDEN or "hidden" in names or (tag == "dialog" and "open" not in names)
        if tag not in _VOID and (self._depth or is_hidden):
            self._depth += 1
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append("\t")

    def handle_endtag(self, tag: str) -> None:
        """End a line after a block."""
        if self._depth and tag not in _VOID:
            self._depth -= 1
        if tag in _BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text."""
        if self._depth == 0:
            self.parts.append(data)
